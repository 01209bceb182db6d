import Foundation
import ShopAPI

/// The rules by which a card is taken: what the payment service of the OpenTelemetry demo asks for, in its words.
enum Payment {
    /// Why a card is not charged. The message is for the buyer; it holds at most the card's last four digits.
    enum Refusal: Error, Hashable {
        /// Not a card number, or its check digit is wrong, or the security code or month cannot be.
        case invalid(field: String)
        case networkNotAccepted(CardNumber.Network)
        case expired(lastFour: String, month: Int, year: Int)

        /// The part of the checkout that is at fault.
        var field: String {
            switch self {
            case .invalid(let field): field
            case .networkNotAccepted: "creditCard.creditCardNumber"
            case .expired: "creditCard.creditCardExpirationYear"
            }
        }

        var message: String {
            switch self {
            case .invalid:
                "Credit card info is invalid."
            case .networkNotAccepted(let network):
                "Sorry, we cannot process \(network.rawValue) credit cards; only VISA or MasterCard is accepted."
            case .expired(let lastFour, let month, let year):
                "The credit card (ending \(lastFour)) expired on \(month)/\(year)."
            }
        }

        /// One word for metrics and spans.
        var reason: String {
            switch self {
            case .invalid: "invalid"
            case .networkNotAccepted: "network"
            case .expired: "expired"
            }
        }
    }

    /// The card's network, once every rule is met. A card is good through its month, in UTC.
    static func check(_ card: CreditCard, at time: Date) throws(Refusal) -> CardNumber.Network {
        guard let number = CardNumber(card.creditCardNumber), number.passesLuhnCheck else {
            throw .invalid(field: "creditCard.creditCardNumber")
        }
        guard (0...9999).contains(card.creditCardCvv) else {
            throw .invalid(field: "creditCard.creditCardCvv")
        }
        guard (1...12).contains(card.creditCardExpirationMonth) else {
            throw .invalid(field: "creditCard.creditCardExpirationMonth")
        }
        guard (2000...9999).contains(card.creditCardExpirationYear) else {
            throw .invalid(field: "creditCard.creditCardExpirationYear")
        }
        guard number.network == .visa || number.network == .masterCard else {
            throw .networkNotAccepted(number.network)
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let year = calendar.component(.year, from: time)
        let month = calendar.component(.month, from: time)
        guard (card.creditCardExpirationYear, card.creditCardExpirationMonth) >= (year, month) else {
            throw .expired(
                lastFour: number.lastFour, month: card.creditCardExpirationMonth, year: card.creditCardExpirationYear,
            )
        }
        return number.network
    }
}

extension Payment.Refusal: CustomStringConvertible {
    /// Goes into spans and logs: without the last four digits.
    var description: String { "payment refused: \(reason)" }
}
