import AstrolabeSemantics
import AstrolabeTelemetryModel

/// The message of a crash.
///
/// This is the Swift runtime's message if the record has one. If it has only the signal, as for arithmetic overflow and
/// most checks in an optimized build, this is the reason in the debug information.
struct CrashMessage {
    let text: String
    /// True if only the signal is known.
    let isSignal: Bool

    init(_ attributes: Attributes, _ report: ReadReport) {
        let message = attributes[AttributeKey.exceptionMessage]?.stringValue ?? ""
        let code = attributes[AttributeKey.astrolabeCrashCodeName]?.stringValue ?? ""
        let isFromSignal =
            message.isEmpty || !code.isEmpty && (message.hasPrefix(code) || message.hasSuffix(", \(code))"))
        let failure = isFromSignal ? report.runtimeFailure : nil
        text = failure ?? message
        isSignal = isFromSignal && failure == nil
    }
}
