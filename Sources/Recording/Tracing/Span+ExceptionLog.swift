import AstrolabeTelemetryModel

extension Tracer.Span {
    /// Records an exception as a log record with the context of the span.
    ///
    /// Its breadcrumbs are those of `exception`, or none if an exception of the trace has taken the same ones along.
    func emitLogRecord(of exception: SpanEvent, _ recorder: SpanRecorder) {
        let severity: Severity =
            switch recorder.kind {
            case .server, .consumer: .error
            case .internal, .client, .producer: .warn
            }
        EventLogger(core: recorder.core, scope: recorder.scope).emit(
            exception.name, severity: severity, number: severity.rawValue, body: .empty,
            attributes: exception.attributes, timeUnixNano: exception.timeUnixNano, observedTimeUnixNano: nil,
            context: context, priority: .high, takesBreadcrumbs: false)
    }
}
