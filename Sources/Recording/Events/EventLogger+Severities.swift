public import AstrolabeTelemetryModel

extension EventLogger {
    /// Records a log line of severity `trace`: fine-grained detail, sent after everything else.
    public func trace(_ message: String, _ attributes: Attributes = [:]) {
        emit("", severity: .trace, body: .string(message), attributes: attributes)
    }

    /// Records a log line of severity `debug`.
    public func debug(_ message: String, _ attributes: Attributes = [:]) {
        emit("", severity: .debug, body: .string(message), attributes: attributes)
    }

    /// Records a log line of severity `info`.
    public func info(_ message: String, _ attributes: Attributes = [:]) {
        emit("", severity: .info, body: .string(message), attributes: attributes)
    }

    /// Records a log line of severity `warn`.
    ///
    ///     telemetry.logger("checkout").warn("Payment was declined", ["demo.payment.attempt": attempt])
    public func warn(_ message: String, _ attributes: Attributes = [:]) {
        emit("", severity: .warn, body: .string(message), attributes: attributes)
    }

    /// Records a log line of severity `error`, with the breadcrumbs of the moment. It is sent before others.
    public func error(_ message: String, _ attributes: Attributes = [:]) {
        emit("", severity: .error, body: .string(message), attributes: attributes)
    }

    /// Records a log line of severity `fatal`, as that of severity `error`. It does not end the app.
    public func fatal(_ message: String, _ attributes: Attributes = [:]) {
        emit("", severity: .fatal, body: .string(message), attributes: attributes)
    }
}
