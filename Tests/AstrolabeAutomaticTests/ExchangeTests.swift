import Astrolabe
import AstrolabeTesting
import AstrolabeViewTracing
import Testing

@testable import AstrolabeAutomatic

private let appears = ExchangeTarget.viewDidAppear

/// An app with `UIViewController`, a controller of its own, and automatic tracing.
@MainActor
private final class App {
    let base = SimulatedClass("UIViewController")
    let tracing = AutomaticTracing()
    let telemetry: Telemetry
    var exchanges: [ExchangeTarget] = []
    /// The classes of the recorded objects.
    var recorded: [String] = []
    /// The selectors that the original implementation was called with.
    var originals: [String] = []

    init(_ collector: TelemetryCollector, views: ViewTracingMode = .full) {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.viewTracing = views
        telemetry = collector.start(configuration)
        for target in ExchangeTarget.ofControllers {
            base.methods[target.selectorName] = { [unowned self] _, selector in originals.append(selector) }
        }
    }

    @discardableResult
    func start(_ options: AutomaticOptions = AutomaticOptions()) -> Bool {
        tracing.start(telemetry.views, options) { exchange($0) }
    }

    private func exchange(_ target: ExchangeTarget) -> Bool {
        exchanges.append(target)
        guard target.className == base.name, let original = base.methods[target.selectorName] else { return false }
        base.methods[target.selectorName] = { [unowned self] object, _ in
            if tracing.enter(target, ObjectIdentifier(object)) { recorded.append(object.type.name) }
            original(object, target.selectorName)
            tracing.leave(target, ObjectIdentifier(object))
        }
        return true
    }

    /// A subclass that overrides the method and calls `super` so many times.
    func override(_ name: String, callsSuper times: Int = 1) -> SimulatedClass {
        let type = SimulatedClass(name, base)
        type.methods[appears.selectorName] = { [unowned type] object, selector in
            for _ in 0..<times { object.sendSuper(selector, from: type) }
        }
        return type
    }

    func expect(_ names: [String], originals count: Int, _ location: SourceLocation = #_sourceLocation) {
        #expect(recorded == names, sourceLocation: location)
        #expect(originals == Array(repeating: appears.selectorName, count: count), sourceLocation: location)
    }
}

@MainActor
@Suite struct `An exchanged method` {
    private let collector = TelemetryCollector()

