import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// The player, in a real browser.
@Suite(
    .serialized, .timeLimit(.minutes(4)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ReplayPageTests {
    private static func isDrawn(_ selector: String) -> String { "document.querySelector('.w-glass \(selector)')" }

    private static func at(_ time: UInt64) -> String { "?at=\(time / 1_000)" }

    @Test
    func `a session that crashed is played from its first screen to the crash, and on to the crash's page`()
        async throws
    {
        let replay = try ReplayVisit.crash()
        let crash = try #require(replay.visit.events.first { $0.name == "app.crash" })
        try await ConsoleUnderTest.run { console in
            try await console.send(replay.visit)
            try await console.send(replay.body, to: .logs)
            try await WebDriver.run(width: 1440, height: 900) { browser in
                let page = "\(console.address)/sessions/\(replay.visit.session)"
                try await browser.open(page)
                try await browser.wait(until: Self.isDrawn("[data-name=\"product.OLJCESPC7Z\"]"))
                let bars = try await browser.run(
                    "return [...document.querySelectorAll('[data-name=\"product.OLJCESPC7Z\"] .w-words')][0].children.length"
                )
                #expect(bars.int == 2, "one bar for each word of the product's name")

                try await browser.click(".replay-speeds button:last-child")
                try await browser.press("p")
                try await browser.wait(until: "document.querySelector('.replay-play[aria-label=\"Pause\"]')")
                try await browser.wait(until: "document.querySelector('.stage [data-name=\"add_to_cart\"]')")
                let left = try await browser.run(
                    "return document.querySelector('.playhead').style.getPropertyValue('--share')")
                #expect((Double(left.text ?? "") ?? 0) > 0.02, "the mark over the timeline moves")
                try await browser.wait(until: "document.querySelector('.cover-card.crash')", seconds: 30)
                try await browser.wait(until: "document.querySelector('.replay-play[aria-label=\"Play\"]')")
                let chosen = "document.querySelector('.vrow[aria-selected=\"true\"] .name').textContent"
                #expect(try await browser.run("return \(chosen)").text?.hasPrefix("Crash: Demo crash") == true)
                let card = try await browser.run("return document.querySelector('.cover-card').innerText").text
                #expect(card?.contains("10 National Park Foundation Explorascopes") == true)

                try await browser.click(".cover-card a")
                try await browser.wait(until: "document.querySelector('.problem-head')")
                try await browser.click(".button-link[href*=at]")
                try await browser.wait(until: "document.querySelector('.stage .w')")
                let moment = try await browser.run("return Number(new URLSearchParams(location.search).get('at'))")
                #expect(moment.double == Double(crash.time / 1_000) - 5e6)
                #expect(try await browser.errors() == [])
            }
        }
    }

    @Test
    func `a row of the timeline seeks, and a tap flashes where it was`() async throws {
        let replay = try ReplayVisit.crash()
        let taps = replay.visit.events.filter { $0.name == "app.widget.click" }
        try await ConsoleUnderTest.run { console in
            try await console.send(replay.visit)
            try await console.send(replay.body, to: .logs)
            try await WebDriver.run(width: 1440, height: 900) { browser in
                let page = "\(console.address)/sessions/\(replay.visit.session)"
                try await browser.open(page + Self.at(taps[1].time))
                try await browser.wait(until: "document.querySelector('.w-tapped')?.dataset.name === 'add_to_cart'")
                try await browser.wait(until: "!document.querySelector('.w-touch').hidden")
                #expect(try await browser.run("return document.querySelector('.w-bar .w-words') !== null").bool == true)

                let rows =
                    "[...document.querySelectorAll('.moment')].find((it) => it.textContent.includes('app.widget.click') && it.textContent.includes('place_order'))"
                try await browser.press("6")
                try await browser.wait(until: rows)
                try await browser.run("\(rows).click()")
                try await browser.wait(until: "document.querySelector('.w-tapped')?.dataset.name === 'place_order'")
                #expect(try await browser.run("return document.querySelectorAll('.stage .w-cell').length").int == 3)
                try await browser.run("document.querySelector('.scrubber').focus()")
                try await browser.press(Key.right)
                try await browser.wait(until: "document.querySelector('.w-tapped') === null")
                try await browser.wait(until: Self.isDrawn(".w-spinner"))
                try await browser.press(Key.end)
                try await browser.wait(until: "document.querySelector('.cover-card.crash')")
                let words = try await browser.run("return document.querySelector('.scrubber').ariaValueText").text
                #expect(words?.contains("The app crashed") == true)
                #expect(try await browser.errors() == [])
            }
        }
    }

    @Test
    func `words that were masked are bars as long as they were, and no text is on the screen`() async throws {
        var replay = try ReplayVisit(ShopVisit.purchase())
        let wire = Wire(
            "screen", key: "boxes", [:],
            [
                Wire("text", ["words": [4, 12], "size": 20, "box": [20, 80, 300, 30]]),
                Wire("text", ["text": "Seen <b>by</b> all", "box": [20, 120, 300, 30]]),
                Wire("field", ["text": "4111 1111 1111 1111", "box": [20, 200, 353, 44]]),
                Wire("text", ["words": [4], "text": "canary-4711", "box": [20, 260, 300, 30]]),
                Wire("row", ["box": [20, 300, 200, 60]], [Wire("image", ["box": [30, 310, 40, 40]])]),
            ], )
        try replay.record(wire, at: replay.visit.now + 1_000_000_000)
        try await ConsoleUnderTest.run { [replay] console in
            try await console.send(replay.visit)
            try await console.send(replay.body, to: .logs)
            try await WebDriver.run(width: 1440, height: 900) { browser in
                let page = "\(console.address)/sessions/\(replay.visit.session)"
                try await browser.open(page + Self.at(replay.visit.start + 2_000_000_000))
                try await browser.wait(until: Self.isDrawn(".w-words i"))
                let text = "return document.querySelector('.w-screen').textContent"
                #expect(try await browser.run(text).text == "")
                try await browser.run("document.querySelector('.scrubber').focus()")
                try await browser.press(Key.end)
                try await browser.wait(until: Self.isDrawn(".w-boxed"))
                #expect(try await browser.run(text).text == "Seen <b>by</b> all")
                #expect(try await browser.run("return document.body.innerHTML.includes('canary')").bool == false)
                let ratio = try await browser.run(
                    "const [a, b] = document.querySelectorAll('.w-screen .w-words i'); return b.getBoundingClientRect().width / a.getBoundingClientRect().width"
                )
                #expect((2.5...3.2).contains(ratio.double ?? 0), "12 letters are about three times as long as 4")
                let place = try await browser.run(
                    """
                    const glass = document.querySelector('.w-glass').getBoundingClientRect();
                    const image = document.querySelector('.w-screen .w-image').getBoundingClientRect();
                    const scale = glass.width / 393;
                    return [(image.left - glass.left) / scale, (image.top - glass.top) / scale, image.width / scale].map(Math.round).join();
                    """)
                #expect(place.text == "30,310,40")
                #expect(try await browser.errors() == [])
            }
        }
    }

    @Test
    func `where frames are missing it says so until the next key frame`() async throws {
        var replay = try ReplayVisit.crash()
        let next = try #require(
            replay.frames.indices.first { index in
                index > 8 && replay.frames[index].attributes.contains { $0.0 == "astrolabe.replay.is_key_frame" }
            })
        replay.lost = [6]
        let visit = replay.visit
        let (before, missing, after) = (replay.frames[5].time, replay.frames[7].time, replay.frames[next].time)
        try await ConsoleUnderTest.run { [replay] console in
            try await console.send(visit)
            try await console.send(replay.body, to: .logs)
            try await WebDriver.run(width: 1440, height: 900) { browser in
                let page = "\(console.address)/sessions/\(visit.session)"
                try await browser.open(page + Self.at(missing))
                try await browser.wait(
                    until: "document.querySelector('.cover-card.gap')?.innerText.includes('1 frame')")
                #expect(try await browser.run("return document.querySelectorAll('.scrub-gap').length").int == 1)
                try await browser.open(page + Self.at(after + 1_000))
                try await browser.wait(until: Self.isDrawn(".w"))
                #expect(
                    try await browser.run(
                        "return document.querySelector('.cover-card') === null || document.querySelector('.w-cover').hidden"
                    ).bool == true)
                try await browser.open(page + Self.at(before))
                try await browser.wait(until: Self.isDrawn(".w"))
                #expect(try await browser.run("return document.querySelector('.w-cover').hidden").bool == true)
                #expect(try await browser.errors() == [])
            }
        }
    }

    @Test
    func `new frames of a session under way are shown to who watches its end`() async throws {
        var replay = try ReplayVisit(ShopVisit.purchase())
        let first = replay.body
        try replay.record(
            Wire("screen", key: "later", [:], [Wire("image", ["name": "later"])]), at: replay.visit.now + 3_000_000_000,
        )
        let second = replay.body
        try await ConsoleUnderTest.run { [replay] console in
            try await console.send(replay.visit)
            try await WebDriver.run(width: 1440, height: 900) { browser in
                try await browser.open("\(console.address)/sessions/\(replay.visit.session)")
                try await browser.wait(until: "document.querySelector('.replay-line code')")
                try await console.send(first, to: .logs)
                try await browser.wait(until: Self.isDrawn(".w"))
                #expect(try await browser.run("return document.querySelector('.replay-line') === null").bool == true)
                try await browser.run("document.querySelector('.scrubber').focus()")
                try await browser.press(Key.end)
                try await console.send(second, to: .logs)
                try await browser.wait(until: Self.isDrawn("[data-name=\"later\"]"))
                #expect(try await browser.errors() == [])
            }
        }
    }
}
