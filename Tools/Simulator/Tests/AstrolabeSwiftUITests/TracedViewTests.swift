#if os(Linux)
import Astrolabe
import AstrolabeSwiftUI
import AstrolabeTesting
import Combine
import ViewTree
import SwiftUI
import AstrolabeTelemetryModel
import Testing

/// An app with the SDK's real path of records, whose views are on a host.
@MainActor
private final class Screen {
    let collector = TelemetryCollector()
    let device = SimulatedDevice()
    let telemetry: Telemetry
    let host: ViewHost

    init<Content: View>(_ mode: ViewTracingMode = .full, @ViewBuilder _ content: () -> Content) {
        var configuration = TelemetryConfiguration(serviceName: "views")
        configuration.viewTracing = mode
        configuration.conditions = device
        telemetry = collector.start(configuration)
        host = ViewHost(content().environment(\.viewTracer, telemetry.views))
    }

    /// The trees of all that has ended: a line for each span, indented, by their start.
    func trees() async -> String {
        await telemetry.flush()
        return collector.traces.map(\.description).joined(separator: "\n")
    }

    func taps() async -> [Collected<LogRecordData>] {
        await telemetry.flush()
        return collector.events(named: "app.widget.click")
    }

    /// The screen that a record of the app's own would be on.
    var screen: String? {
        get async {
            telemetry.logger("test").emit("probe")
            await telemetry.flush()
            return collector.events(named: "probe").last?.attributes["app.screen.name"]?.stringValue
        }
    }

    func back() {
        if let page = host.tree.root.all({ $0.actions.contains(.back) }).last {
            host.send(ViewEvent(node: page.id, action: .back))
        }
    }
}

@MainActor
private final class Counter: ObservableObject {
    @Published var count = 0
    @Published var isShown = true
}

private struct CounterView: View {
    @ObservedObject var counter: Counter

    var body: some View {
        if counter.isShown {
            TracedView("Counter", attributes: ["demo.kind": "test"]) {
                Button("Count: \(counter.count)") { counter.count += 1 }.accessibilityIdentifier("count")
            }
        }
    }
}

@MainActor
@Suite struct `A traced view` {
    @Test func `has the seed's tree when it has gone`() async throws {
        let counter = Counter()
        let screen = Screen { CounterView(counter: counter) }
        screen.host.tap("count")
        #expect(screen.host.tree.contains(text: "Count: 1"))
        #expect(await screen.trees().contains("Counter.body"))
        #expect(screen.collector.spans(named: "Counter").isEmpty)
        counter.isShown = false
        screen.host.update()
        #expect(
            await screen.trees() == """
                Counter
                  Counter.body
                  Counter.onAppear
                  Counter.body
                  Counter.onDisappear
                """)
        let root = try #require(screen.collector.spans(named: "Counter").first)
        #expect(root.attributes["demo.kind"] == "test")
        #expect(root.attributes["view.type"] == "swiftui")
        #expect(screen.collector.spans(named: "Counter.body").map { $0.attributes["view.body.evaluation"] } == [1, 2])
        #expect(screen.host.issues.isEmpty)
    }

    @Test func `is evaluated no oftener than one that is not traced`() {
        let (traced, plain) = (Counter(), Counter())
        let screen = Screen { CounterView(counter: traced) }
        let other = Screen(.off) { CounterView(counter: plain) }
        for _ in 1...5 {
            screen.host.tap("count")
            other.host.tap("count")
        }
        #expect(screen.host.evaluations["CounterView"] == other.host.evaluations["CounterView"])
    }

    @Test func `is let go of with its place, and leaves nothing open when the window closes`() async {
        let counter = Counter()
        let screen = Screen { CounterView(counter: counter) }
        for _ in 1...3 {
            counter.isShown = true
            screen.host.update()
            #expect(screen.telemetry.views.traceCount == 1)
            counter.isShown = false
            screen.host.update()
            #expect(screen.telemetry.views.traceCount == 0)
        }
        counter.isShown = true
        screen.host.update()
        screen.host.close()
        #expect(await screen.trees().components(separatedBy: "onDisappear").count == 5)
        #expect(await screen.screen == nil)
    }

    @Test func `keeps its trace while its values change, and has another with another identity`() async {
        struct Detail: View {
            @State private var product = 1
            var body: some View {
                Button("Next") { product += 1 }.accessibilityIdentifier("next")
                Text("\(product)").traced("Product", attributes: ["demo.product": AttributeValue(product)])
                    .id(product / 2)
            }
        }
        let screen = Screen { Detail() }
        screen.host.tap("next")
        screen.host.tap("next")
        screen.host.close()
        #expect(
            await screen.trees() == """
                Product
                  Product.body
                  Product.onAppear
                  Product.onDisappear
                Product
                  Product.body
                  Product.onAppear
                  Product.body
                  Product.onDisappear
                """)
        let products = screen.collector.spans(named: "Product").map { $0.attributes["demo.product"] }
        #expect(products == [1, 3])
    }

    @Test func `is off with the SDK, by configuration and for parts in the compact form`() async {
        let counter = Counter()
        let off = Screen(.off) { CounterView(counter: counter) }
        let disabled = ViewHost(CounterView(counter: counter).environment(\.viewTracer, Telemetry.disabled.views))
        let compact = Screen(.compact) {
            VStack { Text("row").traced("Row", as: .part) }.traced("List")
        }
        for host in [off.host, disabled, compact.host] {
            host.tap("count")
            host.close()
        }
        #expect(await off.trees().isEmpty)
        #expect(await compact.trees() == "app.screen.time_to_first_appear")
        let seen = compact.collector.events(named: "app.screen.view_did_appear")
        #expect(seen.map { $0.attributes["app.screen.name"] } == ["List"])
    }

    @Test func `ends in the background before the flush, and goes on in front`() async {
        let counter = Counter()
        let screen = Screen { CounterView(counter: counter) }
        screen.device.enterBackground()
        #expect(await screen.trees() == "Counter\n  Counter.body\n  Counter.onAppear")
        screen.device.enterForeground()
        screen.host.close()
        #expect(await screen.trees().hasSuffix("Counter\n  Counter.onDisappear"))
    }
}

