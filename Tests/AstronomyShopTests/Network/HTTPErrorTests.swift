import Foundation
import ShopContract
import Testing

@testable import AstronomyShop

@Suite struct `An HTTP error` {
    private func error(_ status: Int, _ body: String, sensitive: SensitiveValues = .none) -> HTTPError {
        HTTPError(
            route: "GET /api/products",
            response: HTTPResponse(
                status: status, announcedLength: nil, contentType: nil, body: Data(body.utf8), bodyIsCut: false,
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

    @Test(arguments: [404, 418, 500, 599, 299]) func `has a phrase for every status`(status: Int) {
        let phrase = HTTPStatus.reasonPhrase(status)
        #expect(error(status, "").description == "HTTP \(status) \(phrase) - Response: (empty)")
        #expect(phrase != "Unknown Status")
    }

    @Test func `tells a person what to do, without technical detail`() {
        let errors =
            [400, 404, 429, 500, 504].map { error($0, "<html>") }
            + [.offline, .timedOut, .connectionLost, .connectionRefused, .answerTooLarge].map {
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

    @Test func `keeps 2 KiB of a long body and says how long it was`() throws {
        let error = error(500, String(repeating: "é", count: 3_000))
        guard case .status(_, let body) = error.reason else { throw error }
        #expect(body.hasPrefix(String(repeating: "é", count: 1_024) + "…"))
        #expect(body.hasSuffix("(cut; 6000 bytes)"))
    }

    @Test func `names the size and type of a body that is no text`() {
        let response = HTTPResponse(
            status: 500, announcedLength: nil, contentType: "image/png", body: Data([0xFF, 0xD8, 0xFF]),
            bodyIsCut: false,
        )
        let error = HTTPError(route: "GET /", response: response, sensitive: .none)
        #expect(error.description == "HTTP 500 Internal Server Error - Response: (3 bytes of image/png)")
    }

    @Test func `reads a body that was cut within a character`() {
        let response = HTTPResponse(
            status: 500, announcedLength: 9, contentType: nil, body: Data("déjà vu é".utf8.dropLast()), bodyIsCut: true,
        )
        let error = HTTPError(route: "GET /", response: response, sensitive: .none)
        #expect(error.description == "HTTP 500 Internal Server Error - Response: déjà vu … (cut; 9 bytes)")
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
        let errors: [any Error] = [HTTPError(route: "", reason: .invalidURL), TransportFailure.timedOut, Unheard()]
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
