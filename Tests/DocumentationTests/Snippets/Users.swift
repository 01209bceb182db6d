import Astrolabe

struct Account {
    var id: String
    var isSeller: Bool
}

func signedIn(_ account: Account, telemetry: Telemetry) {
    // snippet: set-user
    telemetry.setUser(id: account.id, roles: account.isSeller ? ["seller"] : [])
    // snippet: end
}

func signedOut(telemetry: Telemetry) {
    // snippet: clear-user
    telemetry.clearUser()
    telemetry.session.reset()  // Another person begins with a session of their own.
    // snippet: end
}

func allowAddress(_ configuration: inout TelemetryConfiguration) {
    // snippet: recorded-user-keys
    configuration.redaction.recordedUserKeys = [AttributeKey.userEmail]
    // snippet: end
}

func readFlag(telemetry: Telemetry) {
    // snippet: feature-flag
    telemetry.recordFeatureFlag(
        "checkout-button", variant: "green", reason: "split", provider: "Flags", addsToSpan: true,
    )
    // snippet: end
}
