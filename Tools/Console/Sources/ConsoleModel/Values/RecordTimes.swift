package import AstrolabeTelemetryModel

/// Decides at which time a record is placed, from what its sender says and from its arrival.
///
/// OTLP's time 0 means that the time is unknown, and some clocks are wrong by years. Without this rule such a record is
/// in no list of a period, or at the head of every list for ever.
package struct RecordTimes: Sendable {
    /// The time by which a sender's clock may be ahead of the console's, in nanoseconds: one week.
    package static let tolerance: UInt64 = 7 * 86_400_000_000_000

    /// When the request arrived, in nanoseconds since 1970.
    package let arrival: UInt64

    package init(arrival: UInt64) {
        self.arrival = arrival
    }

    private func isPlausible(_ time: UInt64) -> Bool {
        time > 0 && time <= arrival.clampedSum(Self.tolerance)
    }

    /// Returns when a log record happened; if that is unknown or too far ahead, when its sender saw it; and otherwise
    /// when it arrived.
    package func time(of record: LogRecordData) -> UInt64 {
        if isPlausible(record.timeUnixNano) { return record.timeUnixNano }
        return isPlausible(record.observedTimeUnixNano) ? record.observedTimeUnixNano : arrival
    }

    /// Returns the start and the duration of a span.
    ///
    /// A span without a start begins at its end or, without one, at its arrival. One that is too far ahead begins at
    /// its arrival. The duration is 0 if the end is unknown, before the start, or too far ahead of it.
    package func interval(of span: SpanData) -> (start: UInt64, duration: UInt64) {
        let (start, end) = (span.startTimeUnixNano, span.endTimeUnixNano)
        guard start > 0 else { return (isPlausible(end) ? end : arrival, 0) }
        guard isPlausible(start) else {
            return (arrival, span.durationNano <= Self.tolerance ? span.durationNano : 0)
        }
        return (start, isPlausible(end) ? span.durationNano : 0)
    }
}
