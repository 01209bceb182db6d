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
            "step \"\(step)\" failed after \(attempts) attempts. Last message of the app: \(message)"
        case .nothingThere(let step):
            "step \"\(step)\" found nothing to choose. Check that the shop has products."
        case .refusedCardWasAccepted(let orderID):
            "the shop accepted order \(orderID) with an American Express card. Expected a refusal."
        }
    }
}
