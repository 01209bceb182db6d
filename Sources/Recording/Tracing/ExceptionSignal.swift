/// The signal in which exceptions of spans are recorded: those of `recordException`, and errors that `withSpan` passes
/// on.
///
/// The semantic conventions deprecate span events in favor of log records. The log record is an event named `exception`
/// with the attributes of the span event and the context of the span. Its severity is `error` for spans of kind server
/// and consumer, and `warn` for all others. Like any event, it is recorded even if its trace is sampled out, except
/// with ``AlwaysOffSampler``. Its priority is `high`, so every mode collects it.
public enum ExceptionSignal: Hashable, Sendable {
    /// Events of the span.
    case spanEvents
    /// Log records.
    case logs
    /// Events of the span and log records, for the time in which receivers change from one to the other.
    case both
}
