import Foundation
import ShopAPI
import Testing

@testable import AstronomyShop

@Suite struct `The shipping form` {
    @Test func `is filled in and complete at first`() {
        #expect(ShippingInfo.testData.isComplete)
        #expect(ShippingInfo.testData.problems.fields.isEmpty)
    }

    @Test func `says what is missing, field by field`() {
        let problems = ShippingInfo().problems
        #expect(problems.fields == [.email, .streetAddress, .city, .country, .zipCode])
        #expect(problems[.city] == "Enter the city.")
        #expect(problems[.state] == nil)
    }

    @Test(arguments: [
        "", "a", "a@", "@example.com", "a@example", "a b@example.com", "a@b@example.com", "a@.com", "a@com.",
    ])
    func `does not take what is no e-mail address`(email: String) {
        var info = ShippingInfo.testData
        info.email = email
        #expect(info.problems.fields == [.email])
    }

    @Test(arguments: [
        ("90027", true), ("90027-1234", true), ("9002", false), ("90027-", false), ("ABCDE", false), ("９００２７", false),
    ])
    func `asks for a ZIP code in the United States`(code: String, isTaken: Bool) {
        var info = ShippingInfo.testData
        info.zipCode = code
        #expect(info.isComplete == isTaken)
    }

    @Test func `needs no state elsewhere, and takes other postal codes`() {
        var info = ShippingInfo.testData
        info.state = " "
        #expect(info.problems.fields == [.state])
        info.country = "United Kingdom"
        info.zipCode = "SE10 8XJ"
        #expect(info.isComplete)
    }

    @Test func `refuses what the shop would find too long`() {
        var info = ShippingInfo.testData
        info.streetAddress = String(repeating: "x", count: 257)
        info.email = String(repeating: "x", count: 250) + "@example.com"
        #expect(info.problems.fields == [.streetAddress, .email])
    }

    @Test func `sends what was typed without the spaces around it`() {
        var info = ShippingInfo.testData
        info.city = "  Los Angeles\n"
        #expect(info.address.city == "Los Angeles")
    }
}

@Suite struct `The payment form` {
    /// 15 March 2027, noon, UTC.
    private let now = Date(timeIntervalSince1970: 1_805_112_000)

    @Test func `is filled in with a card that the shop takes`() {
        let info = PaymentInfo.testData(at: now)
        #expect(info.cardNumber == "4432-8015-6152-0454")
        #expect(info.expirationYear == 2030)
        #expect(info.problems(at: now).isEmpty)
        #expect(info.network == .visa)
        #expect(info.card?.creditCardCvv == 672)
    }

    @Test func `takes any card that could exist, and leaves the choice of networks to the shop`() {
        let info = PaymentInfo.refusedTestData(at: now)
        #expect(info.problems(at: now).isEmpty)
        #expect(info.network == .americanExpress)
    }

    @Test(arguments: ["", "4432-8015-6152-0455", "4432", "4432-8015-6152-O454"])
    func `does not take what is no card number`(number: String) {
        var info = PaymentInfo.testData(at: now)
        info.cardNumber = number
        #expect(info.problems(at: now).fields == [.cardNumber])
    }

    @Test(arguments: ["", "67", "67a", "67212", "-12"]) func `does not take what is no security code`(code: String) {
        var info = PaymentInfo.testData(at: now)
        info.securityCode = code
        #expect(info.problems(at: now).fields == [.securityCode])
        #expect(info.card == nil)
    }

    @Test(arguments: [
        (3, 2027, nil), (2, 2027, "This card has expired."), (12, 2026, "This card has expired."), (1, 2028, nil),
        (13, 2028, "Enter the month and year on the card."), (0, 2028, "Enter the month and year on the card."),
        (1, 9_999, "Enter the month and year on the card."),
    ])
    func `takes a card through its month`(month: Int, year: Int, problem: String?) {
        var info = PaymentInfo.testData(at: now)
        info.expirationMonth = month
        info.expirationYear = year
        #expect(info.problems(at: now)[.expiration] == problem)
    }

    @Test func `shows nothing of itself`() {
        var dumped = ""
        dump((PaymentInfo.testData(at: now), ShippingInfo.testData), to: &dumped)
        let text = "\(PaymentInfo.testData(at: now)) \(ShippingInfo.testData) \(dumped)"
        for secret in ["4432", "672", "galileo", "Observatory"] { #expect(!text.contains(secret)) }
    }
}
