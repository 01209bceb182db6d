/// The reason why a trip failed.
package enum TripError: Error, Hashable, Sendable {
    /// A step failed repeatedly. `message` is the last message on the screen.
    case gaveUp(step: String, attempts: Int, message: String)
    /// The screen had nothing to choose from.
    case nothingThere(step: String)
    /// The shop accepted a card that it should refuse.
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
