import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Testing

@testable import AstrolabeViewTracing

@Suite(.timeLimit(.minutes(5))) struct `The trace of a view` {
    @Test func `matches the seed's tree from creation to release`() throws {
        let recorder = ViewRecorder(.full)
        let view = recorder.view("Cart", ["demo.cart.items.count": 3])
        recorder.advance(by: 1)
        view.evaluate(taking: 4, ["demo.cart.items.count": 3])
        view.appear()
        recorder.advance(by: 10)
        view.evaluate(taking: 2, ["demo.cart.items.count": 3])
        recorder.advance(by: 3)
        view.disappear()
        #expect(
            try recorder.outline == [
                "Cart.body 1-5", "Cart.onAppear 5-5", "Cart.body 15-17", "Cart.onDisappear 20-20", "Cart 0-20",
            ])
        let spans = try recorder.spans
        let root = try #require(spans.last)
        let screen: Attributes = ["app.screen.name": "Cart", "app.screen.id": "id-Cart"]
        let wanted: [Attributes] = [
            ["view.lifecycle": "body", "view.body.evaluation": 1],
            ["view.lifecycle": "onAppear", "view.appear.count": 1],
            ["view.lifecycle": "body", "view.body.evaluation": 2],
            ["view.lifecycle": "onDisappear", "view.disappear.count": 1],
            ["view.name": "Cart", "view.type": "swiftui", "demo.cart.items.count": 3],
        ]
        for (span, attributes) in zip(spans, wanted) {
            #expect(span.attributes.sortedByKey == attributes.merging(screen).sortedByKey, "\(span.name)")
            #expect(span.kind == .client)
            #expect(span.context.traceID == root.context.traceID)
            #expect(span.parentSpanID == (span.name == "Cart" ? .invalid : root.context.spanID))
        }
    }

    @Test func `can be asked by a processor of the app that gets one of its spans`() throws {
        let processor = AskingProcessor()
        let core = RecordingCore(
            sink: MemorySink(), sampler: AlwaysOnSampler(), processors: RecordProcessors(span: [processor]))
        let scope = InstrumentationScope(name: "views")
        let tracer = ViewTracer(
            mode: .full, tracer: Tracer(core: core, scope: scope), events: EventLogger(core: core, scope: scope),
            hooks: ViewTracer.Hooks(now: { core.clock.now }))
        let trace = tracer.trace(ViewIdentity("Cart", id: "cart", role: .screen), attributes: [:])
        processor.trace.withLock { $0 = trace }
        trace.evaluate([:]) {}
        #expect(processor.answers.withLock { $0 } == [true])
        processor.trace.withLock { $0 = nil }
    }

    @Test func `restarts when the view returns, and keeps counting`() throws {
        let recorder = ViewRecorder(.full)
        let view = recorder.view("Cart")
        view.evaluate()
        view.appear()
        view.disappear()
        recorder.advance(by: 50)
        view.appear()
        recorder.advance(by: 5)
        view.evaluate()
        view.disappear()
        let second = try recorder.spans.suffix(4)
        #expect(
            try recorder.outline.suffix(4) == [
                "Cart.onAppear 50-50", "Cart.body 55-55", "Cart.onDisappear 55-55", "Cart 50-55",
            ])
        #expect(second.first?.attributes["view.appear.count"] == 2)
        #expect(second.dropFirst().first?.attributes["view.body.evaluation"] == 2)
        #expect(second.dropLast().last?.attributes["view.disappear.count"] == 2)
        #expect(Set(try recorder.spans.map(\.context.traceID)).count == 2)
    }

    @Test func `has no active span as its parent`() throws {
        let recorder = ViewRecorder(.full)
        recorder.tracer.tracer.withSpan("tap") { _ in
            let view = recorder.view("Cart")
            view.evaluate()
            view.appear()
            view.disappear()
        }
        let spans = try recorder.spans
        #expect(try #require(spans.first { $0.name == "Cart" }).parentSpanID == .invalid)
        #expect(Set(spans.map(\.context.traceID)).count == 2)
    }

    @Test func `ends with its last body if the view never appears`() async throws {
        let recorder = ViewRecorder(.full)
        let view = recorder.view("Preview")
        view.evaluate(taking: 4)
        #expect(try recorder.outline == ["Preview.body 0-4"])
        await recorder.passTimeout()
        try await eventually("the view's span has ended") { try recorder.spans.count == 2 }
        #expect(try recorder.outline == ["Preview.body 0-4", "Preview 0-4"])
        #expect(await !recorder.isWatching)
        view.evaluate(taking: 1)
        await recorder.passTimeout()
        try await eventually("the view's second span has ended") { try recorder.spans.count == 4 }
        #expect(try recorder.outline.suffix(2) == ["Preview.body 10004-10005", "Preview 10004-10005"])
    }

    @Test func `waits for a view that is evaluated repeatedly, but not for a visible one`() async throws {
        let recorder = ViewRecorder(.full)
        let waiting = recorder.view("Waiting")
        let seen = recorder.view("Seen")
        waiting.evaluate()
        seen.evaluate()
        seen.appear()
        recorder.advance(by: 1)
        waiting.evaluate()
        recorder.advance(by: 5_000)
        waiting.evaluate()
        recorder.advance(by: 1)
        await recorder.passTimeout()
        try await eventually("the span of the view that waits has ended") {
            try recorder.outline.contains("Waiting 0-5001")
        }
        #expect(try !recorder.outline.contains { $0.hasPrefix("Seen 0") })
    }

    @Test func `ends with the view, whether or not its disappearance was reported`() throws {
        let recorder = ViewRecorder(.full)
        recorder.view("Unseen", isKept: false).evaluate(taking: 3)
        #expect(try recorder.outline == ["Unseen.body 0-3", "Unseen 0-3"])
        var view: TestView? = recorder.view("Seen", isKept: false)
        view?.appear()
        recorder.advance(by: 7)
        view = nil
        #expect(try recorder.outline.suffix(2) == ["Seen.onAppear 3-3", "Seen 3-10"])
        #expect(recorder.screen == nil)
        #expect(recorder.tracer.traceCount == 0)
    }

    @Test func `ends when the app enters the background, and restarts when it returns`() throws {
        let recorder = ViewRecorder(.full)
        let (seen, unseen, gone) = (recorder.view("Seen"), recorder.view("Unseen"), recorder.view("Gone"))
        seen.evaluate()
        seen.appear()
        unseen.evaluate(taking: 2)
        gone.appear()
        gone.disappear()
        recorder.advance(by: 3)
        recorder.tracer.enterBackground()
        let ended = try recorder.outline
        #expect(ended.contains("Seen 0-5") && ended.contains("Unseen 0-2"))
        seen.evaluate()
        #expect(try recorder.outline.suffix(2) == ["Seen.body 5-5", "Seen 5-5"])
        recorder.advance(by: 1_000)
        recorder.tracer.leaveBackground()
        recorder.advance(by: 10)
        seen.disappear()
        #expect(try recorder.outline.suffix(2) == ["Seen.onDisappear 1015-1015", "Seen 1005-1015"])
        #expect(try recorder.spans.filter { $0.name == "Gone" }.count == 1)
    }

    @Test func `has no open span for a view created in the background`() throws {
        let recorder = ViewRecorder(.full)
        recorder.tracer.enterBackground()
        let view = recorder.view("Prewarmed")
        view.evaluate(taking: 1)
        view.appear()
        let names = try recorder.spans.map(\.name)
        #expect(names.filter { $0 == "Prewarmed" }.count == 2)
        #expect(names.last == "Prewarmed")
    }

    @Test func `counts two appearances of one view, and the exchange of its content, as one`() throws {
        let recorder = ViewRecorder(.full)
        final class Branch {}
        let (loading, list) = (Branch(), Branch())
        let trace = recorder.tracer.trace(ViewIdentity("Cart"), attributes: [:])
        trace.appeared(ObjectIdentifier(loading))
        trace.appeared(ObjectIdentifier(loading))
        trace.appeared(ObjectIdentifier(list))
        trace.disappeared(ObjectIdentifier(loading))
        #expect(try recorder.spans.map(\.name) == ["Cart.onAppear"])
        trace.disappeared(ObjectIdentifier(list))
        #expect(try recorder.spans.map(\.name) == ["Cart.onAppear", "Cart.onDisappear", "Cart"])
        withExtendedLifetime((loading, list)) {}
    }

    @Test func `has a limited number of bodies, and beyond it only those that take a frame`() throws {
        let recorder = ViewRecorder(.full)
        let view = recorder.view("Busy")
        for _ in 1...200 { view.evaluate() }
        view.evaluate(taking: 17)
        view.appear()
        view.disappear()
        let bodies = try recorder.spans.filter { $0.name == "Busy.body" }
        #expect(bodies.count == ViewLife.bodyLimit + 1)
        #expect(bodies.last?.attributes["view.body.evaluation"] == 201)
    }

    @Test func `accepts attributes that become known later, and keeps its own`() throws {
        let recorder = ViewRecorder(.full)
        let view = recorder.view("Product", ["view.name": "mine"])
        view.evaluate()
        view.evaluate(taking: 0, ["demo.product.id": "LS4PSXUNUM"])
        view.appear()
        view.disappear()
        let root = try #require(try recorder.spans.last)
        #expect(root.attributes["demo.product.id"] == "LS4PSXUNUM")
        #expect(root.attributes["view.name"] == "Product")
    }

    @Test func `is sampled as a whole`() throws {
        let recorder = ViewRecorder(.full, sampler: AlwaysOffSampler())
        let view = recorder.view("Cart")
        view.evaluate()
        view.appear()
        view.disappear()
        #expect(try recorder.spans.isEmpty)
    }
}