    @Test func `is one of six of public classes`() {
        let methods = ExchangeTarget.allCases.map { "\($0.className) \($0.selectorName)" }
        #expect(
            methods == [
                "UIViewController viewDidLoad", "UIViewController viewWillAppear:", "UIViewController viewDidAppear:",
                "UIViewController viewDidDisappear:", "UIControl sendAction:to:forEvent:", "UIControl sendAction:",
            ])
    }

    @Test func `records subclasses with and without an override, and calls the original once for each call`() {
        let app = App(collector)
        app.start()
        SimulatedObject(SimulatedClass("Plain", app.base)).send(appears.selectorName)
        SimulatedObject(app.override("Override")).send(appears.selectorName)
        SimulatedObject(SimulatedClass("Below", app.override("Override"))).send(appears.selectorName)
        app.expect(["Plain", "Override", "Below"], originals: 3)
        // A subclass that does not call super is not seen, and nothing else happens.
        SimulatedObject(app.override("Silent", callsSuper: 0)).send(appears.selectorName)
        app.expect(["Plain", "Override", "Below"], originals: 3)
    }

    @Test func `is exchanged once, however often tracing starts and stops`() {
        let app = App(collector)
        let object = SimulatedObject(SimulatedClass("Cart", app.base))
        #expect(app.start())
        #expect(app.start())
        app.tracing.stop()
        object.send(appears.selectorName)
        app.expect([], originals: 1)
        #expect(!app.tracing.isRecording)
        #expect(app.start())
        object.send(appears.selectorName)
        app.expect(["Cart"], originals: 2)
        #expect(app.exchanges == ExchangeTarget.allCases)
    }

    @Test func `stays as it was if the kill switch, the telemetry or view tracing is off`() {
        var off = AutomaticOptions()
        off.isEnabled = false
        var none = AutomaticOptions()
        none.tracesViewControllers = false
        none.tracesTaps = false
        let app = App(collector)
        #expect(!app.start(off))
        #expect(!app.start(none))
        #expect(app.exchanges.isEmpty)
        let views = App(collector, views: .off)
        #expect(!views.start())
        #expect(views.exchanges.isEmpty)
        #expect(!AutomaticTracing().start(Telemetry.disabled.views, AutomaticOptions()) { _ in true })
    }

    @Test func `records what a later start asks for, and no longer what it does not`() {
        let app = App(collector)
        app.start()
        var taps = AutomaticOptions()
        taps.tracesViewControllers = false
        app.start(taps)
        SimulatedObject(SimulatedClass("Cart", app.base)).send(appears.selectorName)
        app.expect([], originals: 1)
    }

    @Test func `is left alone if the class inherits it, and not tried again`() {
        let app = App(collector)
        // UIControl is not there, as in a system that has moved the method into a class cluster.
        app.start()
        app.start()
        #expect(app.exchanges.filter { $0 == .sendAction }.count == 1)
        #expect(app.tracing.enter(.sendAction, ObjectIdentifier(app)) == false)
    }

    @Test func `works above and below another library that exchanges it too, and keeps its selector`() {
        for isFirst in [true, false] {
            let app = App(collector)
            var seen = 0
            app.base.methods["peer_viewDidAppear:"] = { object, _ in
                seen += 1
                object.send("peer_viewDidAppear:")
            }
            if isFirst { app.base.exchange(appears.selectorName, with: "peer_viewDidAppear:") }
            app.start()
            if !isFirst { app.base.exchange(appears.selectorName, with: "peer_viewDidAppear:") }
            SimulatedObject(app.override("Cart")).send(appears.selectorName)
            #expect(seen == 1)
            #expect(app.recorded == ["Cart"])
            #expect(app.originals.count == 1)
        }
    }

    @Test func `records once if another library sends the message again from inside`() {
        let app = App(collector)
        var isInside = false
        let original = app.base.methods[appears.selectorName]
        app.base.methods[appears.selectorName] = { object, selector in
            if isInside {
                original?(object, selector)
            } else {
                isInside = true
                object.send(selector)
                isInside = false
            }
        }
        app.start()
        SimulatedObject(SimulatedClass("Cart", app.base)).send(appears.selectorName)
        app.expect(["Cart"], originals: 1)
    }

    @Test func `records two objects inside one another`() {
        let app = App(collector)
        let child = SimulatedObject(SimulatedClass("Child", app.base))
        let parent = SimulatedClass("Parent", app.base)
        parent.methods[appears.selectorName] = { [unowned parent] object, selector in
            object.sendSuper(selector, from: parent)
            child.send(selector)
        }
        app.start()
        SimulatedObject(parent).send(appears.selectorName)
        app.expect(["Parent", "Child"], originals: 2)
    }

    @Test func `may be put back by another library, after which nothing is recorded`() {
        let app = App(collector)
        let before = app.base.methods[appears.selectorName]
        app.start()
        app.base.methods[appears.selectorName] = before
        SimulatedObject(SimulatedClass("Cart", app.base)).send(appears.selectorName)
        app.expect([], originals: 1)
    }

    @Test func `is not there on this platform`() async {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let hasUIKit = AutomaticInstrumentation.start(telemetry)
        #expect(hasUIKit == AutomaticInstrumentation.isRunning)
        #if os(Linux)
        #expect(!hasUIKit)
        #endif
        AutomaticInstrumentation.stop()
        #expect(!AutomaticInstrumentation.isRunning)
    }
}

