import AstrolabeTestSupport
import BrowserKit
import Testing

@testable import TelemetryConsole

/// Windows of all sizes, paper, and screens without the console's colors.
extension EveryPageTests {
    /// Windows in CSS pixels: a low one, one at 200 % and one at 400 %, then one at 150 % and two phones.
    ///
    /// That at 400 % leaves out the 15 pixels of a scroll bar, which the browser of the tests does not draw.
    private static var windows: [(width: Int, height: Int)] {
        let all: [(width: Int, height: Int)] = [
            (1_280, 577), (640, 450), (305, 225), (853, 480), (390, 844), (320, 568),
        ]
        return Thoroughness.isThorough ? all : Array(all.prefix(3))
    }

    /// The width of a sheet in CSS pixels.
    private static let paperWidth = 718

    @Test
    func `every route has a page in these tests`() async throws {
        let console = try #require(SharedConsole.current)
        let tested = Set(
            try await Self.pages(of: console).compactMap { page in
                ConsoleRoute.match(String(page.path.prefix { $0 != "?" }))?.path.text
            })
        // The page to sign in is one of a console with keys: see AccessPageTests.
        #expect(Set(ConsoleRoute.pagePaths).subtracting(["/sign-in"]).subtracting(tested) == [])
    }

    @Test
    func `in a window of any size, what scrolls has a usable height, and nothing is out of reach`() async throws {
        let console = try #require(SharedConsole.current)
        let pages = try await Self.pages(of: console)
        try await WebDriver.run { browser in
            for page in pages {
                try await browser.open(console.address + page.path)
                try await browser.wait(until: "document.querySelector('\(page.part)')")
                for (width, height) in Self.windows {
                    try await browser.resize(width: width, height: height)
                    try await Self.drawAgain(in: browser)
                    let cut = try await browser.run(LayoutScript.cut).elements.compactMap(\.text)
                    #expect(cut == [], "\(page.path) in \(width) × \(height)")
                }
            }
        }
    }

