import Combine

/// The app's view on the session that telemetry and the cart share.
///
/// The SDK keeps it over launches and ends it after inactivity; the app ends it after an order, and with the new
/// session there is a new cart.
@MainActor
final class SessionManager: ObservableObject {
    /// Tells the view of a new session, whose id itself is the SDK's.
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

    /// Ends the session. What is recorded and put into a cart from here on belongs to the next.
    ///
    /// - Returns: The id of the new session.
    @discardableResult
    func startNewSession() -> String {
        resets += 1
        return session.reset()
    }
}
