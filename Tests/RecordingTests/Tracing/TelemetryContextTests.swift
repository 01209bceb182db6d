import AstrolabeTelemetryModel
import Dispatch
import Testing

@testable import AstrolabeRecording

@Suite struct TelemetryContextTests {
    let recorder = Recorder()

    private var currentID: SpanID { TelemetryContext.current.span?.context.spanID ?? .invalid }

    @Test func `there is no span and no baggage at first`() {
        #expect(TelemetryContext.current.span == nil)
        #expect(TelemetryContext.current.baggage.isEmpty)
    }

    @Test func `spans nest, and come back where a scope ends`() throws {
        recorder.tracer.withSpan("outer") { outer in
            #expect(currentID == outer.context.spanID)
            recorder.tracer.withSpan("inner") { inner in
                #expect(currentID == inner.context.spanID)
            }
            #expect(currentID == outer.context.spanID)
            recorder.tracer.spanBuilder("sibling").startSpan().end()
            #expect(currentID == outer.context.spanID)
        }
        #expect(TelemetryContext.current.span == nil)

        let spans = try recorder.spans
        try #require(spans.map(\.name) == ["inner", "sibling", "outer"])
        #expect(spans[0].parentSpanID == spans[2].context.spanID)
        #expect(spans[1].parentSpanID == spans[2].context.spanID)
    }

    @Test func `a span that is started without a closure is a child, and not the current one`() throws {
        recorder.tracer.withSpan("outer") { outer in
            let span = recorder.tracer.startSpan("child", kind: .client, attributes: ["demo.tries": 2])
            #expect(currentID == outer.context.spanID)
            span.end()
        }
        let spans = try recorder.spans
        try #require(spans.map(\.name) == ["child", "outer"])
        #expect(spans[0].kind == .client && spans[0].attributes == ["demo.tries": 2])
        #expect(spans[0].parentSpanID == spans[1].context.spanID)
        #expect(!Tracer.disabled.startSpan("nothing", attributes: ["demo.tries": 2]).isRecording)
    }

    @Test func `the context survives suspension and a change of thread`() async {
        await recorder.tracer.withSpan("outer") { outer in
            for _ in 0..<20 {
                await Task.yield()
                #expect(currentID == outer.context.spanID)
            }
        }
    }

    @Test func `async let, groups and tasks inherit the span; detached tasks do not`() async {
        await recorder.tracer.withSpan("outer") { outer in
            let expected = outer.context.spanID
            async let child = currentID
            #expect(await child == expected)
            await withTaskGroup(of: SpanID.self) { group in
                for _ in 0..<10 { group.addTask { currentID } }
                for await id in group { #expect(id == expected) }
            }
            #expect(await Task { currentID }.value == expected)
            #expect(await Task.detached { currentID }.value == .invalid)
        }
    }

    @Test func `children of a group have the group's span as parent, each its own scope`() async throws {
        await recorder.tracer.withSpan("group") { _ in
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        await recorder.tracer.withSpan("child \(index)") { child in
                            await Task.yield()
                            #expect(currentID == child.context.spanID)
                            recorder.tracer.withSpan("grandchild \(index)") { _ in }
                        }
                    }
                }
            }
        }
        let spans = try recorder.spans
        let byName = Dictionary(uniqueKeysWithValues: spans.map { ($0.name, $0) })
        for index in 0..<20 {
            #expect(byName["child \(index)"]?.parentSpanID == byName["group"]?.context.spanID)
            #expect(byName["grandchild \(index)"]?.parentSpanID == byName["child \(index)"]?.context.spanID)
        }
    }

    private actor Cart {
        private let tracer: Tracer
        private(set) var ids: [SpanID] = []

        init(tracer: Tracer) {
            self.tracer = tracer
        }

        func add() async -> SpanID {
            await tracer.withSpan("add") { span in
                ids.append(span.context.spanID)
                await Task.yield()
                return TelemetryContext.current.span?.context.spanID ?? .invalid
            }
        }

        func count() -> Int {
            // Without a suspension: the actor keeps the floor inside a synchronous scope.
            tracer.withSpan("count") { _ in ids.count }
        }
    }

    @Test func `the methods of an actor take part, on the actor`() async throws {
        let cart = Cart(tracer: recorder.tracer)
        let outer = await recorder.tracer.withSpan("outer") { outer in
            #expect(await cart.add() != outer.context.spanID)
            #expect(await cart.count() == 1)
            return outer.context.spanID
        }
        #expect(try recorder.spans.map(\.name) == ["add", "count", "outer"])
        #expect(try recorder.spans.prefix(2).allSatisfy { $0.parentSpanID == outer })
    }

    @Test @MainActor func `a scope on the main actor stays there`() async {
        let result = await recorder.tracer.withSpan("main") { span in
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            return span.context.spanID
        }
        #expect(result.isValid)
    }

    @Test func `a callback on a queue starts without context, and can be given one`() async {
        await recorder.tracer.withSpan("outer") { outer in
            let context = TelemetryContext.current
            let seen = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let without = currentID
                    let with = context.withValue { currentID }
                    continuation.resume(returning: (without, with))
                }
            }
            #expect(seen.0 == .invalid)
            #expect(seen.1 == outer.context.spanID)
        }
    }

    @Test func `baggage travels along, and a span inside keeps it`() async {
        var baggage = Baggage()
        baggage["session.id"] = "s-1"
        await TelemetryContext.withBaggage(baggage) {
            await recorder.tracer.withSpan("outer") { outer in
                await Task.yield()
                #expect(TelemetryContext.current.baggage["session.id"] == "s-1")
                TelemetryContext.withBaggage(Baggage()) {
                    #expect(TelemetryContext.current.baggage.isEmpty)
                    #expect(currentID == outer.context.spanID)
                }
            }
        }
        #expect(TelemetryContext.current.baggage.isEmpty)
    }

    @Test func `a remote context is the parent of what starts inside it`() throws {
        let remote = SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: [.sampled], isRemote: true)
        TelemetryContext(span: .nonRecording(remote)).withValue {
            recorder.tracer.withSpan("server", kind: .server) { _ in }
        }
        #expect(try recorder.span.parentSpanID == remote.spanID)
        #expect(try recorder.span.context.traceID == remote.traceID)
    }
}
