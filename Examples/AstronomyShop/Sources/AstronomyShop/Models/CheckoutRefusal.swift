import Foundation

/// The shop will not take an order as it is: a card it does not accept, a cart that is empty, an address it cannot use.
struct CheckoutRefusal: LocalizedError, TelemetryTyped, Hashable {
    let answer: HTTPError

    /// nil for answers that say nothing about the order: the shop in trouble, or busy.
    init?(_ error: HTTPError) {
        guard let status = error.status, [400, 402, 403, 409, 422].contains(status) else { return nil }
        answer = error
    }

    var errorDescription: String? { answer.errorDescription }
    var errorType: String { answer.errorType }
}

extension CheckoutRefusal: UserFacing {
    /// The shop's own words, which are written for people, without the field's name that they begin with.
    var userMessage: String {
        guard let words = answer.shopMessage.map(Self.sentence), !words.isEmpty else { return answer.userMessage }
        return "Your order was not placed. " + words
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
