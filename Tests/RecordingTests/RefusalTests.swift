import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// The recording core between a refusal and the next consent, and what began before.
@Suite struct `A core that may not record` {
    private let recorder = Recorder()

    private func refuse() {
        recorder.core.refuse()
        recorder.registry.beginPeriod()
    }

    private func permit() {
        recorder.core.permit()
        recorder.registry.beginPeriod()
    }

    @Test func `makes no spans and no events, and keeps no breadcrumb, attribute, screen or user`() throws {
        refuse()
        let span = recorder.tracer.spanBuilder("refused").startSpan()
        #expect(!span.isRecording && !span.context.isValid)
        span.end()
        recorder.events.emit("refused", severity: .error)
        recorder.core.addBreadcrumb("refused", category: "test")
        recorder.core.setAmbient("refused", to: "refused")
        recorder.core.setScreen(name: "refused", id: "refused")
        recorder.core.setUser(["user.id": "refused"])
        #expect(recorder.core.breadcrumbs.all.isEmpty)
        #expect(recorder.core.ambient.snapshot.attributes.isEmpty)
        permit()
        recorder.events.emit("permitted", severity: .error)
        #expect(try recorder.spans.isEmpty)
        #expect(try recorder.logRecord.eventName == "permitted")
        #expect(try recorder.logRecord.attributes.count == 1, "only its identifier")
    }

    @Test func `forgets at a refusal what it remembers for later records`() throws {
        recorder.core.addBreadcrumb("before", category: "test")
        recorder.core.setAmbient("before", to: "before")
        recorder.core.setUser(["user.id": "before"])
        refuse()
        #expect(recorder.core.breadcrumbs.all.isEmpty)
        #expect(recorder.core.ambient.snapshot.attributes.isEmpty)
    }

    @Test func `stores no span of before, and names none as a parent or in an event`() throws {
        let old = recorder.tracer.spanBuilder("old").startSpan()
        refuse()
        permit()
        #expect(!old.isPermitted(in: recorder.core))
        TelemetryContext(span: old).withValue {
            recorder.tracer.withSpan("new") { span in
                #expect(span.context.traceID != old.context.traceID)
            }
            recorder.events.emit("event")
        }
        old.recordException(CancellationError())
        old.end()
        #expect(try recorder.span.name == "new")
        #expect(try recorder.span.parentSpanID == .invalid)
        #expect(try recorder.logRecord.traceID == .invalid)
    }

    @Test func `keeps no failure of a span that was sampled out and began before`() throws {
        let recorder = Recorder(sampler: ParentBasedSampler(root: RatioSampler(0)), triggers: RecorderTriggers())
        let old = recorder.tracer.spanBuilder("old").startSpan()
        recorder.core.refuse()
        let refused = recorder.tracer.spanBuilder("refused").startSpan()
        recorder.core.permit()
        let new = recorder.tracer.spanBuilder("new").startSpan()
        for span in [old, refused, new] {
            span.setStatus(.error("failed"))
            span.end()
        }
        #expect(try recorder.spans.map(\.name) == ["new"])
    }

    @Test func `names no trace of before that was sampled out, in events or as a parent`() throws {
        let recorder = Recorder(sampler: ParentBasedSampler(root: RatioSampler(0)))
        let old = recorder.tracer.spanBuilder("old").startSpan()
        recorder.tracer.withSpan("scope") { scope in
            recorder.core.refuse()
            recorder.core.permit()
            for span in [old, scope] {
                #expect(!span.isPermitted(in: recorder.core))
                TelemetryContext(span: span).withValue { recorder.events.emit("event") }
                let child = recorder.tracer.spanBuilder("child").setParent(span).startSpan()
                #expect(child.context.traceID != span.context.traceID)
            }
            recorder.events.emit("event")
        }
        let new = recorder.tracer.spanBuilder("new").startSpan()
        #expect(new.isPermitted(in: recorder.core))
        TelemetryContext(span: new).withValue { recorder.events.emit("event") }
        #expect(try recorder.logRecords.map(\.traceID) == [.invalid, .invalid, .invalid, new.context.traceID])
    }

    @Test func `measures nothing, and starts all instruments from zero`() throws {
        let counter = recorder.meter.counter("counter")
        let level = recorder.meter.upDownCounter("level")
        let gauge = recorder.meter.gauge("gauge")
        let histogram = recorder.meter.histogram("histogram")
        let bound = histogram.bound(to: ["kept": true])
        func measure(_ name: String) {
            counter.add(1, attributes: ["name": name])
            level.add(5, attributes: ["name": name])
            gauge.record(1, attributes: ["name": name])
            histogram.record(1, attributes: ["name": name])
            bound.record(1)
        }
        measure("before")
        refuse()
        measure("refused")
        #expect(try recorder.collectMetrics().isEmpty)
        recorder.time.advance(by: 60)
        permit()
        let start = recorder.time.now
        #expect(try recorder.collectMetrics().isEmpty)
        measure("after")
        recorder.time.advance(by: 60)
        let metrics = try recorder.collectMetrics()
        #expect(Set(metrics.map(\.name)) == ["counter", "level", "gauge", "histogram"])
        for metric in metrics {
            for point in metric.numberPoints { #expect(point.attributes["name"] == "after") }
            guard case .sum(let points, _, _) = metric.data else { continue }
            #expect(points.map(\.startTimeUnixNano) == [start])
        }
    }

    @Test(arguments: AggregationTemporality.allCases)
    func `reports of an observed total only what was added since`(temporality: AggregationTemporality) throws {
        let recorder = Recorder(temporality: temporality)
        let total = Locked(100)
        recorder.meter.observableCounter("cpu.time") { $0.observe(total.withLock { $0 }) }
        _ = try recorder.collectMetrics()
        recorder.core.refuse()
        recorder.registry.beginPeriod()
        total.withLock { $0 = 500 }
        recorder.core.permit()
        recorder.registry.beginPeriod()
        #expect(try recorder.collectMetrics().isEmpty)
        total.withLock { $0 = 507 }
        #expect(try recorder.collectMetrics().only.numberPoints.map(\.value) == [.int(7)])
        total.withLock { $0 = 3 }
        #expect(try recorder.collectMetrics().only.numberPoints.map(\.value) == [.int(3)])
    }

    @Test func `stores no event that a processor holds while the user refuses and agrees again`() throws {
        let core = Locked<RecordingCore?>(nil)
        let isFirst = Locked(true)
        let processors = RecordProcessors(beforeSend: [
            { _ in
                guard isFirst.exchange(false) else { return true }
                core.withLock { $0 }?.refuse()
                core.withLock { $0 }?.permit()
                return true
            }
        ])
        let recorder = Recorder(processors: processors)
        core.withLock { $0 = recorder.core }
        recorder.events.emit("held")
        recorder.events.emit("after")
        #expect(try recorder.logRecord.eventName == "after")
    }
}
