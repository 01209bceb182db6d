package import ShopAPI

/// What came of a trip: enough to find it again in telemetry and in the backend's log.
package struct TripSummary: Codable, Hashable, Sendable {
    /// One step, in the trace that it began.
    package struct Step: Codable, Hashable, Sendable {
        /// The name of the root span: "tap Place Order".
        package let name: String
        /// 32 hexadecimal digits; all zero where telemetry is disabled.
        package let traceID: String
        /// What the screen said went wrong, if anything did.
        package let errorMessage: String?
    }

    package let orderID: String
    package let trackingID: String
    /// Items and shipping.
    package let total: Money
    /// Pieces ordered.
    package let itemCount: Int
    /// The session of the trip: `session.id`, and the cart's id.
    package let sessionID: String
    /// The session that began with the order.
    package let nextSessionID: String
    /// The trace that leads from the tap on "Place Order" to the backend.
    package let checkoutTraceID: String
    /// The trace of the attempt that was refused.
    package let refusedTraceID: String
    package let steps: [Step]

    /// What the screens said went wrong, the refused card included.
    package var errorMessages: [String] { steps.compactMap(\.errorMessage) }
}
