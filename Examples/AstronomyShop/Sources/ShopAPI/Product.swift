/// Something the shop sells.
public struct Product: Codable, Hashable, Sendable, Identifiable {
    /// Ten capitals and digits: "OLJCESPC7Z".
    public let id: String
    public let name: String
    public let description: String

    /// The file name under `/images/products/`; ``ShopRoute/picture(name:)`` leads to it.
    public let picture: String

    /// The price in the currency that was asked for, in spite of the name, which the wire gives it.
    public let priceUsd: Money

    /// Lower-case words such as "telescopes"; they are also the context keys of advertisements.
    public let categories: [String]

    public init(
        id: String, name: String, description: String, picture: String, priceUsd: Money, categories: [String],
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.picture = picture
        self.priceUsd = priceUsd
        self.categories = categories
    }

    /// The same product at another price.
    public func priced(_ price: Money) -> Product {
        Product(
            id: id, name: name, description: description, picture: picture, priceUsd: price, categories: categories,
        )
    }
}
