import ShopAPI

/// The products of the shop, at prices in US dollars, by id.
struct Catalogue: Sendable {
    /// All products, by id.
    let products: [Product]

    private let byId: [String: Product]

    init(_ products: [Product] = Catalogue.astronomy) {
        self.products = products.sorted { $0.id < $1.id }
        byId = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The product of an id, or nil if the shop does not sell it.
    subscript(id: String) -> Product? { byId[id] }
}

extension Product {
    /// The product with its price in another currency.
    func priced(in currency: Currency) throws(MoneyError) -> Product {
        priced(try priceUsd.converted(to: currency))
    }
}
