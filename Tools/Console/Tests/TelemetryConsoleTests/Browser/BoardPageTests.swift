import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the boards and alerts in headless Chromium.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct BoardPageTests {
    private static let source = """
        # Made by hand.
        title: Checkout
        time: last 6h
        variables:
          - {name: Release, field: service.version}
        panels:
          - title: Requests
            query: count where kind = server
            as: number
            width: 3
          - title: Routes   # the ones of the backend
            query: count, p95(duration) by http.route where kind = server
            as: table

        """

    private static func write(_ text: String, to console: ConsoleUnderTest) throws {
        let folder = console.console.configuration.boardsFolder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent("checkout.yaml"), options: .atomic)
    }

    private static func text(_ console: ConsoleUnderTest) throws -> String {
        try String(
            contentsOf: console.console.configuration.boardsFolder.appendingPathComponent("checkout.yaml"),
            encoding: .utf8)
    }

    /// Spans of a backend that end now.
    private static func requests(_ count: Int, version: String, route: String) -> JSON {
        let now = UInt64(Date().timeIntervalSince1970 * 1e9)
        return OTLPBody.traces(
            [("service.name", "shop"), ("service.version", .string(version))],
            (0..<count).map { _ in
                OTLPBody.Span(
                    trace: UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased(),
                    id: "00f067aa0ba902b7", name: "GET \(route)", kind: 2, start: now - 5_000_000_000,
                    end: now - 4_900_000_000, attributes: [("http.route", .string(route))])
            })
    }

    private static func click(_ text: String) -> String {
        "[...document.querySelectorAll('button, a')].find((it) => it.checkVisibility() && (it.innerText.trim() === '\(text)' || it.ariaLabel === '\(text)')).click()"
    }

    @Test
    func `a board leads from the list to a panel's records in Explore`() async throws {
        try await ConsoleUnderTest.run { console in
            try Self.write(Self.source, to: console)
            try await console.send(Self.requests(3, version: "2.1.0", route: "/cart"), to: .traces)
            try await console.send(Self.requests(2, version: "2.0.0", route: "/pay"), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards")
                try await browser.wait(until: "document.querySelectorAll('.board-card').length === 5")
                try await browser.run("document.querySelector('.board-card[href=\"/boards/checkout\"]').click()")
                try await browser.wait(until: "document.querySelector('.big-number .value')?.innerText === '5'")
                try await browser.wait(until: "document.querySelector('.time-button').innerText.includes('6 hours')")
                try await browser.wait(until: "document.querySelectorAll('.results tbody tr').length === 2")

                // A value of the board's variable narrows every panel.
                try await browser.run(
                    """
                    const select = document.querySelector('.board-filters select');
                    select.dispatchEvent(new Event('pointerdown'));
                    """)
                try await browser.wait(until: "document.querySelectorAll('.board-filters option').length === 3")
                try await browser.run(
                    """
                    const select = document.querySelector('.board-filters select');
                    select.value = '2.0.0'; select.dispatchEvent(new Event('change'));
                    """)
                try await browser.wait(until: "document.querySelector('.big-number .value')?.innerText === '2'")
                try await browser.wait(until: "location.search.includes('var.Release=2.0.0')")

                try await browser.wait(until: "document.querySelector('.results .cell')?.innerText === '/pay'")
                try await browser.run("document.querySelector('.results .cell').click()")
                try await browser.wait(until: "location.pathname === '/explore'")
                let query = try await browser.run("return new URLSearchParams(location.search).get('q')").text ?? ""
                for part in ["kind = server", "service.version = \"2.0.0\"", "http.route = \"/pay\""] {
                    #expect(query.contains(part), "\(query)")
                }
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a panel is added, changed and saved, and the file keeps its comments`() async throws {
        try await ConsoleUnderTest.run { console in
            try Self.write(Self.source, to: console)
            try await console.send(Self.requests(3, version: "2.1.0", route: "/cart"), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards/checkout")
                try await browser.wait(until: "document.querySelector('.big-number .value')?.innerText === '3'")
                try await browser.press("e")
                try await browser.wait(until: "document.querySelector('.add-panel')")
                try await browser.run("document.querySelector('.add-panel').click()")
                try await browser.wait(until: "document.querySelector('dialog[open]')")
                let fill = """
                    const field = (name, value) => { document.querySelector(`dialog [name=${name}]`).value = value; };
                    field('title', 'Rate'); field('query', '%@'); field('as', 'number'); field('width', '3');
                    document.querySelector('dialog form').requestSubmit();
                    """
                try await browser.run(fill.replacingOccurrences(of: "%@", with: "cuont where kind = server"))
                try await browser.wait(
                    until: "document.querySelector('dialog [role=alert]').innerText.includes('Did you mean count?')")
                try await browser.run(
                    fill.replacingOccurrences(of: "%@", with: "count where http.route = \"/cart\""))
                try await browser.wait(until: "!document.querySelector('dialog[open]')")
                try await browser.wait(until: "document.querySelectorAll('.big-number .value').length === 2")
                try await browser.run("document.querySelector('[aria-label=\"Move before: Rate\"]').click()")
                try await browser.wait(
                    until: "document.querySelectorAll('.board-panel h2')[1].innerText === 'Rate'")
                #expect(try Self.text(console) == Self.source)
                try await browser.run(Self.click("Save"))
                try await browser.wait(until: "!document.querySelector('.add-panel')")
                let saved = try Self.text(console)
                for part in ["# Made by hand.", "# the ones of the backend", "title: Rate", "http.route = \"/cart\""] {
                    #expect(saved.contains(part), "\(saved)")
                }
                // The answer to the wrong query is in the browser's log.
                try await browser.requireNoErrors(except: "400")
            }
        }
    }

    @Test
    func `a changed file shows in an open board, and is not overwritten by an older edit`() async throws {
        try await ConsoleUnderTest.run { console in
            try Self.write(Self.source, to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards/checkout")
                try await browser.wait(until: "document.querySelector('h1')?.innerText === 'Checkout'")
                let renamed = Self.source.replacingOccurrences(of: "title: Checkout", with: "title: Orders")
                try Self.write(renamed, to: console)
                try await browser.wait(until: "document.querySelector('h1')?.innerText === 'Orders'")
                try await browser.press("e")
                try await browser.wait(until: "document.querySelector('.add-panel')")
                try await browser.run("document.querySelector('[aria-label=\"Remove: Routes\"]').click()")
                try Self.write(renamed + "# Written meanwhile.\n", to: console)
                try await browser.run(Self.click("Save"))
                try await browser.wait(
                    until: "document.querySelector('.board-notice')?.innerText.includes('meanwhile')")
                #expect(try Self.text(console) == renamed + "# Written meanwhile.\n")
                try await browser.run(Self.click("Load it and drop my changes"))
                try await browser.wait(until: "document.querySelectorAll('.board-panel').length === 2")
                try Self.write("title: Orders\npanels: 5\n", to: console)
                try await browser.wait(
                    until: "document.querySelector('.board-broken')?.innerText.includes('checkout.yaml, line 2')")
                // Answers of 412 are in the browser's log.
                try await browser.requireNoErrors(except: "412")
            }
        }
    }

    @Test
    func `new records change the values of an open board, and nothing moves`() async throws {
        try await ConsoleUnderTest.run { console in
            try Self.write(Self.source, to: console)
            try await console.send(Self.requests(3, version: "2.1.0", route: "/cart"), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards/checkout")
                try await browser.wait(until: "document.querySelector('.big-number .value')?.innerText === '3'")
                try await browser.wait(until: "document.querySelectorAll('.results tbody tr').length === 1")
                // A page fades in, and moves while it does.
                try await browser.wait(until: "!document.querySelector('.page').getAnimations().length")
                try await browser.run(
                    """
                    window.shifts = [];
                    new PerformanceObserver((list) => { for (const it of list.getEntries()) shifts.push(it.value); })
                      .observe({ type: 'layout-shift', buffered: false });
                    window.boxes = () => JSON.stringify([...document.querySelectorAll('.board-panel')].map((it) => JSON.stringify(it.getBoundingClientRect())));
                    window.before = boxes();
                    """)
                try await console.send(Self.requests(4, version: "2.1.0", route: "/pay"), to: .traces)
                try await browser.wait(until: "document.querySelector('.big-number .value')?.innerText === '7'")
                try await browser.wait(until: "document.querySelectorAll('.results tbody tr').length === 2")
                #expect(try await browser.run("return boxes() === before").bool == true)
                #expect(try await browser.run("return shifts.reduce((sum, it) => sum + it, 0) < 0.01").bool == true)
            }
        }
    }

    @Test
    func `a panel is saved as CSV`() async throws {
        try await ConsoleUnderTest.run { console in
            try Self.write(Self.source, to: console)
            try await console.send(Self.requests(3, version: "2.1.0", route: "/cart"), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards/checkout")
                try await browser.wait(until: "document.querySelectorAll('.results tbody tr').length === 1")
                try await browser.run(
                    """
                    const make = URL.createObjectURL;
                    URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return make(blob); };
                    document.querySelector('[aria-label="Menu of Routes"]').click();
                    """)
                try await browser.wait(until: "document.querySelector(':popover-open .menu-item')")
                try await browser.run(Self.click("Save as CSV"))
                try await browser.wait(until: "window.saved")
                let saved = try await browser.run("return saved").text ?? ""
                #expect(saved.hasPrefix("http.route,count,p95(duration)\n/cart,3,"))
            }
        }
    }

    @Test
    func `a firing alert is in the sidebar, and its page says why`() async throws {
        try await ConsoleUnderTest.run {
            $0.alertInterval = .milliseconds(50)
            // No server listens on the discard port.
            $0.webhookHosts = ["127.0.0.1:9"]
        } _: { console in
            try await console.send(Self.requests(3, version: "2.1.0", route: "/cart"), to: .traces)
            let alert = """
                title: Mine
                alerts:
                  - name: Many requests
                    query: count by http.route
                    above: 2
                    window: 1h
                    webhook: http://127.0.0.1:9/hook

                """
            try Self.write(alert, to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/alerts")
                try await browser.wait(until: "document.querySelector('.count.firing')?.innerText === '1'")
                try await browser.wait(
                    until: "document.querySelector('.alerts tr.firing')?.innerText.includes('failed · 1 waiting')")
                let row =
                    try await browser.run("return document.querySelector('.alerts tr.firing').innerText").text ?? ""
                for part in ["Firing", "Many requests", "3", "/cart", "above 2 in the last 1h", "Mine"] {
                    #expect(row.contains(part), "\(row)")
                }
                try await browser.run("document.querySelector('.alerts tr.firing th a').click()")
                try await browser.wait(until: "location.pathname === '/explore'")
                try await browser.wait(until: "document.body.innerText.includes('/cart')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a query of Explore becomes an alert, which is muted on the page of the alerts`() async throws {
        try await ConsoleUnderTest.run({ $0.alertInterval = .milliseconds(50) }) { console in
            try await console.send(Self.requests(3, version: "2.1.0", route: "/cart"), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?q=count%20by%20http.route")
                try await browser.wait(until: "document.querySelector('table.results')")
                try await browser.click("header button", text: "Export")
                try await browser.click(":popover-open .menu-item", text: "Alert on this…")
                try await browser.wait(until: "document.querySelector('.form-dialog[open] [name=limit]')")
                let form = "const form = document.querySelector('.form-dialog');"
                try await browser.run(
                    "\(form) form.querySelector('[name=name]').value = 'Many'; const limit = form.querySelector('[name=limit]'); limit.value = '2'; limit.dispatchEvent(new Event('change'))"
                )
                try await browser.wait(
                    until:
                        "document.querySelector('.form-dialog').innerText.includes('Above 2, it would have fired 1 time last week')"
                )
                try await browser.click(".form-dialog button", text: "Save the alert")
                try await browser.wait(until: "location.pathname === '/alerts'")
                try await browser.wait(
                    until: "document.querySelector('.alerts tr.firing')?.innerText.includes('Many')")
                try await browser.click("[aria-label=\"Actions for Many\"]")
                try await browser.click(":popover-open .menu-item", text: "Mute for 1 day")
                try await browser.wait(
                    until: "document.querySelector('.alerts tr.firing')?.innerText.includes('muted until')")
                try await browser.wait(
                    until: "document.querySelector('.alerts tr.firing summary')?.innerText === 'History: 1'")
                // A chart of the same query shows where it fired.
                try await browser.open("\(console.address)/explore?q=count%20by%20http.route")
                try await browser.wait(
                    until: "document.querySelector('.alert-marks .fired title')?.textContent.includes('Many fired')")
                try await browser.open("\(console.address)/explore?q=count%20by%20name")
                try await browser.wait(until: "document.querySelector('.plot .trend')")
                #expect(try await browser.run("return !document.querySelector('.alert-marks')").bool == true)
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a query becomes no alert and no panel while the boards cannot be loaded, and the page says so`() async throws
    {
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.requests(3, version: "2.1.0", route: "/cart"), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?q=count")
                try await browser.wait(until: "document.querySelector('table.results')")
                try await browser.run(
                    """
                    const send = window.fetch;
                    window.fetch = (url, options) => window.isCut && String(url).endsWith('/api/v1/boards')
                      ? Promise.reject(new TypeError('cut')) : send(url, options);
                    window.isCut = true;
                    """)
                for action in ["Alert on this…", "Add to a board…"] {
                    try await browser.run("document.querySelector('.toast')?.remove()")
                    try await browser.click("header button", text: "Export")
                    try await browser.click(":popover-open .menu-item", text: action)
                    try await browser.wait(
                        until:
                            "document.querySelector('.toast')?.innerText.startsWith('The boards could not be loaded')")
                }
                try await browser.run("window.isCut = false")
                try await browser.click("header button", text: "Export")
                try await browser.click(":popover-open .menu-item", text: "Alert on this…")
                try await browser.wait(until: "document.querySelector('.form-dialog[open] [name=board] option')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a panel of a board becomes an alert of this board, with a threshold in the unit of its value`() async throws {
        try await ConsoleUnderTest.run { console in
            let panel = "  - {title: Times, query: 'count, p95(duration) by http.route', as: line}\n"
            try Self.write("title: Mine\npanels:\n" + panel, to: console)
            try await console.send(Self.requests(3, version: "2.1.0", route: "/cart"), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards/checkout")
                try await browser.wait(until: "document.querySelector('.panel-measure select')")
                try await browser.run(
                    """
                    const select = document.querySelector('.panel-measure select');
                    select.value = '1'; select.dispatchEvent(new Event('change'));
                    """)
                try await browser.click("[aria-label=\"Menu of Times\"]")
                try await browser.click(":popover-open .menu-item", text: "Alert on this…")
                try await browser.wait(until: "document.querySelector('.form-dialog[open] [name=limit]')")
                try await browser.run(
                    """
                    const input = (name) => document.querySelector(`.form-dialog [name=${name}]`);
                    input('name').value = 'Slow'; input('limit').value = '50 ms';
                    input('limit').dispatchEvent(new Event('change'));
                    """)
                try await browser.wait(
                    until:
                        "document.querySelector('.form-dialog').innerText.includes('Above 50 ms, it would have fired 1 time')"
                )
                try await browser.click(".form-dialog button", text: "Save the alert")
                try await browser.wait(until: "location.pathname === '/alerts'")
                let saved = try Self.text(console)
                #expect(saved.contains("query: p95(duration) by http.route\n"), "\(saved)")
                #expect(saved.contains("above: '50ms'"), "\(saved)")
                try await browser.requireNoErrors()
            }
        }
    }

    /// 9 of 10 requests are good, and 1 of 5 may be bad.
    @Test
    func `an objective shows its error budget, is changed in the browser, and has alerts`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.requests(9, version: "2.1.0", route: "/cart"), to: .traces)
            try await console.send(Self.requests(1, version: "2.1.0", route: "/pay"), to: .traces)
            let query = "ratio(where http.route = \"/cart\") where kind = server"
            let panel = "  - {title: Cart, objective: {query: '\(query)', target: 80%}}\n"
            try Self.write("title: Mine\npanels:\n" + panel, to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards/checkout")
                let left = "document.querySelector('.objective-left .value')?.innerText"
                try await browser.wait(until: "\(left) === '50 %'")
                let text = try await browser.run("return document.querySelector('.objective').innerText").text ?? ""
                #expect(text.contains("90 % of 10 in 28d, target 80 %") && text.contains("0.5× burn in 1h"), "\(text)")
                #expect(try await browser.run("return !!document.querySelector('.panel-objective svg')").bool == true)
                try await browser.press("e")
                try await browser.click("[aria-label=\"Edit: Cart\"]")
                try await browser.wait(until: "document.querySelector('dialog [name=target]')")
                try await browser.run(
                    """
                    document.querySelector('dialog [name=target]').value = '95%';
                    document.querySelector('dialog form').requestSubmit();
                    """)
                try await browser.wait(until: "\(left)?.startsWith('-100') || \(left)?.startsWith('−100')")
                try await browser.run(Self.click("Save"))
                try await browser.wait(until: "!document.querySelector('.add-panel')")
                #expect(try Self.text(console).contains("target: '95%'"))
                try await browser.open("\(console.address)/alerts")
                try await browser.wait(until: "document.body.innerText.includes('Cart: 14.4× burn')")
                try await browser.requireNoErrors()
            }
        }
    }
}
