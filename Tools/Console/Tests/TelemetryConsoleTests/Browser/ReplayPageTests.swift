import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the replay player in a real browser.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ReplayPageTests {
    private static func isDrawn(_ selector: String) -> String { "document.querySelector('.w-glass \(selector)')" }

    private static func at(_ time: UInt64) -> String { "?at=\(time / 1_000)" }

    @Test
    func `a replay plays from the first screen to the crash and links to the crash's page`()
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
                try await browser.wait(until: "document.querySelector('.cover-card.crash')")
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
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a timeline row seeks the replay, and a tap is highlighted`() async throws {
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
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `seeking elsewhere cancels waiting for a frame`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.open(console.address)
                let waits = try await browser.runAsync(
                    """
                    import("/assets/parts/replay.js").then(({ ReplayPlayer }) => {
                      const player = new ReplayPlayer("any", { onMoment() {} });
                      const frames = { isEmpty: false, start: 1e6, end: 2e6, frames: [{ at: 1e6, key: 0 }], gaps: [] };
                      Object.assign(frames, { indexAt: (at) => (at < 1e6 ? -1 : 0), gapAt() {}, isReady: () => false });
                      player.frames = Object.assign(frames, { fetch: () => new Promise(() => {}) });
                      player.setItems([], { startUs: 0, endUs: 2e6 });
                      const before = player.isWaiting;
                      player.seek(0);
                      done(`${before} ${player.isWaiting}`);
                    }, (error) => done(String(error)));
                    """)
                #expect(waits.text == "true false")
            }
        }
    }

    @Test
    func `masked words are bars of their length, and no text is shown`() async throws {
        var replay = try ReplayVisit(ShopVisit.purchase())
        let wire = Wire(
            "screen", key: "boxes", [:],
            [
                Wire("text", ["words": [4, 12], "size": 20, "box": [20, 80, 300, 30]]),
                Wire("text", ["text": "Seen <b>by</b> all", "box": [20, 120, 300, 30]]),
                Wire("field", ["text": "4111 1111 1111 1111", "box": [20, 200, 353, 44]]),
                Wire("text", ["words": [4], "text": "canary-4711", "box": [20, 260, 300, 30]]),
                Wire("row", ["box": [20, 300, 200, 60]], [Wire("image", ["box": [30, 310, 40, 40]])]),
            ])
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
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `missing frames are reported until the next key frame`() async throws {
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
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the end of an active session shows new frames`() async throws {
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
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a hang shows its elapsed time and links to its page`() async throws {
        var visit = ShopVisit(number: 1, start: 1_790_000_000_000_000_000)
        visit.launch()
        let hang = visit.now
        visit.event(
            "astrolabe.hang", severity: 17,
            [
                ("astrolabe.hang.duration", 2.5), ("astrolabe.hang.severity", "severe"),
                ("astrolabe.hang.has_ended", true),
            ])
        visit.pass(4_000)
        visit.event("session.end")
        let replay = try ReplayVisit(visit)
        try await ConsoleUnderTest.run { [visit] console in
            try await console.send(visit)
            try await console.send(replay.body, to: .logs)
            try await WebDriver.run(width: 1440, height: 900) { browser in
                let page = "\(console.address)/sessions/\(visit.session)"
                try await browser.open(page + Self.at(hang + 1_000_000_000))
                try await browser.wait(
                    until: "document.querySelector('.cover-card.hang')?.innerText.includes('0:01.0 of 2.5 s')")
                #expect(try await browser.run("return document.querySelectorAll('.mark.hang').length").int == 1)
                try await browser.open(page + Self.at(hang + 2_600_000_000))
                try await browser.wait(
                    until: "document.querySelector('.cover-card.hang')?.innerText.includes('Hung for 2.5 s')")
                try await browser.click(".cover-card a")
                try await browser.wait(until: "location.pathname.startsWith('/health/problems/')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `cyclic, deep or unplaced nodes break neither the page nor each other`() async throws {
        let visit = ShopVisit.purchase()
        func frame(_ sequence: Int, _ nodes: [JSON], _ more: [(String, JSON)] = []) -> OTLPBody.Event {
            OTLPBody.Event(
                name: "astrolabe.replay", time: visit.start + UInt64(sequence + 1) * 1_000_000_000, severity: 5,
                attributes: [
                    ("session.id", .string(visit.session)), ("astrolabe.replay.id", "r-1"),
                    ("astrolabe.replay.sequence", .integer(sequence)), ("astrolabe.replay.root", 1),
                    ("astrolabe.replay.nodes", .array(nodes)),
                ] + more)
        }
        let key: [(String, JSON)] = [("astrolabe.replay.is_key_frame", true), ("astrolabe.replay.size", [393, 852])]
        func node(_ id: Int, _ children: [JSON], _ role: String = "row") -> JSON {
            ["id": .integer(id), "role": .string(role), "children": .array(children)]
        }
        // A chain of 300 levels, and one of its last nodes names the root again.
        let chain = (1...300).map { node($0, [.integer($0 % 300 + 1), 4_711]) }
        let frames = [
            frame(0, chain, key),
            frame(1, [node(1, [2, 2, 1]), node(2, [3, 1, 2]), node(3, [2, 1, 5]), node(5, [], "image")]),
            frame(2, [node(1, [3, 2])], [("astrolabe.replay.removed", [2, 99, -1])]),
            frame(3, [], [("astrolabe.replay.removed", [1])]),
            frame(
                4,
                [
                    node(1, [3]),
                    ["id": 3, "role": "text", "size": 1e300, "words": ["x", 3], "box": [1e18, 0, 5, 5]],
                ]),
            frame(5, (0..<1_500).map { node($0 + 1, $0 == 0 ? (2...1_500).map(JSON.integer) : [], "text") }),
        ]
        try await ConsoleUnderTest.run { console in
            try await console.send(visit)
            try await console.send(OTLPBody.logs(visit.phone, frames), to: .logs)
            try await WebDriver.run(width: 1440, height: 900) { browser in
                let page = "\(console.address)/sessions/\(visit.session)"
                func drawn(at sequence: Int) async throws -> Int? {
                    try await browser.run("document.querySelector('.scrubber').focus()")
                    for _ in 0..<(sequence == 0 ? 0 : 1) { try await browser.press(Key.right) }
                    try await browser.wait(
                        until: "document.querySelector('.replay-place b').textContent === '0:0\(sequence + 1).0'")
                    try await browser.wait(until: "!document.querySelector('.replay').hasAttribute('data-waits')")
                    return try await browser.run("return document.querySelectorAll('.w-screen .w').length").int
                }
                try await browser.open(page + Self.at(visit.start + 1_000_000_000))
                try await browser.wait(until: Self.isDrawn(".w"))
                let counts = [
                    try await drawn(at: 0), try await drawn(at: 1), try await drawn(at: 2), try await drawn(at: 3),
                    try await drawn(at: 4), try await drawn(at: 5),
                ]
                #expect(counts == [65, 4, 3, 0, 2, 1_000])
                #expect(
                    try await browser.run("return document.querySelector('.replay-note').textContent.length > 0").bool
                        == true)
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `frames look the same in whatever order they are shown`()
        async throws
    {
        let replay = try ReplayVisit.crash()
        try await ConsoleUnderTest.run { console in
            try await console.send(replay.visit)
            try await console.send(replay.body, to: .logs)
            try await WebDriver.run(width: 1440, height: 900) { browser in
                try await browser.open("\(console.address)/sessions/\(replay.visit.session)")
                try await browser.wait(until: Self.isDrawn(".w"))
                // Compares frames drawn step by step with each frame drawn alone.
                let differing = try await browser.runAsync(
                    """
                    (async () => {
                      const { ReplayFrames } = await import("/assets/lib/frames.js");
                      const { WireframeView } = await import("/assets/parts/wireframe-view.js");
                      const { Wireframe } = await import("/assets/lib/wireframe.js");
                      const frames = new ReplayFrames("\(replay.visit.session)");
                      await frames.update();
                      const stage = new WireframeView();
                      const wireframe = new Wireframe();
                      const different = [];
                      for (let index = 0; index < frames.frames.length; index += 1) {
                        await frames.fetch(index);
                        wireframe.apply(frames.frames[index].content);
                        stage.draw(wireframe);
                        const alone = new Wireframe();
                        for (let at = frames.frames[index].key; at <= index; at += 1) alone.apply(frames.frames[at].content);
                        const other = new WireframeView();
                        other.draw(alone);
                        if (stage.screen.innerHTML !== other.screen.innerHTML) different.push(index);
                      }
                      done([frames.frames.length, different.length]);
                    })();
                    """)
                #expect(differing[0].int == replay.frames.count)
                #expect(differing[1].int == 0)
                try await browser.requireNoErrors()
            }
        }
    }
}
