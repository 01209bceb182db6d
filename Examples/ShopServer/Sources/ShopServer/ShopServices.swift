import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ShopAPI

/// The services behind the routes, and which response goes with which route.
struct ShopServices: Sendable {
    let catalogue: Catalogue
    let pictures: ProductImageStore
    let carts: CartStore
    let orders: OrderStore
    let recommender: Recommender
    let checkouts = CheckoutLock()
    let faults: FaultSwitches
    let chance: RandomSource
    let limits: ShopBackend.Limits
    let now: @Sendable () -> Date
    let sleep: @Sendable (Duration) async throws -> Void

    init(configuration: ShopBackend.Configuration, faults: FaultSwitches) throws(ShopBackendError) {
        let database = try ShopDatabase.open(path: configuration.databasePath)
        catalogue = Catalogue()
        pictures = try ProductImageStore(names: catalogue.products.map(\.picture))
        carts = CartStore(
            database: database, limits: configuration.limits, lifetime: configuration.cartLifetime,
            now: configuration.now,
        )
        orders = OrderStore(database: database, limit: configuration.limits.orders, now: configuration.now)
        chance = RandomSource(source: configuration.random)
        recommender = Recommender(catalogue: catalogue, chance: chance)
        self.faults = faults
        limits = configuration.limits
        now = configuration.now
        sleep = configuration.sleep
    }

    func respond(to route: ShopRoute, request: Request, context: ShopRequestContext) async throws -> Response {
        switch route {
        case .products(let currencyCode):
            return try .json(try products(in: currency(currencyCode)))
        case .product(let id, let currencyCode):
            return try .json(try await product(id: id, in: currency(currencyCode)))
        case .cart(let sessionId, let currencyCode):
            return try .json(try await cart(of: userId(sessionId, "sessionId"), in: currency(currencyCode)))
        case .addToCart(let addition, let currencyCode):
            _ = try currency(currencyCode)
            return try .json(try await add(addition, context: context))
        case .emptyCart(let sessionId):
            try await emptyCart(of: userId(sessionId, "userId"), context: context)
            return Response(status: .noContent)
        case .checkout(let checkout, _, let currencyCode):
            return try .json(try await place(checkout, displayCurrency: currencyCode, context: context))
        case .shipping(let items, let address, let currencyCode):
            return try .json(try await shippingCost(of: items, to: address, in: currency(currencyCode)))
        case .currencies:
            return try .json(Currency.all.map(\.code))
        case .recommendations(let productIds, _, let currencyCode):
            return try .json(try await recommendations(besides: productIds, in: currency(currencyCode)))
        case .advertisements(let contextKeys):
            return try .json(try await advertisements(for: contextKeys))
        case .picture(let name):
            return try await picture(named: name, request: request, context: context)
        case .flags:
            return try .json(await faults.flags)
        case .setFlags(let change):
            return try .json(await setFlags(change, context: context))
        case .health:
            return try .json(
                ShopHealth(
                    products: catalogue.products.count, carts: try await carts.count(),
                    orders: try await orders.count(),
                ))
        }
    }

    /// The currency of a code, US dollars if there is none.
    func currency(_ code: String?, field: String = "currencyCode") throws(ShopFailure) -> Currency {
        guard let code, !code.isEmpty else { return .usDollar }
        guard let currency = Currency(code: code) else {
            throw .badRequest(field, "is not a currency of this shop; GET /api/currency lists them")
        }
        return currency
    }

    /// A session's id, checked: 1 to 128 letters, digits and `-_.:+`. Upstream's are UUIDs.
    func userId(_ text: String, _ field: String) throws(ShopFailure) -> String {
        guard let accepted = Correlation.accepted(text) else {
            throw .badRequest(field, "expected 1 to 128 letters, digits, dashes, dots or underscores, such as a UUID")
        }
        return accepted
    }

    private func setFlags(_ change: FaultFlagChange, context: ShopRequestContext) async -> FaultFlags {
        let flags = await faults.apply(change)
        let names = change.values.keys.map(\.rawValue).sorted().joined(separator: ", ")
        context.logger.notice("fault flags changed: \(names)")
        return flags
    }
}
