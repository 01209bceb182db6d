import Foundation
import ShopAPI
import Testing

@Suite struct ShippingTests {
    private func route(_ items: [CartItem], currency: String? = nil, to address: Address = Sample.address) -> ShopRoute
    {
        .shipping(items: items, address: address, currencyCode: currency)
    }

    @Test(arguments: Transport.allCases)
    func `shipping is 8 dollars 99 a piece, and comes unwrapped`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let items = [
                CartItem(productId: Sample.flashlight, quantity: 2),
                CartItem(productId: Sample.cometBook, quantity: 1),
            ]
            let answer = try await shop.send(route(items))
            #expect(answer.text == #"{"currencyCode":"USD","nanos":970000000,"units":26}"#)
            let one = [CartItem(productId: Sample.flashlight, quantity: 1)]
            // 8.99 USD in euros, derived by hand in CheckoutTests.
            #expect(
                try await shop.send(route(one, currency: "EUR")).decoded(Money.self)
                    == Money(currencyCode: "EUR", units: 7, nanos: 952_233_525))
            #expect(try await shop.send(route([])).decoded(Money.self) == .zero("USD"))
        }
    }

    @Test(arguments: Transport.allCases)
    func `bad input is 400 and names its field`(transport: Transport) async throws {
        let address = #"{"streetAddress":"s","city":"c","state":"","country":"c","zipCode":"z"}"#
        let queries: [(String, String)] = [
            ("address=\(address)", "itemList: "),
            ("itemList=[]", "address: "),
            ("itemList=x&address=\(address)", "itemList: "),
            (#"itemList=[{"productId":"LS4PSXUNUM","quantity":1.5}]&address=\#(address)"#, "itemList[0].quantity: "),
            (#"itemList=[{"productId":"LS4PSXUNUM","quantity":0}]&address=\#(address)"#, "itemList[0].quantity: "),
            (#"itemList=[{"productId":"LS4PSXUNUM","quantity":-1}]&address=\#(address)"#, "itemList[0].quantity: "),
            (#"itemList=[{"productId":"LS4PSXUNUM","quantity":1000}]&address=\#(address)"#, "itemList[0].quantity: "),
            (#"itemList=[{"productId":"NOSUCHTHNG","quantity":1}]&address=\#(address)"#, "itemList[0].productId: "),
            (#"itemList=[]&address={"streetAddress":"s"}"#, "address.city: "),
            ("itemList=[]&address=\(address.replacing("\"s\"", with: "\"\""))", "address.streetAddress: "),
            ("itemList=[]&address=\(address)&currencyCode=XYZ", "currencyCode: "),
        ]
        try await withShop(transport) { shop in
            for (query, field) in queries {
                let encoded = try #require(query.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed))
                let answer = try await shop.send("GET", "/api/shipping?\(encoded)")
                #expect(answer.status == 400, "\(query)")
                #expect(try answer.error().hasPrefix(field), "\(query): \(answer.text)")
            }
            let lines = Array(repeating: CartItem(productId: Sample.flashlight, quantity: 1), count: 51)
            #expect(try await shop.send(route(lines)).status == 400)
        }
    }
}