@Suite struct `Calls of one method` {
    @Test func `are reported once for an object until the outermost returns`() {
        var calls = ActiveCalls()
        let (one, other) = (ObjectIdentifier(TestObject.one), ObjectIdentifier(TestObject.other))
        var reported = [
            calls.enter(.viewDidAppear, one), calls.enter(.viewDidAppear, one), calls.enter(.viewDidLoad, one),
            calls.enter(.viewDidAppear, other),
        ]
        #expect(reported == [true, false, true, true])
        calls.leave(.viewDidAppear, one)
        reported = [calls.enter(.viewDidAppear, one)]
        #expect(reported == [false])
        for _ in 0..<2 { calls.leave(.viewDidAppear, one) }
        reported = [calls.enter(.viewDidAppear, one)]
        #expect(reported == [true])
        for target in [ExchangeTarget.viewDidAppear, .viewDidLoad, .sendAction] { calls.leave(target, one) }
        calls.leave(.viewDidAppear, other)
        #expect(calls.isEmpty)
    }
}

@Suite struct `An action of a control` {
    @Test func `is a tap once for a touch that ended, whatever the number of its targets`() {
        var filter = TapFilter()
        let (pay, cancel) = (ObjectIdentifier(TestObject.one), ObjectIdentifier(TestObject.other))
        let taps = [
            filter.isTap(pay, isEndOfTouch: true, time: 1), filter.isTap(pay, isEndOfTouch: true, time: 1),
            filter.isTap(pay, isEndOfTouch: true, time: 2), filter.isTap(cancel, isEndOfTouch: true, time: 2),
            filter.isTap(cancel, isEndOfTouch: false, time: 3),
        ]
        #expect(taps == [true, false, true, true, false])
    }

    @Test func `without an event belongs to the tap of this turn, before and after the targets of the control`() {
        var filter = TapFilter()
        let pay = ObjectIdentifier(TestObject.one)
        var taps = [
            filter.isTap(pay, isEndOfTouch: true, time: nil), filter.isTap(pay, isEndOfTouch: true, time: nil),
            filter.isTap(pay, isEndOfTouch: true, time: 1),
        ]
        #expect(taps == [true, false, false])
        filter.endTurn()
        taps = [
            filter.isTap(pay, isEndOfTouch: true, time: 2), filter.isTap(pay, isEndOfTouch: true, time: nil),
            filter.isTap(ObjectIdentifier(TestObject.other), isEndOfTouch: true, time: nil),
        ]
        #expect(taps == [true, false, true])
        filter.endTurn()
        taps = [filter.isTap(pay, isEndOfTouch: true, time: nil)]
        #expect(taps == [true])
    }

    @Test func `without an event is a tap by the events that it was added for`() {
        let (down, drag, up, value, primary): (UInt, UInt, UInt, UInt, UInt) = (1, 4, 64, 4_096, 8_192)
        #expect([up, primary, up | primary].allSatisfy { TapFilter.isEndOfTouch(events: $0, isTracking: false) })
        #expect(TapFilter.isEndOfTouch(events: value, isTracking: false))
        #expect(!TapFilter.isEndOfTouch(events: value, isTracking: true))
        let others = [0, down, drag, up | down, value | drag, 0xFFF, 1 << 16]
        #expect(others.allSatisfy { !TapFilter.isEndOfTouch(events: $0, isTracking: false) })
    }

    @Test func `of a disappearance begins no trace, because the controller may be going away`() {
        #expect(ExchangeTarget.ofControllers.filter { !$0.mayBeginTrace } == [.viewDidDisappear])
    }

    @MainActor @Test func `of the next turn is another tap`() async {
        let tracing = AutomaticTracing()
        let pay = ObjectIdentifier(TestObject.one)
        #expect(tracing.isTap(pay, isEndOfTouch: true, time: nil))
        #expect(!tracing.isTap(pay, isEndOfTouch: true, time: nil))
        await Task {}.value
        #expect(tracing.isTap(pay, isEndOfTouch: true, time: nil))
    }
}

