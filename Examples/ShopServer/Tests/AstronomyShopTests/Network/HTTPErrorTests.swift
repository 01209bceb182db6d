import AstrolabeHTTP
import Foundation
import ShopAPI
import Testing

@testable import AstronomyShop

@Suite struct `An HTTP error` {
    private func error(_ status: Int, _ body: String, sensitive: SensitiveValues = .none) -> HTTPError {
        HTTPError(
            route: "GET /api/products",
            HTTPRequestError(
                request: "GET /api/products", reason: .answer(TracedResponse(status: status, body: Data(body.utf8))),
            ),
            sensitive: sensitive,
        )
    }

    @Test func `tells developers the status, its phrase and the body`() {
        let error = error(504, #"{"error": "upstream timeout"}"#)
        #expect(error.description == #"HTTP 504 Gateway Timeout - Response: {"error": "upstream timeout"}"#)
        #expect(error.localizedDescription == error.description)
        #expect(error.errorType == "504")
    }

    @Test func `tells a person what to do, without technical detail`() {
        let errors =
            [400, 404, 429, 500, 504].map { error($0, "<html>") }
            + [.offline, .timedOut, .connectionLost, .connectionRefused, .responseTooLarge].map {
                HTTPError(route: "GET /api/cart", reason: .transport($0))
            }
        for error in errors {
            #expect(!error.userMessage.contains("HTTP"))
            #expect(!error.userMessage.contains("/api"))
            #expect(!error.userMessage.contains("<html>"))
            #expect(error.userMessage.hasSuffix("."))
        }
        #expect(error(500, "").userMessage != error(404, "").userMessage)
    }

    @Test func `never holds half of a sensitive value at the place where it is cut`() {
        let card = CreditCard(
            creditCardNumber: "4432-8015-6152-0454", creditCardCvv: 672, creditCardExpirationYear: 2030,
            creditCardExpirationMonth: 1,
        )
        let address = Address(streetAddress: "1 Road", city: "", state: "", country: "", zipCode: "")
        let sensitive = SensitiveValues(address: address, card: card)
        for padding in 2_028...2_049 {
            let text = error(500, String(repeating: "x", count: padding) + " 4432801561520454", sensitive: sensitive)
            #expect(!text.description.contains("44"))
        }
    }

    @Test func `is named by its own word in telemetry, and other errors by their type`() {
        struct Unheard: Error {}
        let errors: [any Error] = [
            HTTPError(route: "", reason: .invalidURL), HTTPError(route: "", reason: .transport(.timedOut)), Unheard(),
        ]
        #expect(errors.map(\.telemetryType).prefix(2) == ["invalid_url", "timeout"])
        #expect(errors[2].telemetryType.hasSuffix("Unheard"))
        #expect(errors[2].messageForPerson == "Something went wrong. Please try again.")
    }

    @Test func `finds the shop's own words`() {
        #expect(error(400, #"{"error":"cart: is empty"}"#).shopMessage == "cart: is empty")
        #expect(error(400, "<html>").shopMessage == nil)
    }

    @Test func `shows the shop's words on a refused order without the field's name`() throws {
        let refusal = try #require(
            CheckoutRefusal(error(400, #"{"error":"creditCard.creditCardNumber: credit card info is invalid"}"#)))
        #expect(refusal.userMessage == "Your order was not placed. Credit card info is invalid.")
        #expect(CheckoutRefusal(error(500, "")) == nil)
        #expect(CheckoutRefusal(HTTPError(route: "", reason: .transport(.timedOut))) == nil)
        let mute = try #require(CheckoutRefusal(error(400, "<html>")))
        #expect(mute.userMessage == "The shop did not accept this. Please check what you entered and try again.")
    }
}
