import BrowserKit
import Testing

@testable import TelemetryConsole

// They share the console of all pages.
extension EveryPageTests {
    @Test
    func `a record's note says what it is about by the attributes of any app`() async throws {
        let console = try #require(SharedConsole.current)
        try await WebDriver.run { browser in
            try await browser.open("\(console.address)/sessions")
            try await browser.wait(until: "document.querySelector('h1')")
            let notes = try await browser.runAsync(
                """
                import('/assets/parts/records.js').then(({ note }) => done([
                  { 'acme.moon.id': 'm-1', 'acme.moon.name': 'Io', 'acme.trip.id': 7, 'acme.trip.length': 3 },
                  { 'session.id': 's-1', 'thread.name': 'main', 'app.screen.name': 'Map' },
                ].map((attributes) => note({ name: 'viewed', kind: 'log', attributes }))));
                """)
            #expect(notes.elements.map(\.text) == ["Io · 7", "Map"])
        }
    }
}
