package import AstrolabeTelemetryModel

extension Tracer.Span {
    /// Ends the span with a priority of its own. An error raises it to `high` at least.
    package func end(timeUnixNano: UInt64, priority: Priority) {
        recorder?.end(at: timeUnixNano, priority: priority)
    }
}
