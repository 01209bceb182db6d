import Foundation
import ShopAPI
import Testing

@Suite struct CardTests {
    private static let number = "4432-8015-6152-0454"

    private func card(cvv: String) throws -> CreditCard {
        let json = """
            {"creditCardNumber":"\(Self.number)","creditCardCvv":\(cvv),\
            "creditCardExpirationYear":2030,"creditCardExpirationMonth":1}
            """
        return try ShopJSON.decode(CreditCard.self, from: Data(json.utf8))
    }

    @Test(arguments: [("672", 672), ("\"672\"", 672), ("\"012\"", 12), ("\"0123\"", 123), ("0", 0)])
    func `a security code is read as a number or as digits`(text: String, expected: Int) throws {
        #expect(try card(cvv: text).creditCardCvv == expected)
    }

    @Test(arguments: ["\"12\"", "\"12345\"", "\"1a3\"", "\"\"", "null", "true", "1.5"])
    func `a security code of another form is refused by name`(text: String) throws {
        let error = #expect(throws: ShopRouteError.self) { try card(cvv: text) }
        #expect(error?.description.hasPrefix("creditCardCvv: ") == true)
    }

    @Test func `a security code is sent as a number`() throws {
        let json = try ShopJSON.encode(try card(cvv: "\"012\""))
        #expect(
            String(decoding: json, as: UTF8.self) == """
                {"creditCardCvv":12,"creditCardExpirationMonth":1,"creditCardExpirationYear":2030,\
                "creditCardNumber":"\(Self.number)"}
                """)
    }

    @Test func `what a person types becomes a security code only if it is three or four digits`() {
        #expect(CreditCard.securityCode(from: "672") == 672)
        #expect(CreditCard.securityCode(from: "0001") == 1)
        #expect(CreditCard.securityCode(from: "67") == nil)
        #expect(CreditCard.securityCode(from: "+67") == nil)
        #expect(CreditCard.securityCode(from: "٦٧٢") == nil)
    }

    @Test func `no description shows the number, the code, the e-mail address or the postal address`() throws {
        let request = CheckoutRequest(
            userId: "u", userCurrency: "USD",
            address: Address(
                streetAddress: "1600 Amphitheatre", city: "Mountain View", state: "CA", country: "USA",
                zipCode: "94043",
            ),
            email: "someone@example.com", creditCard: try card(cvv: "672"),
        )
        var dumped = ""
        dump(request, to: &dumped)
        dump([request.creditCard], to: &dumped)
        let number = try #require(CardNumber(Self.number))
        dump(number, to: &dumped)
        let printed = "\(request) \(request.creditCard) \(String(reflecting: request)) \([request]) \(number)"
        let route = try ShopRoute.checkout(request).request()
        for text in [dumped, printed, "\(route) \(String(reflecting: route))", "\(Optional(request) as Any)"] {
            for secret in ["4432", "8015", "6152", "0454", "672", "someone", "Amphitheatre", "94043"] {
                #expect(!text.contains(secret), "\(secret) is in: \(text)")
            }
        }
    }

    @Test(
        arguments: [
            ("4432-8015-6152-0454", .visa, true), ("4111 1111 1111 1111", .visa, true), ("4222222222222", .visa, true),
            ("4111111111111112", .visa, false), ("5555555555554444", .masterCard, true),
            ("2223003122003222", .masterCard, true), ("2720990000000007", .masterCard, true),
            ("2721000000000004", .other, true), ("378282246310005", .americanExpress, true),
            ("30569309025904", .dinersClub, true), ("6011111111111117", .discover, true),
            ("3530111333300000", .jcb, true), ("6304000000000000", .other, true),
        ] as [(String, CardNumber.Network, Bool)])
    func `a card's network and check digit are told`(text: String, network: CardNumber.Network, passes: Bool) throws {
        let number = try #require(CardNumber(text))
        #expect(number.network == network)
        #expect(number.passesLuhnCheck == passes)
        #expect(text.hasSuffix(number.lastFour))
    }

    @Test(arguments: ["", "4111", "4111x11111111111", "41111111111111111111", "４１１１１１１１１１１１１１１１"])
    func `what is not 12 to 19 digits is no card number`(text: String) {
        #expect(CardNumber(text) == nil)
    }

    @Test func `changing any one digit breaks the check`() throws {
        let digits = Array("4432801561520454")
        for index in digits.indices {
            for digit in "0123456789" where digit != digits[index] {
                var changed = digits
                changed[index] = digit
                #expect(try #require(CardNumber(String(changed))).passesLuhnCheck == false)
            }
        }
    }
}