private struct Pages: View {
    @State private var isSheetUp = false

    var body: some View {
        NavigationStack {
            VStack {
                NavigationLink("Open") { Text("product").traced("Product") }.accessibilityIdentifier("open")
                Button("Present") { isSheetUp = true }.accessibilityIdentifier("present")
            }
            .traced("List")
        }
        .sheet(isPresented: $isSheetUp) {
            Button("Leave") { isSheetUp = false }.accessibilityIdentifier("leave").traced("Sheet")
        }
    }
}

@MainActor
@Suite struct `The screen that records name` {
    @Test func `is the page, and after going back the one before`() async {
        let screen = Screen { Pages() }
        #expect(await screen.screen == "List")
        screen.host.tap("open")
        #expect(await screen.screen == "Product")
        screen.back()
        #expect(await screen.screen == "List")
        let appearances = screen.collector.spans(named: "List.onAppear").map { $0.attributes["view.appear.count"] }
        #expect(appearances == [1, 2])
    }

    @Test func `is the sheet, and after it is dismissed what lay beneath`() async {
        let screen = Screen { Pages() }
        screen.host.tap("present")
        #expect(await screen.screen == "Sheet")
        screen.host.tap("leave")
        #expect(await screen.screen == "List")
        let spans = screen.collector.spans(named: "Sheet.onDisappear")
        #expect(spans.first?.attributes["app.screen.name"] == "Sheet")
        #expect(screen.collector.spans(named: "List.onDisappear").isEmpty)
    }
}

@MainActor
@Suite struct `A traced control` {
    private struct Controls: View {
        @State private var isAsking = false
        @State private var count = 0

        var body: some View {
            NavigationStack {
                VStack {
                    Text("count \(count)")
                    NavigationLink("Open") { Text("opened") }.tracedTap("open", name: "Open")
                    Button("Disabled") { count += 1 }.tracedTap("disabled").disabled(true)
                    Button("Ask") { isAsking = true }.tracedTap("ask")
                    Button("Plain") { count += 1 }.accessibilityIdentifier("plain")
                    Text("words").tracedTap("words")
                }
                .alert("Sure?", isPresented: $isAsking) {
                    TracedButton("Yes", id: "yes", role: .destructive) { count += 10 }
                }
                .traced("Controls")
            }
        }
    }

    @Test func `tells of each tap, and works as it does without`() async {
        let screen = Screen { Controls() }
        for id in ["ask", "yes", "disabled", "plain", "words"] { screen.host.tap(id) }
        #expect(screen.host.tree.contains(text: "count 11"))
        screen.host.tap("open")
        let taps = await screen.taps()
        #expect(taps.map { $0.attributes["app.widget.id"] } == ["ask", "yes", "words", "open"])
        #expect(taps.map { $0.attributes["app.screen.name"] } == Array(repeating: "Controls", count: 4))
        #expect(taps.last?.attributes["app.widget.name"] == "Open")
        #expect(screen.host.tree.contains(text: "opened"))
    }

    @Test func `keeps its identifier and its action where view tracing is off`() async {
        let screen = Screen(.off) { Controls() }
        screen.host.tap("words")
        screen.host.tap("open")
        #expect(screen.host.tree.contains(text: "opened"))
        #expect(await screen.taps().isEmpty)
    }
}
#endif