@Suite struct `Controllers that are recorded` {
    private func records(
        _ runtimeName: String, _ typeName: String, isOfApp: Bool, _ change: (inout AutomaticOptions) -> Void = { _ in },
    ) -> Bool {
        var options = AutomaticOptions()
        change(&options)
        let type = ControllerFilter.ControllerClass(runtimeName: runtimeName, typeName: typeName, isOfApp: isOfApp)
        return ControllerFilter(options).records(type)
    }

    @Test func `are the app's own, and not the system's or SwiftUI's`() {
        #expect(records("MyApp.CartViewController", "CartViewController", isOfApp: true))
        #expect(records("OldViewController", "OldViewController", isOfApp: true))
        #expect(records("_TtGC5MyApp4ListV5MyApp5Order_", "List<Order>", isOfApp: true))
        #expect(!records("UIAlertController", "UIAlertController", isOfApp: false))
        #expect(!records("_TtGC7SwiftUI19UIHostingControllerV_", "UIHostingController<Home>", isOfApp: true))
    }

    @Test(arguments: [
        "MyApp.CartViewController", "CartViewController", "MyApp.*", "Cart*", "*", "**", "*Controller", "*Cart*",
        "My*.Cart*Controller", "C*t*r",
    ])
    func `can be named, and left out by name`(name: String) {
        let both = ("MyApp.CartViewController", "CartViewController")
        #expect(records(both.0, both.1, isOfApp: false) { $0.includedControllers = [name] })
        #expect(!records(both.0, both.1, isOfApp: true) { $0.excludedControllers = [name] })
        #expect(
            !records(both.0, both.1, isOfApp: true) {
                $0.includedControllers = [name]
                $0.excludedControllers = [name]
            })
    }

    @Test(arguments: [
        "MyShop.*", "List*", "Cart", "Controller", "*Controll", "MyApp.CartViewController*s", "*List*",
        "Cart*tViewController", "*Controller*Controller",
    ])
    func `are not named by parts of a name without a star, nor by another name`(name: String) {
        #expect(
            records("MyApp.CartViewController", "CartViewController", isOfApp: true) {
                $0.excludedControllers = [name]
            })
    }
}

@Suite struct `The keys of a PIN pad` {
    private let pad = ControllerFilter.ControllerClass(
        runtimeName: "Bank.PinViewController", typeName: "PinViewController", isOfApp: true)

    private func recorded(
        _ change: (inout AutomaticOptions) -> Void = { _ in }, key: (inout ControlFilter.Control) -> Void = { _ in },
    ) -> [String] {
        var options = AutomaticOptions()
        change(&options)
        let filter = ControlFilter(options)
        let keys = (0...9).map { digit in
            var control = ControlFilter.Control(accessibilityIdentifier: "digit-\(digit)", controllers: [pad])
            key(&control)
            return control
        }
        let others = ["digit", "help"].map { ControlFilter.Control(accessibilityIdentifier: $0) }
        return (keys + others + [ControlFilter.Control()]).filter(filter.records).map {
            $0.accessibilityIdentifier ?? "none"
        }
    }

    @Test func `can be left out by identifier, by controller and by a view around them, and secure fields always are`()
    {
        #expect(recorded().count == 13)
        let rest = ["digit", "help", "none"]
        #expect(recorded { $0.excludedControls = ["digit-*"] } == rest)
        #expect(recorded { $0.excludedControls = Set((0...9).map { "digit-\($0)" }) } == rest)
        #expect(recorded { $0.excludedControllers = ["Pin*"] } == rest)
        #expect(recorded { $0.excludedControllers = ["PinViewController"] } == rest)
        #expect(recorded { $0.excludedControllers = ["Bank.PinViewController"] } == rest)
        #expect(recorded(key: { $0.isExcluded = true }) == rest)
        #expect(recorded(key: { $0.isSecure = true }) == rest)
        #expect(recorded { $0.excludedControls = ["help"] }.count == 12)
        #expect(recorded { $0.excludedControls = ["*git-*"] } == rest)
        #expect(recorded { $0.excludedControllers = ["*PinView*"] } == rest)
    }
}

private final class TestObject: Sendable {
    static let one = TestObject()
    static let other = TestObject()
}
