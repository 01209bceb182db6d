import Astrolabe
import AstrolabeDeviceConditions
import AstrolabeRecording
import AstrolabeTestSupport
import Foundation
import ShopAPI
import Testing

@testable import AstronomyShop

/// A value that must not be found anywhere, in all forms in which it could be written.
private struct Canary {
    let cardNumbers: [String]
    let securityCodes: [String]
    let addresses: [String]

    /// The values of them that a text holds. Security codes count where a name such as "cvv" stands before them.
    func found(in text: String) -> [String] {
        let lowercased = text.lowercased()
        let digits = String(lowercased.filter { !" -.+\u{2013}".contains($0) }).replacing("%20", with: "")
        let cards = cardNumbers.filter { digits.contains($0) || digits.contains($0.suffix(12)) }
        let codes = securityCodes.filter { code in
            ["cvv", "cvc"].contains { name in
                lowercased.ranges(of: name).contains { range in
                    lowercased[range.upperBound...].prefix(8).drop { !$0.isNumber }.prefix(while: \.isNumber) == code
                }
            }
        }
        return cards + codes + addresses.filter { lowercased.contains($0) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `No card, security code or e-mail address` {
    private static let canary = Canary(
        cardNumbers: ["4432801561520454", "378282246310005", "4432801561520455"],
        securityCodes: ["672", "1234", "987"],
        addresses: [
            "galileo@example.com", "caroline@example.com", "johannes@example.com", "maria@example.com", "@example",
        ],
    )

    @Test func `is found where it is`() {
        for text in [
            "4432-8015-6152-0454", "x4432801561520454y", #""creditCardCvv":672"#, "cvv is: 672", "Galileo@Example.com",
        ] {
            #expect(!Self.canary.found(in: text).isEmpty, "\(text)")
        }
        #expect(Self.canary.found(in: "order 672, card ending in 0454").isEmpty)
    }

    /// The response of a careless shop: everything it was sent, in several forms.
    private static func echo(_ request: RawServer.Request) -> String {
        let body = request.body.replacing("\"", with: "'")
        let spaced = body.replacing("-", with: " ")
        let bare = body.replacing("-", with: "")
        let query = request.target.removingPercentEncoding?.replacing("\"", with: "'") ?? ""
        return #"{"error":"cannot use \#(body) nor \#(spaced) nor \#(bare) of \#(query)"}"#
    }

    @Test func `is exported or stored by a whole trip, its failures included`() async throws {
        try await withShop { baseURL, _ in
            let (checkouts, quotes) = (Counting(), Counting())
            let shop = try proxy(to: baseURL) { request in
                if request.target.hasPrefix("/api/checkout") {
                    switch checkouts.next() {
                    case 1: return .answer(500, Self.echo(request))
                    case 2: return .answer(400, Self.echo(request))
                    case 3: return .answer(200, request.body)
                    case 4: return .answer(200, "{\"orderId\": " + request.body)
                    case 5: return .hangUp
                    default: return .pass
                    }
                }
                if request.target.hasPrefix("/api/shipping"), quotes.next() == 1 {
                    return .answer(500, Self.echo(request))
                }
                return .pass
            }
            let collector = try RawServer { _, connection in connection.answer(200, "", headers: "") }
            let folder = temporaryFolder()
            var configuration = TelemetryConfiguration(serviceName: "astronomy-shop")
            configuration.storageDirectory = folder
            configuration.endpoint = OTLPEndpoint(url: try collector.baseURL)
            configuration.endpoint?.isCompressed = false
            configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
            // On a simulated device in nominal conditions, whatever those of this machine are.
            configuration.conditions = SimulatedConditions(Conditions(network: .wifi, lifecycle: .active))
            let telemetry = Telemetry.start(configuration)
            let phone = Phone(try shop.baseURL, folder: folder, telemetry: telemetry)

            // What a careless app could remember for its next error, which takes it along.
            telemetry.addBreadcrumb(
                "paid with 4432-8015-6152-0454, cvv 672", category: "galileo@example.com",
                attributes: ["mail": "galileo@example.com", "number": 4_432_801_561_520_454, "creditCardCvv": 672],
            )
            let errors = try await fail(phone, until: { checkouts.value >= 5 })
            let summary = try await ShoppingTrip.run(
                baseURL: try shop.baseURL, telemetry: telemetry, seed: 3, thinkTime: .zero ... .zero,
            )
            let report = await telemetry.shutdown(timeout: .seconds(60))

            #expect(errors.count >= 6)
            #expect(report.ledger.delivered > 100)
            let exported = collector.requests.map(\.body).joined()
            #expect(exported.contains("CheckoutViewModel.placeOrder"))
            #expect(exported.contains("astrolabe.breadcrumbs") && exported.contains("paid with REDACTED"))
            #expect(Self.canary.found(in: "\(telemetry.breadcrumbs)").isEmpty)
            #expect(exported.contains("REDACTED"))
            #expect(exported.contains("upstream") == false)
            for event in ["product.viewed", "cart.product_added", "checkout.started", "order.placed", "order.failed"] {
                #expect(exported.contains("demo.\(event)"), "\(event) is not among what was searched")
            }
            #expect(Self.canary.found(in: exported).isEmpty)
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                let content = (try? Data(contentsOf: folder.appendingPathComponent(file))) ?? Data()
                #expect(Self.canary.found(in: String(decoding: content, as: UTF8.self)).isEmpty, "\(file)")
            }
            let shown = errors + summary.errorMessages + ["\(summary)", "\(phone.shop.checkout.payment)"]
            #expect(Self.canary.found(in: shown.joined(separator: "\n")).isEmpty)
        }
    }

    /// Orders until the shop has failed in every way, and returns what the screen said.
    @MainActor
    private func fail(_ phone: Phone, until isOver: () -> Bool) async throws -> [String] {
        var errors: [String] = []
        let checkout = phone.shop.checkout
        let product = try await phone.shop.services.products.fetchProduct(id: "LS4PSXUNUM", currencyCode: "USD")
        await phone.shop.cart.addProduct(product)
        await checkout.startCheckout()
        if case .failed(let message) = checkout.quote { errors.append(message) }
        await checkout.retryQuote()
        while !isOver() {
            await checkout.placeOrder()
            errors.append(try #require(checkout.errorMessage))
        }
        return errors
    }

    @Test func `is recorded of a card whose check digit is wrong, which only its sender can know`() async throws {
        let server = try RawServer { request, connection in connection.answer(400, Self.echo(request)) }
        let phone = await Phone(try server.baseURL)
        var payment = PaymentInfo.testData(at: Date())
        payment.cardNumber = "4432-8015-6152-0455"
        payment.securityCode = "987"
        let order = CheckoutRequest(
            userId: "a", userCurrency: "USD", address: ShippingInfo.testData.address, email: "maria@example.com",
            creditCard: try #require(payment.card),
        )
        let refusal = await #expect(throws: CheckoutRefusal.self) {
            try await phone.shop.services.checkout.placeOrder(order)
        }
        let recorded = phone.sink.bytes.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        #expect(recorded.contains("HTTP 400 Bad Request - Response: "))
        #expect(Self.canary.found(in: recorded).isEmpty)
        #expect(!recorded.contains("Observatory"))
        let shown = try #require(refusal)
        #expect(Self.canary.found(in: "\(shown) \(shown.userMessage)").isEmpty)
    }
}
