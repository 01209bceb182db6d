import AstrolabeTelemetryModel

extension Tracer.Span {
    /// Records an exception as a log record with the context of the span.
    ///
    /// Its breadcrumbs are those of `exception`, or none if an exception of the trace has taken the same ones along.
    func emitLogRecord(of exception: SpanEvent, core: RecordingCore) {
        let severity: Severity =
            switch recorder?.kind ?? stub.kind {
            case .server, .consumer: .error
            case .internal, .client, .producer: .warn
            }
        // A span that was sampled out shares its context, and is stored with an identifier of its own.
        let own = SpanContext(
            traceID: context.traceID, spanID: stub.ownID, flags: context.flags, traceState: context.traceState, )
        EventLogger(core: core, scope: recorder?.scope ?? stub.scope).emit(
            exception.name, severity: severity, number: severity.rawValue, body: .empty,
            attributes: exception.attributes, timeUnixNano: exception.timeUnixNano, observedTimeUnixNano: nil,
            context: own, priority: .high, takesBreadcrumbs: false, )
    }
}
