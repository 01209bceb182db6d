/// The keys of baggage members that travel with each request to the shop.
public enum BaggageKey {
    /// The session a request belongs to, by which the backend's spans join the app's.
    ///
    /// Such as `00112233-4455-6677-8899-aabbccddeeff`.
    public static let sessionID = "session.id"

    /// `true` on requests that a load generator makes, for which no card is charged.
    public static let syntheticRequest = "synthetic_request"
}
