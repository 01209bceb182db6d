import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeViewTracing

/// A view controller that is called as UIKit calls it.
@MainActor
private final class TestController {
    private let trace: ControllerTrace
    private let recorder: ViewRecorder

    init(_ description: ControllerDescription, _ recorder: ViewRecorder) {
        self.recorder = recorder
        trace = ControllerTrace(recorder.tracer) { description }
    }

    convenience init(_ name: String, _ recorder: ViewRecorder) {
        self.init(ControllerDescription(name: name, id: "id-\(name)"), recorder)
    }

    /// `loadView` and `viewDidLoad`.
    func load(taking milliseconds: UInt64 = 0) {
        trace.startsLoading()
        trace.startsLoading()
        recorder.advance(by: milliseconds)
    }

    /// The end of the main thread's turn.
    func endTurn() { trace.endsLoading() }
    func willAppear() { trace.endsLoading() }
    func didAppear() { trace.appeared() }
    func didDisappear() { trace.disappeared() }

    /// A push, or a presentation: its transition takes 300 ms.
    func push(over other: TestController?) {
        load(taking: 4)
        willAppear()
        endTurn()
        recorder.advance(by: 300)
        other?.didDisappear()
        didAppear()
    }

    /// The user pops it.
    func pop(to other: TestController) {
        other.willAppear()
        recorder.advance(by: 300)
        didDisappear()
        other.didAppear()
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The trace of a view controller` {
    private let recorder = ViewRecorder(.full)

    @Test func `has the tree, the times and the attributes of a SwiftUI view, except its type`() throws {
        let attributes: Attributes = ["demo.cart.items.count": 3]
        func record(_ type: AttributeValue, _ live: (ViewRecorder) -> Void) throws -> [String] {
            let recorder = ViewRecorder(.full)
            live(recorder)
            let spans = try recorder.spans
            let root = try #require(spans.last)
            #expect(root.attributes["view.type"] == type)
            return zip(try recorder.outline, spans).map { line, span in
                let isChild = span.parentSpanID == root.context.spanID
                let own = span.attributes.sortedByKey.filter { $0.key != "view.type" }.map { "\($0.key)=\($0.value)" }
                return "\(line) \(isChild) \(String(describing: span.kind)) \(own)"
            }
        }
        let swiftUI = try record("swiftui") { recorder in
            let view = recorder.view("Cart", attributes)
            view.evaluate(taking: 4, attributes)
            recorder.advance(by: 300)
            view.appear()
            recorder.advance(by: 10)
            view.disappear()
        }
        let uiKit = try record("uikit") { recorder in
            let description = ControllerDescription(name: "Cart", id: "id-Cart", attributes: attributes)
            let controller = TestController(description, recorder)
            controller.push(over: nil)
            recorder.advance(by: 10)
            controller.didDisappear()
        }
        #expect(uiKit == swiftUI)
        #expect(uiKit.count == 4)
    }

    @Test func `begins with the loading of its view, and again when it reappears`() throws {
        let (cart, order) = (TestController("Cart", recorder), TestController("Order", recorder))
        cart.push(over: nil)
        order.push(over: cart)
        #expect(recorder.screen == "Order")
        order.pop(to: cart)
        #expect(recorder.screen == "Cart")
        recorder.advance(by: 5)
        cart.didDisappear()
        #expect(
            try recorder.outline == [
                "Cart.body 0-4", "Cart.onAppear 304-304", "Order.body 304-308", "Cart.onDisappear 608-608",
                "Cart 0-608", "Order.onAppear 608-608", "Order.onDisappear 908-908", "Order 304-908",
                "Cart.onAppear 908-908", "Cart.onDisappear 913-913", "Cart 908-913",
            ])
        let counts = try recorder.spans.compactMap { $0.attributes["view.appear.count"] }
        #expect(counts == [1, 1, 2])
    }

    @Test func `has no appearance for an interactive pop that is cancelled`() throws {
        let (cart, order) = (TestController("Cart", recorder), TestController("Order", recorder))
        cart.push(over: nil)
        order.push(over: cart)
        let before = try recorder.outline
        cart.willAppear()
        recorder.advance(by: 150)
        // UIKit takes back what it announced: the one beneath disappears, and the one above appears once more.
        cart.didDisappear()
        order.willAppear()
        order.didAppear()
        #expect(try recorder.outline == before)
        #expect(recorder.screen == "Order")
        order.pop(to: cart)
        let order2 = try recorder.spans.filter { $0.name == "Order.onAppear" }
        #expect(order2.map { $0.attributes["view.appear.count"] } == [1])
        #expect(try recorder.outline.contains("Order 304-1058"))
        #expect(recorder.screen == "Cart")
    }

    @Test func `names the sheet while it is presented, and then the screen that never disappeared`() throws {
        let (cart, coupon) = (TestController("Cart", recorder), TestController("Coupon", recorder))
        cart.push(over: nil)
        coupon.push(over: nil)
        #expect(recorder.screen == "Coupon")
        coupon.didDisappear()
        #expect(recorder.screen == "Cart")
        #expect(try recorder.outline.last == "Coupon 304-608")
    }

    @Test func `does not exist for a container`() throws {
        let navigation = TestController(ControllerDescription(name: "Navigation", isContainer: true), recorder)
        navigation.push(over: nil)
        let cart = TestController("Cart", recorder)
        cart.push(over: nil)
        navigation.didDisappear()
        cart.didDisappear()
        #expect(try !recorder.outline.contains { $0.hasPrefix("Navigation") })
        #expect(recorder.tracer.traceCount == 1)
    }

    @Test func `is that of a part inside another controller, unless the app says that it is a screen`() throws {
        let map = TestController(ControllerDescription(name: "Map", isInsideContent: true), recorder)
        let page = TestController(ControllerDescription(name: "Page", role: .screen, isInsideContent: true), recorder)
        let cart = TestController("Cart", recorder)
        cart.push(over: nil)
        map.push(over: nil)
        #expect(recorder.screen == "Cart")
        page.push(over: nil)
        #expect(recorder.screen == "Page")
        for controller in [page, map, cart] { controller.didDisappear() }
        let roots = try recorder.spans.filter { $0.parentSpanID == .invalid }
        #expect(roots.map(\.name) == ["Page", "Map", "Cart"])
        #expect(roots.map { $0.attributes["app.screen.name"] } == ["Page", "Cart", "Cart"])
    }

    @Test func `measures the load of a view in advance, and not the wait until it appears`() throws {
        let tab = TestController("Tab", recorder)
        tab.load(taking: 7)
        tab.endTurn()
        recorder.advance(by: 10_000)
        recorder.tracer.enterBackground()
        recorder.tracer.leaveBackground()
        tab.willAppear()
        tab.didAppear()
        recorder.advance(by: 1)
        tab.didDisappear()
        #expect(
            try recorder.outline == [
                "Tab.body 0-7", "Tab 0-7", "Tab.onAppear 10007-10007", "Tab.onDisappear 10008-10008", "Tab 10007-10008",
            ])
    }

    @Test func `has no body if its view was loaded before tracing began`() throws {
        let late = TestController("Late", recorder)
        late.didAppear()
        recorder.advance(by: 2)
        late.didDisappear()
        #expect(try recorder.outline == ["Late.onAppear 0-0", "Late.onDisappear 2-2", "Late 0-2"])
    }

    @Test func `ends with the controller, and when the app enters the background`() throws {
        var gone: TestController? = TestController("Gone", recorder)
        gone?.push(over: nil)
        recorder.advance(by: 1)
        recorder.tracer.enterBackground()
        #expect(try recorder.outline.last == "Gone 0-305")
        recorder.tracer.leaveBackground()
        recorder.advance(by: 2)
        gone = nil
        #expect(try recorder.outline.last == "Gone 305-307")
        #expect(recorder.tracer.traceCount == 0)
        #expect(recorder.screen == nil)
    }

    @Test func `is an event for each appearance in the compact mode, and nothing when off`() throws {
        for (mode, names) in [(ViewTracingMode.compact, ["app.screen.time_to_first_appear 0-304"]), (.off, [])] {
            let recorder = ViewRecorder(mode)
            let cart = TestController("Cart", recorder)
            cart.push(over: nil)
            cart.didDisappear()
            cart.didAppear()
            #expect(try recorder.outline == names)
            #expect(try recorder.events.count == (mode == .compact ? 2 : 0))
        }
    }
}

@Suite struct `A control of a framework` {
    @Test(
        arguments: [
            ("pay", "pay-button", "pay"), (nil, "pay-button", "pay-button"), ("", "", "UIButton"),
            (nil, nil, "UIButton"),
        ] as [(String?, String?, String)])
    func `is named by the app, its accessibility identifier or its type`(id: String?, ax: String?, name: String) throws
    {
        let recorder = ViewRecorder(.full)
        recorder.tracer.recordTap(id, accessibilityIdentifier: ax, type: "UIButton")
        #expect(try recorder.events.map { $0.attributes["app.widget.id"] } == [.string(name)])
        #expect(recorder.activities.withLock { $0 } == 1)
    }
}
