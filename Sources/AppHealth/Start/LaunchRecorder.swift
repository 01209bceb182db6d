import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel

/// Records app starts, each as its own trace.
struct LaunchRecorder: Sendable {
    let tracer: Tracer

    func record(_ launch: LaunchTracker.Launch) {
        switch launch {
        case .cold(let process, let sdk, let started, let frame):
            record("cold", from: process, to: frame) { parent in
                part(SpanName.appStartProcess, of: parent, from: process, to: sdk)
                part(SpanName.appStartSDK, of: parent, from: sdk, to: started)
                part(SpanName.appStartFirstFrame, of: parent, from: started, to: frame)
            }
        case .prewarmed(let launched, let frame):
            record("cold", from: launched, to: frame, isPrewarmed: true) { parent in
                part(SpanName.appStartFirstFrame, of: parent, from: launched, to: frame)
            }
        case .warm(let returned, let frame):
            record("warm", from: returned, to: frame) { parent in
                part(SpanName.appStartFirstFrame, of: parent, from: returned, to: frame)
            }
        }
    }

    private func record(
        _ type: String, from start: UInt64, to end: UInt64, isPrewarmed: Bool = false, _ parts: (Tracer.Span) -> Void,
    ) {
        let span = tracer.spanBuilder(SpanName.appStart).setNoParent().setStartTime(timeUnixNano: start)
            .setAttribute(AttributeKey.astrolabeStartType, type).startSpan()
        if isPrewarmed { span.setAttribute(AttributeKey.astrolabeStartIsPrewarmed, true) }
        parts(span)
        span.end(timeUnixNano: end)
    }

    private func part(_ name: String, of parent: Tracer.Span, from start: UInt64, to end: UInt64) {
        tracer.spanBuilder(name).setParent(parent).setStartTime(timeUnixNano: start).startSpan().end(timeUnixNano: end)
    }
}
