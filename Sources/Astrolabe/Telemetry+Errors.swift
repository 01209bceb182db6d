import AstrolabeRecording
import AstrolabeSemantics
public import AstrolabeTelemetryModel

extension Telemetry {
    /// Records an error that the app has handled, as the event `exception`.
    ///
    ///     do {
    ///         try await sync()
    ///     } catch {
    ///         telemetry.recordError(error, attributes: ["demo.sync.items": items.count])
    ///     }
    ///
    /// The event belongs to the current span. It has the breadcrumbs of the moment, the place of the call, and
    /// ``AttributeKey/astrolabeErrorGroup``, by which errors are counted. It does not change the status of the span:
    /// an error that leaves the closure of `withSpan` does, and needs no call.
    ///
    /// A cancellation is no failure: its severity is at most `info`.
    ///
    /// - Parameters:
    ///   - attributes: They win over those that the error gives.
    ///   - severity: Default `error`. An event below that has no breadcrumbs.
    ///   - group: What is counted together. Default the error's type, and the function and the file of the call, which
    ///     stay the same if the error's values or other lines of the file change.
    ///   - fileID: The file of the call.
    ///   - function: The function of the call.
    ///   - line: The line of the call, counted from 1.
    public func recordError(
        _ error: any Error, attributes: Attributes = [:], severity: Severity = .error, group: String? = nil,
        fileID: String = #fileID, function: String = #function, line: Int = #line,
    ) {
        guard isEnabled else { return }
        let error = HandledError(error, severity: severity)
        let place: Attributes = [
            AttributeKey.astrolabeErrorGroup: group ?? "\(error.description.type) in \(function), \(fileID)",
            AttributeKey.codeFunctionName: function, AttributeKey.codeFilePath: fileID,
            AttributeKey.codeLineNumber: line,
        ]
        record(error, place.merging(attributes))
    }

    /// Records an error of a caller whose place is not known. Its group is its type.
    func recordError(withoutPlace error: any Error) {
        guard isEnabled else { return }
        let error = HandledError(error, severity: .error)
        record(error, [AttributeKey.astrolabeErrorGroup: error.description.type])
    }

    private struct HandledError {
        let description: ExceptionDescription
        let severity: Severity

        init(_ error: any Error, severity: Severity) {
            description = ExceptionDescription(error)
            self.severity = ExceptionDescription.isCancellation(error) ? min(severity, .info) : severity
        }
    }

    private func record(_ error: HandledError, _ attributes: Attributes) {
        let logger = EventLogger(
            core: core, scope: InstrumentationScope.ofSDK("astrolabe.errors"), isOfApp: true,
            minimumSeverity: minimumSeverity)
        logger.emit(
            EventName.exception, severity: error.severity,
            attributes: error.description.attributes.merging(attributes))
    }
}
