import Astrolabe

// snippet: span-processor
struct SlowSpans: SpanProcessor {
    let counter: Meter.Counter

    func onStart(_ span: Tracer.Span, parent: SpanContext?) {
        span.setAttribute("app.is_root", parent == nil)
    }

    func onEnd(_ span: FinishedSpan) {
        if span.duration > .seconds(1) { counter.add(1) }
    }
}
// snippet: end

// snippet: sampler
struct WithoutHealthChecks: Sampler {
    let others: any Sampler
    var description: String { "WithoutHealthChecks{\(others)}" }

    func shouldSample(_ input: SamplingInput) -> SamplingResult {
        input.attributes["url.path"] == "/health" ? SamplingResult(.drop) : others.shouldSample(input)
    }
}
// snippet: end

func configureProcessing(_ configuration: inout TelemetryConfiguration) {
    // snippet: before-send
    configuration.beforeSend.append { record in
        record.updateAttributes { $0["demo.card.holder"] = nil }
        return record.name != "heartbeat"
    }
    // snippet: end

    // snippet: configure-sampler
    configuration.sampler = ParentBasedSampler(root: WithoutHealthChecks(others: RatioSampler(0.25)))
    // snippet: end
}
