import Combine

/// The session that telemetry and the cart share.
///
/// The SDK keeps it over launches and ends it after inactivity. The app ends it after an order, which also starts a new
/// cart.
@MainActor
final class SessionManager: ObservableObject {
    /// Publishes changes of the session, whose id is in the SDK.
    @Published private var resets = 0
    private let session: ShopTelemetry.Session

    init(_ telemetry: ShopTelemetry) {
        session = telemetry.session
    }

    /// A UUID: `session.id` in telemetry and baggage, `sessionId` and `userId` at the shop.
    var sessionID: String { session.currentID() }

    func recordUserActivity() {
        session.recordUserActivity()
    }

    /// Ends the session. Later records and cart items belong to the next one.
    ///
    /// - Returns: The id of the new session.
    @discardableResult
    func startNewSession() -> String {
        resets += 1
        return session.reset()
    }
}
