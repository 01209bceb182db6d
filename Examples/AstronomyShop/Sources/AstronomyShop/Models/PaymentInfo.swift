import Foundation
import ShopAPI
import SwiftUI

/// The content of the payment form.
///
/// The form only checks whether the card can exist; the shop decides whether it accepts it. The description contains
/// none of the values.
struct PaymentInfo: Hashable, Sendable {
    enum Field: String, CaseIterable, Sendable {
        case cardNumber, securityCode, expiration
    }

    /// With or without spaces and dashes.
    var cardNumber = ""
    /// Three or four digits.
    var securityCode = ""
    /// From 1 to 12.
    var expirationMonth = 1
    /// Four digits.
    var expirationYear = 2000

    /// - Parameter now: The current time. A card is valid through the last day of its month in UTC, as in the shop.
    func problems(at now: Date) -> FormProblems<Field> {
        var problems = FormProblems<Field>()
        if CardNumber(cardNumber)?.passesLuhnCheck != true {
            problems[.cardNumber] = String(localized: "This is not a card number. Please check its digits.")
        }
        if CreditCard.securityCode(from: securityCode) == nil {
            problems[.securityCode] = String(localized: "Enter the three or four digits of the security code.")
        }
        let (year, month) = Self.month(of: now)
        if !(1...12).contains(expirationMonth) || expirationYear > year + 50 {
            problems[.expiration] = String(localized: "Enter the month and year on the card.")
        } else if (expirationYear, expirationMonth) < (year, month) {
            problems[.expiration] = String(localized: "This card has expired.")
        }
        return problems
    }

    /// The card's network, the only property of it that telemetry may contain.
    var network: CardNumber.Network { CardNumber(cardNumber)?.network ?? .other }

    /// The payment information for the shop; `nil` if the security code is invalid.
    var card: CreditCard? {
        CreditCard.securityCode(from: securityCode).map { code in
            CreditCard(
                creditCardNumber: cardNumber.trimmed, creditCardCvv: code, creditCardExpirationYear: expirationYear,
                creditCardExpirationMonth: expirationMonth,
            )
        }
    }

    private static func month(of date: Date) -> (year: Int, month: Int) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return (calendar.component(.year, from: date), calendar.component(.month, from: date))
    }
}

extension PaymentInfo {
    /// A VISA test number that the shop accepts, valid for three more years.
    static func testData(at now: Date) -> PaymentInfo {
        PaymentInfo(
            cardNumber: "4432-8015-6152-0454", securityCode: "672", expirationMonth: 1,
            expirationYear: month(of: now).year + 3,
        )
    }

    /// A valid American Express test number, which the shop refuses because of its network.
    static func refusedTestData(at now: Date) -> PaymentInfo {
        PaymentInfo(
            cardNumber: "3782-822463-10005", securityCode: "1234", expirationMonth: 1,
            expirationYear: month(of: now).year + 3,
        )
    }
}

extension PaymentInfo: Redacted {
    var description: String { "PaymentInfo(redacted)" }
}
