import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel

extension Telemetry {
    /// True if the current session is sent; `nil` if sessions are not sampled.
    package var isSessionSampled: Bool? { setup?.sampler?.isSampled }

    /// Sends what the flight recorder has of the current session, such as when the person reports a problem.
    ///
    ///     Button("Report a problem") { telemetry.keepRecording(reason: "feedback") }
    ///
    /// A session that is sampled in is sent anyway. Records of the next minute are sent too, and then the event
    /// `astrolabe.recorder.promotion`. The budget of a day holds (``RecorderConfiguration/dailyBytes``).
    ///
    /// - Parameter reason: The attribute `astrolabe.recorder.reason`, redacted like any other: a fixed word of the
    ///   developer's.
    /// - Returns: False if there is no recorder, or if it was called too often
    ///   (``RecorderTriggers/limitPerHour``).
    @discardableResult
    public func keepRecording(reason: String) -> Bool {
        guard let core else { return false }
        return core.keepRecording(.app, at: core.clock.now, context: core.currentSpan ?? .invalid, reason: reason)
    }
}
