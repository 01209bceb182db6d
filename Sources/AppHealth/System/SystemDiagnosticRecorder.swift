import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// Records what the system reports about crashes and hangs, without counting any of them twice.
///
/// A diagnostic of something that the SDK has reported becomes evidence: `astrolabe.diagnostic` with the id of the
/// crash or hang. Any other becomes an `app.crash` or `astrolabe.hang` of its own.
struct SystemDiagnosticRecorder: Sendable {
    let events: EventLogger
    let reported: CaptureLedger
    let settings: HealthConfiguration
    /// Payloads that begin before are of a time in which the user refused. Nanoseconds since 1970.
    var since: UInt64 = 0

    /// Records the diagnostics of a payload: the JSON representation of an `MXDiagnosticPayload`.
    func record(_ payload: Data) {
        for diagnostic in SystemDiagnostic.read(payload) where isRecorded(diagnostic) { record(diagnostic) }
    }

    private func isRecorded(_ diagnostic: SystemDiagnostic) -> Bool {
        guard diagnostic.period.lowerBound >= since else { return false }
        switch diagnostic.kind {
        case .crash: return settings.capturesCrashes
        case .hang(let seconds): return settings.watchesHangs && seconds >= settings.hangThresholds.hang.seconds
        }
    }

    private func record(_ diagnostic: SystemDiagnostic) {
        var attributes = diagnostic.attributes
        attributes[AttributeKey.logRecordUID] = .string(diagnostic.id)
        guard let trouble = reported.confirm(diagnostic) else { return recordAsFirst(diagnostic, attributes) }
        switch trouble.kind {
        case .crash: attributes[AttributeKey.appCrashID] = .string(trouble.id)
        case .hang: attributes[AttributeKey.astrolabeHangID] = .string(trouble.id)
        }
        if !trouble.session.isEmpty { attributes[AttributeKey.sessionID] = .string(trouble.session) }
        emit(EventName.diagnostic, .info, .normal, attributes, at: trouble.time)
    }

    /// The SDK has missed it, for example because the system killed the app, or it was before the start of the SDK.
    private func recordAsFirst(_ diagnostic: SystemDiagnostic, _ attributes: Attributes) {
        var attributes = attributes
        let time = diagnostic.period.upperBound
        switch diagnostic.kind {
        case .crash(let signal, let exception):
            let name = signal == 0 ? "EXC_\(exception)" : SignalDescription(signal: signal, code: 0).name
            attributes[AttributeKey.appCrashID] = .string(diagnostic.id)
            attributes[AttributeKey.exceptionType] = .string(name)
            attributes[AttributeKey.exceptionMessage] = .string(diagnostic.terminationReason ?? name)
            if signal != 0 { attributes[AttributeKey.astrolabeCrashSignal] = .int(Int64(signal)) }
            emit(EventName.appCrash, .fatal, .critical, attributes, at: time)
        case .hang(let seconds):
            let isSevere = seconds >= settings.hangThresholds.severe.seconds
            attributes[AttributeKey.astrolabeHangID] = .string(diagnostic.id)
            attributes[AttributeKey.astrolabeHangDuration] = .double(seconds)
            attributes[AttributeKey.astrolabeHangSeverity] = isSevere ? "severe" : "hang"
            emit(EventName.hang, isSevere ? .error : .warn, isSevere ? .high : .normal, attributes, at: time)
        }
    }

    private func emit(
        _ name: String, _ severity: Severity, _ priority: Priority, _ attributes: Attributes, at time: UInt64,
    ) {
        events.emit(
            earlier: name, severity: severity, attributes: attributes, timeUnixNano: time, context: .invalid,
            priority: priority)
    }
}

extension SystemDiagnostic {
    fileprivate var attributes: Attributes {
        var attributes: Attributes = [AttributeKey.astrolabeDiagnosticSource: "metrickit"]
        let texts = [
            (AttributeKey.serviceVersion, appVersion), (AttributeKey.astrolabeAppBuildNumber, appBuild),
            (AttributeKey.osVersion, osVersion),
            (AttributeKey.astrolabeDiagnosticTerminationReason, terminationReason ?? ""),
            (AttributeKey.astrolabeDiagnosticMemoryRegion, memoryRegion ?? ""),
            (AttributeKey.astrolabeDiagnosticCallStacks, callStacks ?? ""),
        ]
        for (key, text) in texts where !text.isEmpty { attributes[key] = .string(text) }
        switch kind {
        case .crash(_, let exception):
            attributes[AttributeKey.astrolabeDiagnosticKind] = "crash"
            if exception > 0 { attributes[AttributeKey.astrolabeDiagnosticException] = .int(Int64(exception)) }
            if let exceptionCode { attributes[AttributeKey.astrolabeDiagnosticExceptionCode] = .int(exceptionCode) }
        case .hang(let seconds):
            attributes[AttributeKey.astrolabeDiagnosticKind] = "hang"
            attributes[AttributeKey.astrolabeDiagnosticDuration] = .double(seconds)
        }
        return attributes
    }
}