    @Test
    func `the details of a span cover none of its trace, and a window at 200 % has room for both`() async throws {
        let console = try #require(SharedConsole.current)
        let trace = try #require(
            try await console.get("/api/v1/traces?minUs=50000")["traces"].elements.first?["traceId"].text)
        try await WebDriver.run { browser in
            try await browser.open("\(console.address)/traces/\(trace)")
            try await browser.wait(until: "document.querySelector('.inspector h2')")
            for (width, height) in [(1_280, 900), (960, 700), (640, 450)] {
                try await browser.resize(width: width, height: height)
                try await Self.drawAgain(in: browser)
                let places = try await browser.run(
                    """
                    const box = (it) => document.querySelector(it).getBoundingClientRect();
                    document.querySelector('.inspector').scrollIntoView({ block: 'end' });
                    const [spans, details] = [box('.waterfall'), box('.inspector')];
                    const row = box('.vrow[aria-selected=true]');
                    return { apart: spans.right <= details.left + 1 || spans.bottom <= details.top + 1,
                      seen: row.top >= 0 && details.bottom <= innerHeight + 1,
                      wide: spans.width, high: details.height };
                    """)
                #expect(places["apart"].bool == true, "\(width) × \(height)")
                #expect(places["seen"].bool == true, "\(width) × \(height)")
                #expect((places["wide"].double ?? 0) > 500, "\(width) × \(height)")
                #expect((places["high"].double ?? 0) > 150, "\(width) × \(height)")
            }
        }
    }

    /// Waits until charts have the size of the window: they are drawn again in the next frame.
    private static func drawAgain(in browser: WebDriver) async throws {
        try await browser.run(
            """
            delete document.body.dataset.drawn;
            requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => {
              document.body.dataset.drawn = '';
            })));
            """)
        try await browser.wait(until: "'drawn' in document.body.dataset")
    }

    @Test
    func `a menu in a low window is inside of it, with room for its entries`() async throws {
        let console = try #require(SharedConsole.current)
        try await WebDriver.run { browser in
            try await browser.resize(width: 320, height: 225)
            try await browser.open("\(console.address)/sessions")
            try await browser.wait(until: "document.querySelector('.entry')")
            try await browser.click(".time-button")
            try await browser.wait(until: "document.querySelector('.time-menu:popover-open')?.offsetHeight")
            let box = try await browser.run(
                """
                const { top, bottom, height } = document.querySelector('.time-menu').getBoundingClientRect();
                return { top, bottom, height };
                """)
            #expect((box["top"].double ?? -1) >= 0)
            #expect((box["bottom"].double ?? .infinity) <= 225)
            #expect((box["height"].double ?? 0) > 150)
        }
    }

    @Test
    func `paper has all of every page, and forced colors show what colors show`() async throws {
        let console = try #require(SharedConsole.current)
        let pages = try await Self.pages(of: console)
        try await WebDriver.run { browser in
            for page in pages {
                try await browser.prefer(dark: true)
                try await browser.resize(width: Self.paperWidth, height: 1_000)
                try await browser.open(console.address + page.path)
                try await browser.wait(until: "document.querySelector('\(page.part)')")
                try await browser.prefer(dark: true, onPaper: true)
                let missing = try await browser.run(LayoutScript.missingOnPaper).elements.compactMap(\.text)
                #expect(missing == [], "\(page.path) on paper")
                try await browser.prefer(dark: true, forcedColors: true)
                let colorOnly = try await browser.run(LayoutScript.colorOnly).elements.compactMap(\.text)
                #expect(colorOnly == [], "\(page.path) in forced colors")
            }
        }
    }

    @Test
    func `a session is printed with all its records, on as many sheets as it takes`() async throws {
        let console = try #require(SharedConsole.current)
        let session = try #require(
            try await console.get("/api/v1/sessions?errors=true")["sessions"].elements.first?["id"].text)
        try await WebDriver.run { browser in
            try await browser.open("\(console.address)/sessions/\(session)")
            let size = "Number(document.querySelector('.vrow')?.getAttribute('aria-setsize'))"
            try await browser.wait(until: "\(size) > 0")
            try await browser.run(
                """
                addEventListener('beforeprint', () => {
                  document.body.dataset.rows = document.querySelectorAll('.vrow').length;
                });
                """)
            let sheets = try await browser.sheetCount()
            let rows = try #require(try await browser.run("return Number(document.body.dataset.rows)").int)
            #expect(try await browser.run("return \(size)").int == rows)
            // A sheet has fewer than 60 rows.
            #expect(sheets > rows / 60)
            let drawn = try await browser.run("return document.querySelectorAll('.vrow').length").int ?? .max
            #expect(drawn <= min(rows, 60), "afterwards only the visible rows are drawn")
        }
    }

    @Test
    func `without JavaScript, the first thing on the page says what to do`() async throws {
        let console = try #require(SharedConsole.current)
        try await WebDriver.run { browser in
            try await browser.open("\(console.address)/sessions")
            // Scripts do not run in this frame.
            let shown = try await browser.runAsync(
                """
                fetch('/').then((response) => response.text()).then((page) => {
                  const frame = document.createElement('iframe');
                  frame.setAttribute('sandbox', 'allow-same-origin');
                  frame.style.cssText = 'position: fixed; inset: 0; width: 640px; height: 450px';
                  frame.onload = () => {
                    const note = frame.contentDocument.querySelector('noscript');
                    const { top, bottom } = note.getBoundingClientRect();
                    done({ text: note.innerText, top, bottom });
                  };
                  frame.srcdoc = page;
                  document.body.append(frame);
                });
                """)
            #expect(shown["text"].text?.contains("Allow it for this address") == true)
            #expect(shown["top"].int == 0)
            #expect((shown["bottom"].double ?? .infinity) < 225)
        }
    }
}
