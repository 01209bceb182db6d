import BrowserKit
import Testing

@testable import TelemetryConsole

/// Tests of a replay with 10,000 frames: the page loads and draws a bounded part of them.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ReplaySizeTests {
    /// The requests for the contents of frames so far. Each has up to 200 frames.
    private static let requests =
        "performance.getEntriesByType('resource').filter((it) => /\\/replay\\/[^?]+\\?from=/.test(it.name)).length"

    @Test
    func `a replay of 10,000 frames opens and seeks to any frame with the frames around it alone`() async throws {
        let visit = ShopVisit.purchase()
        try await ConsoleUnderTest.run { console in
            try await console.send(visit)
            for part in 0..<20 {
                try await console.send(Self.frames(part * 500..<(part + 1) * 500, of: visit), to: .logs)
            }
            try await WebDriver.run(width: 1440, height: 900) { browser in
                let page = "\(console.address)/sessions/\(visit.session)"
                try await browser.open(page)
                try await browser.wait(until: "document.querySelector('.w-glass .w-words')")
                let opening = try #require(try await browser.run("return \(Self.requests)").int)
                // The session, the list of frames and the timeline may arrive in any order, and each draws.
                #expect(opening <= 10)
                let places = try await browser.runAsync(
                    """
                    (async () => {
                      const scrubber = document.querySelector(".scrubber");
                      const box = scrubber.getBoundingClientRect();
                      const shown = () => document.querySelector(".w-screen [data-name]")?.dataset.name;
                      const places = [];
                      for (const share of [0.9, 0.1, 0.5, 0.7, 0.3, 0.501, 0.95, 0.05]) {
                        const event = new PointerEvent("pointerdown", { clientX: box.left + share * box.width, pointerId: 1, bubbles: true });
                        scrubber.setPointerCapture = () => {};
                        scrubber.dispatchEvent(event);
                        const wanted = Math.floor((Number(scrubber.getAttribute("aria-valuenow")) - 1) * 4);
                        while (Math.abs(Number(shown()?.slice(6)) - wanted) > 8) await new Promise((next) => requestAnimationFrame(next));
                        places.push(wanted);
                      }
                      done(places);
                    })();
                    """)
                #expect(Set(places.elements.compactMap(\.int)).count == 8)
                let seeking = try #require(try await browser.run("return \(Self.requests)").int) - opening
                #expect(seeking <= 16, "a seek needs the frames since the last key frame, of one part or two of 50")
                #expect(try await browser.run("return document.querySelectorAll('.w').length").int == 122)
                try await browser.requireNoErrors()
            }
        }
    }

    /// Creates frames of a list with 120 rows, four per second, each of which shows its own number.
    private static func frames(_ range: Range<Int>, of visit: ShopVisit) -> JSON {
        let events = range.map { sequence in
            let head: JSON = [
                "id": 2, "role": "text", "words": [5, 4], "name": .string("frame-\(sequence)"),
                "size": .number(Double(20 + sequence % 10)),
            ]
            var attributes: [(String, JSON)] = [
                ("session.id", .string(visit.session)), ("astrolabe.replay.id", "r-1"),
                ("astrolabe.replay.sequence", .integer(sequence)), ("astrolabe.replay.root", 1),
            ]
            if sequence % 40 == 0 {
                let rows: [JSON] = (3..<123).map {
                    ["id": .integer($0), "role": "text", "words": [6, 7, 3, 9], "size": 15, "fill": "gray/10"]
                }
                let root: JSON = ["id": 1, "role": "screen", "children": .array((2..<123).map(JSON.integer))]
                attributes += [
                    ("astrolabe.replay.is_key_frame", true), ("astrolabe.replay.size", [393, 852]),
                    ("astrolabe.replay.nodes", .array([root, head] + rows)),
                ]
            } else {
                attributes.append(("astrolabe.replay.nodes", [head]))
            }
            return OTLPBody.Event(
                name: "astrolabe.replay", time: visit.start + 1_000_000_000 + UInt64(sequence) * 250_000_000,
                severity: 5,
                attributes: attributes)
        }
        return OTLPBody.logs(visit.phone, events)
    }
}
