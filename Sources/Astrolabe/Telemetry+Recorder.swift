import AstrolabePlatform
import AstrolabeRecording
package import AstrolabeTelemetryModel

extension Telemetry {
    /// True if the current session is sent; `nil` if sessions are not sampled.
    package var isSessionSampled: Bool? { setup?.sampler?.isSampled }

    /// Sends what the flight recorder has of the current session, such as when the person reports a problem. A server
    /// sends what it has of the current trace.
    ///
    ///     Button("Report a problem") { telemetry.keepRecording(reason: "feedback") }
    ///
    /// A session that is sampled in is sent anyway. Records of the next minute are sent too, and then the event
    /// `astrolabe.recorder.promotion`. The budget of a day holds (``RecorderConfiguration/dailyBytes``).
    ///
    /// - Parameter reason: The attribute `astrolabe.recorder.reason`, redacted like any other: a fixed word of the
    ///   developer's.
    /// - Returns: False if there is no recorder, or if it was called too often
    ///   (``RecorderTriggers/limitPerHour``). On a server also outside of a span, and in a trace that is sampled in.
    @discardableResult
    public func keepRecording(reason: String) -> Bool {
        guard let core else { return false }
        return core.keepRecording(.app, at: core.clock.now, context: core.currentSpan ?? .invalid, reason: reason)
    }

    /// True if the flight recorder of a server is on, so that another program can ask for its part of a trace.
    package var recordsTraces: Bool { core?.recorder?.key == .trace }

    /// Sends what the flight recorder of a server has of a trace, because another program has asked for it.
    ///
    /// - Returns: False if there is no such recorder, or if it was asked too often.
    package func keepRecording(of trace: TraceID) -> Bool {
        guard let core, recordsTraces else { return false }
        return core.keepRecording(
            .remote, at: core.clock.now, context: SpanContext(traceID: trace, spanID: .invalid))
    }
}
