import Foundation
import ShopAPI
import Testing

/// The exact JSON of what the routes carry.
@Suite struct WireTests {
    private let flashlight = Product(
        id: "LS4PSXUNUM", name: "Red Flashlight", description: "Red.", picture: "RedFlashlight.jpg",
        priceUsd: usd(57, 80_000_000), categories: ["accessories", "flashlights"],
    )

    private let productJSON = """
        {"categories":["accessories","flashlights"],"description":"Red.","id":"LS4PSXUNUM","name":"Red Flashlight",\
        "picture":"RedFlashlight.jpg","priceUsd":{"currencyCode":"USD","nanos":80000000,"units":57}}
        """

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try ShopJSON.encode(value), as: UTF8.self)
    }

    @Test func `a product`() throws {
        #expect(try json(flashlight) == productJSON)
        #expect(try ShopJSON.decode(Product.self, from: Data(productJSON.utf8)) == flashlight)
    }

    @Test func `a cart with and without products`() throws {
        let bare = ServerCart(userId: "u", items: [ServerCartItem(productId: "LS4PSXUNUM", quantity: 2)])
        #expect(try json(bare) == #"{"items":[{"productId":"LS4PSXUNUM","quantity":2}],"userId":"u"}"#)
        let full = ServerCart(
            userId: "u", items: [ServerCartItem(productId: "LS4PSXUNUM", quantity: 2, product: flashlight)],
        )
        #expect(
            try json(full)
                == #"{"items":[{"product":\#(productJSON),"productId":"LS4PSXUNUM","quantity":2}],"userId":"u"}"#)
        #expect(try json(ServerCart.empty) == #"{"items":[],"userId":""}"#)
    }

    @Test func `an item to add, and a cart to empty`() throws {
        let addition = AddItemRequest(userId: "u", item: CartItem(productId: "LS4PSXUNUM", quantity: -1))
        #expect(try json(addition) == #"{"item":{"productId":"LS4PSXUNUM","quantity":-1},"userId":"u"}"#)
        #expect(try json(EmptyCartRequest(userId: "u")) == #"{"userId":"u"}"#)
    }

    @Test func `an order, whose totals multiply by the quantity`() throws {
        let address = Address(streetAddress: "s", city: "c", state: "st", country: "co", zipCode: "z")
        let order = CheckoutResponse(
            orderId: "o", shippingTrackingId: "t", shippingCost: usd(26, 970_000_000), shippingAddress: address,
            items: [
                OrderItem(
                    cost: usd(57, 80_000_000),
                    item: OrderItemDetail(productId: "LS4PSXUNUM", quantity: 3, product: flashlight),
                )
            ],
        )
        #expect(
            try json(order) == """
                {"items":[{"cost":{"currencyCode":"USD","nanos":80000000,"units":57},\
                "item":{"product":\(productJSON),"productId":"LS4PSXUNUM","quantity":3}}],"orderId":"o",\
                "shippingAddress":{"city":"c","country":"co","state":"st","streetAddress":"s","zipCode":"z"},\
                "shippingCost":{"currencyCode":"USD","nanos":970000000,"units":26},"shippingTrackingId":"t"}
                """)
        #expect(try order.items[0].total == usd(171, 240_000_000))
        #expect(try order.itemsTotal == usd(171, 240_000_000))
        #expect(try order.total == usd(198, 210_000_000))
        #expect(order.itemCount == 3)
    }

    @Test func `a cart's total multiplies, and an empty one is zero in the currency asked for`() throws {
        let cart = ServerCart(
            userId: "u", items: [ServerCartItem(productId: "LS4PSXUNUM", quantity: 2, product: flashlight)],
        )
        #expect(try cart.itemsTotal(currencyCode: "USD") == usd(114, 160_000_000))
        #expect(try ServerCart.empty.itemsTotal(currencyCode: "EUR") == .zero("EUR"))
        #expect(throws: MoneyError.self) { try cart.itemsTotal(currencyCode: "EUR") }
        #expect(cart.itemCount == 2)
    }

    @Test func `advertisements, errors, health and flags`() throws {
        #expect(
            try json(Advertisement(redirectUrl: "/product/1", text: "t")) == #"{"redirectUrl":"/product/1","text":"t"}"#
        )
        #expect(try json(ShopErrorBody(error: "e")) == #"{"error":"e"}"#)
        #expect(
            try json(ShopHealth(products: 10, carts: 1, orders: 2))
                == #"{"carts":1,"orders":2,"products":10,"status":"ok"}"#)
        #expect(
            try json(FaultFlags()) == """
                {"adFailure":false,"cartFailure":0,"imageSlowLoad":0,"intlShippingSlowdown":0,"paymentFailure":0,\
                "paymentUnreachable":false,"productCatalogFailure":false,"recommendationCacheFailure":false}
                """)
    }

    @Test(arguments: [
        (#"{"userId":"u","item":{"productId":"p","quantity":"2"}}"#, "item.quantity: expected a whole number"),
        (
            #"{"userId":"u","item":{"productId":"p","quantity":2.5}}"#,
            "item.quantity: is out of range or not in the form expected",
        ),
        (#"{"userId":"u","item":{"productId":7,"quantity":2}}"#, "item.productId: expected a string"),
        (#"{"userId":"u","item":{"quantity":2}}"#, "item.productId: is missing"),
        (#"{"userId":"u","item":[]}"#, "item: expected an object"),
        (#"{"userId":null,"item":{"productId":"p","quantity":2}}"#, "userId: expected a string, found null"),
        (#"{"item":{"productId":"p","quantity":2}}"#, "userId: is missing"),
        (#"[]"#, "body: expected an object"),
        (#"{"userId":"#, "body: is not valid JSON"),
        ("\u{0}", "body: is not valid JSON"),
    ])
    func `malformed JSON names its field and repeats no value`(text: String, expected: String) {
        let error = #expect(throws: ShopRouteError.self) {
            try ShopJSON.decode(AddItemRequest.self, from: Data(text.utf8))
        }
        #expect(error?.description == expected)
    }
}
