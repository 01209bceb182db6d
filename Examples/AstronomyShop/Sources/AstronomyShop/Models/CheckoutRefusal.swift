import Foundation
import SwiftUI

/// A refusal of an order by the shop: a card that it does not accept, an empty cart, or an invalid address.
struct CheckoutRefusal: LocalizedError, TelemetryTyped, Hashable {
    let answer: HTTPError

    /// Returns `nil` for responses that do not concern the order, such as 429 or 503.
    init?(_ error: HTTPError) {
        guard let status = error.status, [400, 402, 403, 409, 422].contains(status) else { return nil }
        answer = error
    }

    var errorDescription: String? { answer.errorDescription }
    var errorType: String { answer.errorType }

    /// True if the shop refuses the card. The message begins with the name of the field at fault.
    var concernsPayment: Bool { answer.shopMessage?.hasPrefix("creditCard") == true }
}

extension CheckoutRefusal: UserFacing {
    /// The shop's message, without the name of the field at its beginning, and translated if it is a known one.
    var userMessage: String {
        guard let words = answer.shopMessage.map(Self.sentence), !words.isEmpty else { return answer.userMessage }
        let reason = String(localized: String.LocalizationValue(words))
        return String(localized: "Your order was not placed. \(reason)")
    }

    private static func sentence(_ message: String) -> String {
        var words = String(message.prefix(300))
        if let colon = words.range(of: ": "), !words[..<colon.lowerBound].contains(" ") {
            words = String(words[colon.upperBound...])
        }
        guard let last = words.last else { return "" }
        return words.prefix(1).uppercased() + words.dropFirst() + (".!?".contains(last) ? "" : ".")
    }
}
