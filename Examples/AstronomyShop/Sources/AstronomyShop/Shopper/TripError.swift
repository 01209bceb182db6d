/// Why a trip did not end as it should.
package enum TripError: Error, Hashable, Sendable {
    /// A step kept failing; `message` is what the screen said last.
    case gaveUp(step: String, attempts: Int, message: String)
    /// There was nothing to choose from.
    case nothingThere(step: String)
    /// An order was placed with a card that the shop should refuse.
    case refusedCardWasAccepted(orderID: String)
}

extension TripError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .gaveUp(let step, let attempts, let message):
            "the shopper gave up at \"\(step)\" after \(attempts) attempts; the app said: \(message)"
        case .nothingThere(let step):
            "the shopper found nothing to choose at \"\(step)\"; check that the shop has products"
        case .refusedCardWasAccepted(let orderID):
            "the shop placed order \(orderID) with an American Express card, which it should refuse"
        }
    }
}
