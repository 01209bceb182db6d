/// The system's own reports about crashes and hangs.
extension AttributeKey {
    /// The source of the report: `metrickit`.
    ///
    /// String, such as `metrickit`. Not in the conventions.
    package static let astrolabeDiagnosticSource = "astrolabe.diagnostic.source"

    /// The kind of report: `crash` or `hang`.
    ///
    /// String, such as `crash`. Not in the conventions.
    package static let astrolabeDiagnosticKind = "astrolabe.diagnostic.kind"

    /// Mach's exception type.
    ///
    /// Int, such as `1` for `EXC_BAD_ACCESS`. Not in the conventions.
    package static let astrolabeDiagnosticException = "astrolabe.diagnostic.exception"

    /// The code of that exception.
    ///
    /// Int, such as `0`. Not in the conventions.
    package static let astrolabeDiagnosticExceptionCode = "astrolabe.diagnostic.exception_code"

    /// Why the system ended the process.
    ///
    /// String, such as `Namespace SIGNAL, Code 0xb`. Not in the conventions.
    package static let astrolabeDiagnosticTerminationReason = "astrolabe.diagnostic.termination_reason"

    /// The memory region that was accessed.
    ///
    /// String, such as `0 is not in any region`. Not in the conventions.
    package static let astrolabeDiagnosticMemoryRegion = "astrolabe.diagnostic.memory_region"

    /// The duration of a hang as the system measured it.
    ///
    /// Double, seconds, such as `20`. Not in the conventions.
    package static let astrolabeDiagnosticDuration = "astrolabe.diagnostic.duration"

    /// The call stacks as the system gives them: the JSON of an `MXCallStackTree`.
    ///
    /// String, such as `{"callStacks":[…]}`. Not in the conventions.
    package static let astrolabeDiagnosticCallStacks = "astrolabe.diagnostic.call_stacks"
}

extension EventName {
    /// The system has reported a crash or hang that the SDK has reported already.
    ///
    /// Emitted when MetricKit delivers it, up to a day later, with the time of the crash or hang. Carries
    /// ``AttributeKey/appCrashID`` or `astrolabe.hang.id` of that, and the `astrolabe.diagnostic.*`
    /// attributes. Not in the conventions.
    package static let diagnostic = "astrolabe.diagnostic"
}
