package import ShopAPI

/// The result of a trip, with the ids that find it in telemetry and in the backend's log.
package struct TripSummary: Codable, Hashable, Sendable {
    /// A step, with the trace that it started.
    package struct Step: Codable, Hashable, Sendable {
        /// The name of the root span: "tap Place Order".
        package let name: String
        /// 32 hexadecimal digits, which are all zero if telemetry is disabled.
        package let traceID: String
        /// The error message on the screen, if any.
        package let errorMessage: String?
    }

    package let orderID: String
    package let trackingID: String
    /// Items and shipping.
    package let total: Money
    /// The number of ordered pieces.
    package let itemCount: Int
    /// The session of the trip: `session.id`, and the cart's id.
    package let sessionID: String
    /// The session that started after the order.
    package let nextSessionID: String
    /// The trace from the tap on "Place Order" to the backend.
    package let checkoutTraceID: String
    /// The trace of the refused attempt.
    package let refusedTraceID: String
    package let steps: [Step]

    /// The error messages on the screens, including that for the refused card.
    package var errorMessages: [String] { steps.compactMap(\.errorMessage) }
}
