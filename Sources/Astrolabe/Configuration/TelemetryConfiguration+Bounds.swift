import AstrolabeDelivery
import AstrolabePolicy
import AstrolabeRecording

extension TelemetryConfiguration {
    private static let shortest: Duration = .milliseconds(50)
    private static let longest: Duration = .seconds(86_400)

    /// A copy with every number in a range that a device can work with, as it is used.
    ///
    /// Intervals are between 50 ms and a day. A timeout of 0 means no limit, as in OpenTelemetry, so it becomes a day.
    package var bounded: TelemetryConfiguration {
        var configuration = self
        configuration.limits = storableLimits
        configuration.flushInterval = flushInterval.map(Self.interval)
        configuration.metricInterval = Self.interval(metricInterval)
        if let timeout = endpoint?.timeout {
            configuration.endpoint?.timeout =
                timeout == .zero ? Self.longest : min(max(timeout, .milliseconds(1)), Self.longest)
        }
        configuration.policy = policy.bounded()
        return configuration
    }

    private static func interval(_ time: Duration) -> Duration { min(max(time, shortest), longest) }

    /// The limits, with records no larger than journal and queue can hold.
    var storableLimits: RecordLimits {
        var limits = limits
        limits.recordSize = min(limits.recordSize, DurableLedger.recordLimit)
        return limits.bounded
    }
}
