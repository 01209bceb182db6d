/// The kind of a record: it decides the OTLP endpoint that the record goes to.
public enum RecordKind: UInt8, Sendable, CaseIterable {
    /// A finished span, encoded as `opentelemetry.proto.trace.v1.Span`.
    case span = 1
    /// An event or a log line, encoded as `opentelemetry.proto.logs.v1.LogRecord`.
    case event = 2
    /// A metric with its data points, encoded as `opentelemetry.proto.metrics.v1.Metric`.
    case metric = 3
}

/// The order in which records are sent first and dropped last.
public enum Priority: UInt8, Sendable, CaseIterable, Comparable {
    /// Debug output, breadcrumbs, replay.
    case low = 0
    /// Spans, metrics and ordinary events.
    case normal = 1
    /// Errors and hangs.
    case high = 2
    /// Crashes.
    case critical = 3

    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
}
