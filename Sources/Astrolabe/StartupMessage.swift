import AstrolabePolicy
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation

/// The diagnostic lines of `Telemetry.start`.
enum StartupMessage {
    /// Endpoint, mode, sampling rate and, if nothing is sent, the reason.
    static func text(for telemetry: Telemetry, _ configuration: TelemetryConfiguration) -> String {
        guard configuration.isEnabled else {
            return "Disabled: nothing is recorded or sent. Set isEnabled to true or unset OTEL_SDK_DISABLED."
        }
        guard telemetry.isEnabled else { return "Not started: nothing is recorded or sent." }
        var parts = ["Started \"\(configuration.serviceName)\""]
        parts.append("endpoint: \(configuration.endpoint?.place ?? "none")")
        if let mode = telemetry.policyDecision?.mode { parts.append("mode: \(mode.rawValue)") }
        parts.append("sampling: \(sampling(of: telemetry, configuration))")
        var line = parts.joined(separator: ", ") + "."
        for (kind, records, variable) in [
            (RecordKind.span, "spans", "OTEL_TRACES_EXPORTER"), (.event, "log records", "OTEL_LOGS_EXPORTER"),
            (.metric, "metrics", "OTEL_METRICS_EXPORTER"),
        ] where configuration.disabledSignals.contains(kind) {
            line += " No \(records) are recorded: \(variable) is none."
        }
        switch telemetry.consent {
        case .granted: break
        case .pending: line += " The user's consent is pending: records stay on the device."
        case .denied: line += " The user's consent is denied: nothing is recorded."
        }
        if configuration.replaySettings.isEnabled, configuration.screenRecorder == nil {
            line += " No replay is recorded: the app does not set replay, of the product AstrolabeSessionReplay."
        }
        if configuration.endpoint == nil {
            line += " Nothing is sent: no endpoint is configured. Records stay on the device."
        }
        return line
    }

    /// The line that a release build without an endpoint writes to the log.
    static let noEndpoint =
        "Nothing is sent: this release build names no endpoint. Records stay on the device. Set "
        + "TelemetryConfiguration.endpoint, also to nil if this is what you want."

    /// Names the variables of OpenTelemetry that the app does not read; `nil` if there are none, or if it reads them.
    static func unreadVariables(_ environment: [String: String], _ configuration: TelemetryConfiguration) -> String? {
        guard !configuration.hasReadEnvironment else { return nil }
        // AstrolabeHTTP reads that of the conventions in every app.
        let names = environment.filter { name, value in
            name.hasPrefix("OTEL_") && name != "OTEL_SEMCONV_STABILITY_OPT_IN" && !value.isEmpty
        }.keys.sorted()
        guard !names.isEmpty else { return nil }
        return "Not read: \(names.joined(separator: ", ")). TelemetryConfiguration.load() reads environment variables; "
            + "the configuration of this app was made without it."
    }

    /// The message of a second call of `Telemetry.start`.
    static func secondStart(running: Telemetry, refused: TelemetryConfiguration) -> String {
        let name = running.setup?.configuration.serviceName ?? ""
        return "Telemetry.start was called again. It returned the running instance for \"\(name)\" and ignored the new "
            + "configuration for \"\(refused.serviceName)\". Call shutdown() first to start with another configuration."
    }

    private static func sampling(of telemetry: Telemetry, _ configuration: TelemetryConfiguration) -> String {
        if let sampler = configuration.sampler { return sampler.description }
        if let rate = configuration.fixedSamplingRate {
            let origin = configuration.sampling == .automatic ? "debug build or simulator" : "configured"
            return "\(percent(rate)) (\(origin))"
        }
        guard !configuration.isServer, let decision = telemetry.policyDecision else { return "100 % (no sessions)" }
        return "\(percent(decision.samplingRate)) (policy)"
    }

    private static func percent(_ rate: Double) -> String {
        let rounded = (rate * 1_000).rounded() / 10
        return (rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)) + " %"
    }
}