@Suite struct `The compact form` {
    @Test func `is a span until a screen first appears, and an event each time`() throws {
        let recorder = ViewRecorder(.compact)
        let view = recorder.view("Cart", ["demo.cart.items.count": 3])
        view.evaluate(taking: 12)
        view.appear()
        view.disappear()
        recorder.advance(by: 5)
        view.appear()
        #expect(try recorder.outline == ["app.screen.time_to_first_appear 0-12"])
        let span = try #require(try recorder.spans.first)
        #expect(
            span.attributes.sortedByKey == [
                "app.screen.id": "id-Cart", "app.screen.name": "Cart", "demo.cart.items.count": 3,
            ])
        #expect(span.kind == .internal)
        let events = try recorder.events
        #expect(events.map(\.eventName) == Array(repeating: "app.screen.view_did_appear", count: 2))
        #expect(events.allSatisfy { $0.attributes["app.screen.name"] == "Cart" && $0.traceID == .invalid })
        #expect(events.map { ($0.timeUnixNano - ViewRecorder.start) / 1_000_000 } == [12, 17])
    }

    @Test func `has no open span, whatever the app does`() throws {
        let recorder = ViewRecorder(.compact)
        let view = recorder.view("Cart")
        view.evaluate()
        recorder.tracer.enterBackground()
        recorder.tracer.leaveBackground()
        #expect(try recorder.spans.isEmpty)
        view.appear()
        recorder.tracer.enterBackground()
        recorder.tracer.leaveBackground()
        #expect(try recorder.spans.count == 1)
    }

    @Test func `covers only screens`() {
        let recorder = ViewRecorder(.compact)
        #expect(recorder.tracer.records(.screen))
        #expect(!recorder.tracer.records(.part))
        #expect(ViewRecorder(.full).tracer.records(.part))
        #expect(!ViewRecorder(.off).tracer.records(.screen))
    }
}

