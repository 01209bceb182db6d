import BrowserKit
import Testing

@testable import TelemetryConsole

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct JourneyPageTests {
    private static let ever = "time=3650d"

    /// A console with a visit that ends at the product, and one that ends with an order.
    private static func run(_ body: @escaping @Sendable (ConsoleUnderTest, _ left: ShopVisit) async throws -> Void)
        async throws
    {
        try await ConsoleUnderTest.run { console in
            var browsing = ShopVisit(number: 2, start: 1_790_000_000_000_000_000)
            browsing.launch()
            browsing.open(product: "OLJCESPC7Z", name: "Explorascope")
            var buying = ShopVisit.purchase()
            buying.event("demo.order.placed", trace: buying.traces["checkout"] ?? "")
            for visit in [browsing, buying] { try await console.send(visit) }
            try await body(console, browsing)
        }
    }

    @Test
    func `the shop's funnel is there, and a step opens the sessions that end at it`() async throws {
        try await Self.run { console, left in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/journeys?\(Self.ever)")
                try await browser.wait(until: "document.querySelectorAll('.funnel-step').length === 5")
                let counts = try await browser.run(
                    "return [...document.querySelectorAll('.funnel-count')].map((it) => it.firstChild.data).join()")
                #expect(counts.text == "2,2,1,1,1")
                try await browser.click(".funnel-action.lost", text: "1 leave here (50 %)")
                try await browser.wait(until: "document.querySelectorAll('.journey-examples li').length === 1")
                try await browser.wait(until: "location.search.includes('open=2-dropped')")
                let heading = "document.querySelector('.journey-examples h3').innerText"
                #expect(try await browser.run("return \(heading)").text == "Ended at Product")

                // The address has the state.
                try await browser.run("location.reload()")
                try await browser.wait(until: "document.querySelectorAll('.journey-examples li').length === 1")
                try await browser.click(".journey-examples a", text: "Session and replay")
                try await browser.wait(until: "location.pathname === '/sessions/\(left.session)'")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a step is edited, an error stands below its step, and back undoes it`() async throws {
        try await Self.run { console, _ in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/journeys?\(Self.ever)")
                try await browser.wait(until: "document.querySelectorAll('.step-row').length === 5")
                try await browser.click(".journey-edit summary")
                let set = """
                    const input = document.querySelector('[aria-label="Condition of step 3"]');
                    input.value = arguments0; input.dispatchEvent(new Event('change'));
                    """
                try await browser.run(set.replacing("arguments0", with: "'name ='"))
                try await browser.wait(
                    until: "document.querySelectorAll('.step-problem')[2]?.innerText.includes('Cannot read')")
                try await browser.run(set.replacing("arguments0", with: "'app.screen.name = Nowhere'"))
                try await browser.wait(until: "document.querySelectorAll('.step-problem')[2]?.innerText === ''")
                let counts = "[...document.querySelectorAll('.funnel-count')].map((it) => it.firstChild.data).join()"
                try await browser.wait(until: "\(counts) === '2,2,0,0,0'")
                try await browser.run("history.go(-2)")
                try await browser.wait(until: "\(counts) === '2,2,1,1,1'")
                try await browser.requireNoErrors(except: "400")
            }
        }
    }

    @Test
    func `screens flow from stop to stop, and a link opens its sessions, as a list where it is narrow`() async throws {
        try await Self.run { console, _ in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/journeys?\(Self.ever)")
                try await browser.wait(until: "document.querySelector('.flow-link')")
                let label = "ProductList → ProductDetail: 2 paths, 100 % of those at stop 1"
                try await browser.run(
                    "document.querySelector('[aria-label=\"\(label)\"]').dispatchEvent(new Event('click'))")
                try await browser.wait(until: "document.querySelectorAll('.journey-examples li').length === 2")
                try await browser.resize(width: 390, height: 844)
                try await browser.wait(until: "document.querySelectorAll('.flow-list').length === 4")
                let overflow = try await browser.run("return document.documentElement.scrollWidth > innerWidth")
                #expect(overflow.bool == false)
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the map draws the phone and its backend, and a connection opens its spans`() async throws {
        try await Self.run { console, _ in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/map?\(Self.ever)")
                try await browser.wait(until: "document.querySelectorAll('.map-node').length === 2")
                let order = try await browser.run(
                    "return [...document.querySelectorAll('.map-node')].sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x).map((it) => it.querySelector('title').textContent).join()"
                )
                #expect(order.text == "astronomy-shop,shop-backend")
                try await browser.run("document.querySelector('.map-edge').dispatchEvent(new MouseEvent('click'))")
                try await browser.wait(until: "location.pathname === '/explore'")
                try await browser.wait(until: "document.querySelectorAll('.results tbody tr').length > 2")
                try await browser.requireNoErrors()
            }
        }
    }
}
