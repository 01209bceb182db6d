import Astrolabe
import AstrolabeDeclarative
import Foundation

func askForConsent(isAllowed: Bool) async {
    // snippet: consent-pending
    var configuration = TelemetryConfiguration(serviceName: "my-app")
    configuration.consent = .pending
    let telemetry = Telemetry.start(configuration)
    // When the user has answered:
    await telemetry.setConsent(isAllowed ? .granted : .denied)
    // snippet: end
}

#if canImport(Darwin)
func shareConsent(_ configuration: inout TelemetryConfiguration) {
    // snippet: consent-directory
    configuration.consentDirectory = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: "group.com.example.my-app")
    // snippet: end
}
#endif

func addRedaction(_ configuration: inout TelemetryConfiguration) {
    // snippet: redaction-additions
    configuration.redaction.personalData = [.phoneNumbers, .ipAddresses, .locations]
    configuration.redaction.patterns = ["MRN-#######", "acct_*", "Ada Lovelace"]
    configuration.redaction.secretKeys = ["customer_id"]
    // snippet: end
}

func loadDeclarative() throws -> TelemetryConfiguration {
    // snippet: declarative-environment
    let configuration = try TelemetryConfiguration.load(declarativeIn: ProcessInfo.processInfo.environment)
    // snippet: end
    return configuration
}

func recordOnServer(_ configuration: inout TelemetryConfiguration) {
    // snippet: server-recorder
    configuration.recorder.isEnabled = true
    // snippet: end
}

func addressOfBackend() -> String {
    // snippet: backend-address
    let backend = ProcessInfo.processInfo.environment["ASTROLABE_BACKEND_URL"] ?? "https://api.example.com"
    // snippet: end
    return backend
}
