import ShopAPI
import Testing

@testable import AstronomyShop

@Suite struct `Sensitive values` {
    private let values = SensitiveValues(
        address: Address(
            streetAddress: "2800 East Observatory Road", city: "Los Angeles", state: "CA", country: "US",
            zipCode: "90027",
        ),
        email: "galileo@example.com",
        card: CreditCard(
            creditCardNumber: "4432-8015-6152-0455", creditCardCvv: 672, creditCardExpirationYear: 2030,
            creditCardExpirationMonth: 1,
        ),
    )

    @Test(arguments: [
        "4432801561520455", "4432-8015-6152-0455", "4432 8015 6152 0455", "4432.8015.6152.0455",
        "4432%2D8015%2D6152%2D0455",
        "4432\u{2013}8015\u{2013}6152\u{2013}0455", "4 4 3 2 8 0 1 5 6 1 5 2 0 4 5 5",
    ])
    func `a card number is found however it is grouped, though its check digit is wrong`(number: String) {
        #expect(values.scrubbed("card \(number) was declined") == "card REDACTED was declined")
    }

    @Test(arguments: [#"{"cvv":672}"#, #"{"creditCardCvv": "672"}"#, "cvv=672", "672"])
    func `a security code is found as a number of its own`(text: String) {
        #expect(!values.scrubbed(text).contains("672"))
    }

    @Test func `a longer number that holds the security code stays`() {
        #expect(values.scrubbed("order 16720, 6725 and 1672") == "order 16720, 6725 and 1672")
    }

    @Test func `a security code with a leading zero is found in both forms`() {
        let card = CreditCard(
            creditCardNumber: "5", creditCardCvv: 12, creditCardExpirationYear: 2030, creditCardExpirationMonth: 1,
        )
        let values = SensitiveValues(
            address: Address(streetAddress: "", city: "", state: "", country: "", zipCode: ""), card: card,
        )
        #expect(values.scrubbed("cvv 012, cvv 12") == "cvv REDACTED, cvv REDACTED")
    }

    @Test func `address and e-mail are found whatever their case`() {
        #expect(
            values.scrubbed("to GALILEO@example.com at 2800 east observatory road, Los Angeles")
                == "to REDACTED at REDACTED, Los Angeles")
    }

    @Test func `other text stays as it is`() {
        let text = "größer: 442, 80%, {\"orderId\":\"8015-61\"} 4432 8015 6152"
        #expect(values.scrubbed(text) == text)
        #expect(SensitiveValues.none.scrubbed("4432801561520455") == "4432801561520455")
    }

    @Test func `the values show nothing of themselves`() {
        var dumped = ""
        dump(values, to: &dumped)
        #expect("\(values) \(dumped)" == "SensitiveValues(redacted) - SensitiveValues(redacted)\n")
    }
}
