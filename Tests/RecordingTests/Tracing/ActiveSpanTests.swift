import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

extension ProcessWideState {
    @Suite struct ActiveSpanTests {
        let recorder = Recorder()

        private var currentID: SpanID { TelemetryContext.current.span?.context.spanID ?? .invalid }

        private func activeSpan(_ name: String) -> Tracer.Span {
            recorder.tracer.spanBuilder(name).setActive(true).startSpan()
        }

        @Test func `an active span is the parent of what its task starts after it, until it ends`() throws {
            let span = activeSpan("active")
            #expect(currentID == span.context.spanID)
            recorder.tracer.spanBuilder("child").startSpan().end()
            span.end()
            #expect(currentID == .invalid)
            recorder.tracer.spanBuilder("after").startSpan().end()

            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["child", "active", "after"])
            #expect(spans[0].parentSpanID == span.context.spanID)
            #expect(spans[2].parentSpanID == .invalid)
        }

        @Test func `active spans nest`() throws {
            let outer = activeSpan("outer")
            let inner = activeSpan("inner")
            #expect(currentID == inner.context.spanID)
            inner.end()
            #expect(currentID == outer.context.spanID)
            outer.end()
            #expect(currentID == .invalid)
            #expect(try recorder.spans.first?.parentSpanID == outer.context.spanID)
        }

        @Test func `spans that end out of order leave the right one current`() {
            let first = activeSpan("first")
            let second = activeSpan("second")
            let third = activeSpan("third")
            second.end()
            #expect(currentID == third.context.spanID)
            third.end()
            #expect(currentID == first.context.spanID)
            first.end()
            #expect(currentID == .invalid)
        }

        @Test func `a span that is released without an end is forgotten`() {
            do {
                let span = activeSpan("forgotten")
                #expect(currentID == span.context.spanID)
            }
            #expect(currentID == .invalid)
            activeSpan("next").end()
            #expect(!ActiveSpans.areInUse)
        }

        @Test func `a span that is not recorded is a parent all the same, so that traces stay whole`() throws {
            let recorder = Recorder(sampler: ParentBasedSampler(root: AlwaysOffSampler()))
            let span = recorder.tracer.spanBuilder("unsampled").setActive(true).startSpan()
            #expect(!span.isRecording && span.context.isValid)
            let child = recorder.tracer.spanBuilder("child").startSpan()
            #expect(child.context.traceID == span.context.traceID)
            span.setAttribute("key", "value")
            span.end()
            #expect(currentID == .invalid)
            #expect(!ActiveSpans.areInUse)
            #expect(try recorder.spans.isEmpty)
        }

        @Test func `it holds over suspension and a change of thread`() async {
            let span = activeSpan("active")
            for _ in 0..<20 {
                await Task.yield()
                #expect(currentID == span.context.spanID)
            }
            span.end()
        }

        @Test func `tasks do not see one another's active spans`() async throws {
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<30 {
                    group.addTask {
                        let span = activeSpan("task \(index)")
                        await Task.yield()
                        #expect(currentID == span.context.spanID)
                        recorder.tracer.spanBuilder("child \(index)").startSpan().end()
                        await Task.yield()
                        span.end()
                        #expect(currentID == .invalid)
                    }
                }
            }
            let spans = try recorder.spans
            let byName = Dictionary(uniqueKeysWithValues: spans.map { ($0.name, $0) })
            for index in 0..<30 {
                #expect(byName["child \(index)"]?.parentSpanID == byName["task \(index)"]?.context.spanID)
            }
            #expect(!ActiveSpans.areInUse)
        }

        @Test func `a task that is started meanwhile does not inherit it`() async {
            let span = activeSpan("active")
            #expect(await Task { currentID }.value == .invalid)
            span.end()
        }

        @Test func `threads without a task have active spans of their own`() throws {
            onThreads(4) { thread in
                for index in 0..<100 {
                    let span = activeSpan("\(thread).\(index)")
                    #expect(currentID == span.context.spanID)
                    recorder.tracer.spanBuilder("child \(thread).\(index)").startSpan().end()
                    span.end()
                    #expect(currentID == .invalid)
                }
            }
            #expect(!ActiveSpans.areInUse)
            let spans = try recorder.spans
            let byID = Dictionary(uniqueKeysWithValues: spans.map { ($0.context.spanID, $0.name) })
            for child in spans where child.name.hasPrefix("child ") {
                #expect(byID[child.parentSpanID] == String(child.name.dropFirst(6)))
            }
        }

        @Test func `withSpan inside wins there, and its parent is the active span`() throws {
            let active = activeSpan("active")
            recorder.tracer.withSpan("scope") { scope in
                #expect(currentID == scope.context.spanID)
                let inner = activeSpan("inner")
                #expect(currentID == inner.context.spanID)
                inner.end()
                #expect(currentID == scope.context.spanID)
            }
            #expect(currentID == active.context.spanID)
            active.end()
            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["inner", "scope", "active"])
            #expect(spans[1].parentSpanID == active.context.spanID)
            #expect(spans[0].parentSpanID == spans[1].context.spanID)
        }

        @Test func `one that outlives the scope it began in does not leak out of it`() {
            let leaked = recorder.tracer.withSpan("scope") { _ in activeSpan("leaked") }
            #expect(currentID == .invalid)
            recorder.tracer.withSpan("other scope") { scope in
                #expect(currentID == scope.context.spanID)
            }
            leaked.end()
            #expect(!ActiveSpans.areInUse)
        }

        @Test func `it may end on another thread`() {
            let span = activeSpan("active")
            onThreads(1) { _ in span.end() }
            #expect(currentID == .invalid)
            #expect(!ActiveSpans.areInUse)
        }
    }
}
