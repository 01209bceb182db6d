import AstrolabeSemantics
import AstrolabeTelemetryModel

/// What a crash says of its cause.
///
/// The Swift runtime's words where the record has them. Where it has the signal's alone, as of arithmetic overflow and
/// of most checks in an optimised build, those that the compiler left in the debug information.
struct CrashMessage {
    let text: String
    /// Whether nothing is known but the signal.
    let isSignal: Bool

    init(_ attributes: Attributes, _ report: ReadReport) {
        let told = attributes[AttributeKey.exceptionMessage]?.stringValue ?? ""
        let code = attributes[AttributeKey.astrolabeCrashCodeName]?.stringValue ?? ""
        let isFromSignal = told.isEmpty || !code.isEmpty && (told.hasPrefix(code) || told.hasSuffix(", \(code))"))
        let failure = isFromSignal ? report.runtimeFailure : nil
        text = failure ?? told
        isSignal = isFromSignal && failure == nil
    }
}
