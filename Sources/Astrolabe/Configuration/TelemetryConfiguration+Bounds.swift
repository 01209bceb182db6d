import AstrolabeDelivery
import AstrolabePlatform
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
        if let timeout = endpoint?.timeout { configuration.endpoint?.timeout = Self.timeout(timeout) }
        configuration.endpoint?.traces.timeout = endpoint?.traces.timeout.map(Self.timeout)
        configuration.endpoint?.logs.timeout = endpoint?.logs.timeout.map(Self.timeout)
        configuration.endpoint?.metrics.timeout = endpoint?.metrics.timeout.map(Self.timeout)
        configuration.policy = policy.bounded()
        #if DEBUG
        configuration.onDiagnostic = { [onDiagnostic] line in
            LockRule.checkCall("calling onDiagnostic")
            onDiagnostic(line)
        }
        #endif
        return configuration
    }

    private static func timeout(_ time: Duration) -> Duration {
        time == .zero ? longest : min(max(time, .milliseconds(1)), longest)
    }

    private static func interval(_ time: Duration) -> Duration { min(max(time, shortest), longest) }

    /// The limits, with records no larger than journal and queue can hold.
    var storableLimits: RecordLimits {
        var limits = limits
        limits.recordSize = min(limits.recordSize, DurableLedger.recordLimit)
        return limits.bounded
    }
}
