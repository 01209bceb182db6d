public import Astrolabe
import AstrolabeSemantics
import Foundation

/// The origin that a request names to hosts that may know it.
///
/// The session travels as baggage `session.id` and as `X-Session-Id`, the installation as `X-Device-Id`, the version
/// as `X-App-Version`; what is empty is left out. By them a backend's records belong to the session of the phone, also
/// where the trace is not recorded. ``HTTPTracing`` sends the headers only if the app sets an identity.
public struct HTTPIdentity: Sendable {
    /// Called for each request; empty if there is no session.
    package var sessionID: @Sendable () -> String
    /// Tells installations apart, not people or hardware. Asked for each request.
    package var installationID: @Sendable () -> String
    /// The marketing version: "1.4.0". Asked for each request.
    package var appVersion: @Sendable () -> String
    /// True if the identity has headers of its own. False for the default of ``HTTPTracing``.
    var hasHeaders = true

    /// Creates an identity; an empty part is not sent.
    ///
    /// The arguments are evaluated for each request. So a request after a refusal does not name what was erased.
    public init(
        installationID: @autoclosure @escaping @Sendable () -> String = "",
        appVersion: @autoclosure @escaping @Sendable () -> String = "",
        sessionID: @escaping @Sendable () -> String = { "" },
    ) {
        self.sessionID = sessionID
        self.installationID = installationID
        self.appVersion = appVersion
    }

    /// The SDK's session and installation, and the service version of its resource, as they are at each request. Asking
    /// is no activity.
    ///
    /// Session and installation are sent only while consent is granted, and the version not while it is denied.
    public init(_ telemetry: Telemetry) {
        self.init(
            installationID: telemetry.namesItself ? telemetry.installationID : "",
            appVersion: telemetry.resource.attributes[AttributeKey.serviceVersion]?.stringValue ?? "",
            sessionID: { telemetry.namesItself ? telemetry.session.current?.id ?? "" : "" },
        )
    }

    /// The headers of one request, with an id of its own.
    func headers(sessionID: String) -> [(name: String, value: String)] {
        guard hasHeaders else { return [] }
        return [
            (HeaderName.requestID, UUID().uuidString.lowercased()), (HeaderName.sessionID, sessionID),
            (HeaderName.deviceID, installationID()), (HeaderName.appVersion, appVersion()),
        ].filter { !$0.1.isEmpty }
    }
}