@Suite struct `A tap` {
    @Test func `is an event that names the control and the screen, and user activity`() throws {
        let recorder = ViewRecorder(.full)
        let view = recorder.view("Cart")
        view.appear()
        recorder.tracer.recordTap("checkout", name: "Checkout")
        let event = try #require(try recorder.events.first)
        #expect(event.eventName == "app.widget.click")
        #expect(event.attributes["app.widget.id"] == "checkout")
        #expect(event.attributes["app.widget.name"] == "Checkout")
        #expect(event.attributes["app.screen.name"] == "Cart")
        #expect(recorder.activities.withLock { $0 } == 1)
    }

    @Test func `is not recorded if view tracing is off`() throws {
        let recorder = ViewRecorder(.off)
        recorder.tracer.recordTap("checkout")
        #expect(try recorder.events.isEmpty)
        #expect(recorder.activities.withLock { $0 } == 0)
    }
}

/// Asks a trace whether it waits while one of its spans ends.
private final class AskingProcessor: SpanProcessor {
    let trace = Locked<ViewTrace?>(nil)
    let answers = Locked<[Bool]>([])

    func onStart(_ span: Tracer.Span, parent: SpanContext?) {}

    func onEnd(_ span: FinishedSpan) {
        guard let isWaiting = trace.withLock({ $0 })?.isWaiting else { return }
        answers.withLock { $0.append(isWaiting) }
    }
}
