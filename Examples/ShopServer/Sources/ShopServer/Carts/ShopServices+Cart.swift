import HTTPTypes
import Hummingbird
import Logging
import ShopAPI
import Tracing

extension ShopServices {
    /// A session's cart with its products; empty, without a user id, if there is none.
    func cart(of userId: String, in currency: Currency) async throws -> ServerCart {
        let items = try await readCart(of: userId)
        guard !items.isEmpty else { return .empty }
        var lines: [ServerCartItem] = []
        for item in items {
            let product = try await lookUp(item.productId)?.priced(in: currency)
            lines.append(ServerCartItem(productId: item.productId, quantity: item.quantity, product: product))
        }
        return ServerCart(userId: userId, items: lines)
    }

    /// Adds to a session's cart, or takes from it.
    func add(_ addition: AddItemRequest, context: ShopRequestContext) async throws -> ServerCart {
        let userId = try userId(addition.userId, "userId")
        let item = addition.item
        guard let product = catalogue[item.productId] else {
            throw ShopFailure.badRequest("item.productId", "no product of this shop has it")
        }
        return try await withSpan(ShopSpan.changeCart) { span in
            span.attributes[DemoAttribute.productId] = product.id
            span.attributes[DemoAttribute.productName] = product.name
            span.attributes[DemoAttribute.productQuantity] = item.quantity
            try await failByChance()
            let items: [CartItem]
            do {
                items = try await carts.add(item, to: userId)
            } catch let refusal as CartStore.Refusal {
                throw ShopFailure(refusal)
            }
            let count = items.reduce(0) { $0 + $1.quantity }
            span.attributes[DemoAttribute.cartItemCount] = count
            context.logger.info(
                "cart changed",
                metadata: [
                    DemoAttribute.productId: .string(product.id),
                    DemoAttribute.productQuantity: .stringConvertible(item.quantity),
                    DemoAttribute.cartItemCount: .stringConvertible(count),
                ],
            )
            return ServerCart(
                userId: userId,
                items: items.map { ServerCartItem(productId: $0.productId, quantity: $0.quantity) },
            )
        }
    }

    func emptyCart(of userId: String, context: ShopRequestContext) async throws {
        try await withSpan(ShopSpan.emptyCart) { _ in
            try await failByChance()
            try await carts.empty(userId)
        }
        context.logger.info("cart emptied")
    }

    /// The lines of a session's cart, in a span of its own.
    func readCart(of userId: String) async throws -> [CartItem] {
        try await withSpan(ShopSpan.readCart) { span in
            try await failByChance()
            let items = try await carts.items(of: userId)
            span.attributes[DemoAttribute.cartItemCount] = items.reduce(0) { $0 + $1.quantity }
            return items
        }
    }

    private func failByChance() async throws(ShopFailure) {
        if chance.happens(percent: await faults.flags.cartFailure) {
            throw .fault(
                .cartFailure, status: .internalServerError, "the cart's storage failed (fault flag cartFailure)",
            )
        }
    }
}

extension ShopFailure {
    init(_ refusal: CartStore.Refusal) {
        switch refusal {
        case .tooManyOfOne(let limit):
            self = .badRequest("item.quantity", "a cart holds at most \(limit) pieces of one product")
        case .tooManyLines(let limit):
            self = .badRequest("item.productId", "a cart holds at most \(limit) different products")
        case .tooManyCarts(let limit):
            self = ShopFailure(
                status: .serviceUnavailable, message: "the shop holds at most \(limit) carts; come back later",
            )
        }
    }
}
