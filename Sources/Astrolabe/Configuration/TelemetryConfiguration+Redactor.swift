import AstrolabeRecording

extension TelemetryConfiguration {
    /// The redactor that keeps secrets out of records. It reports replacements only in development, and only if the app
    /// asks for it.
    var redactor: Redactor {
        let isReported = BuildDefaults.isDevelopment && redaction.reportsReplacements
        return Redactor(redaction, onRedaction: isReported ? onDiagnostic : nil)
    }
}
