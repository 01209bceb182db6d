import ShopAPI

/// A product of the shop, as the backend's catalogue has it.
struct ShelfItem: Sendable {
    let id: String
    let name: String
    let price: Money
    let categories: String

    func price(in currency: String) -> Double {
        guard let currency = Currency(code: currency), let converted = try? price.converted(to: currency) else {
            return price.approximateValue
        }
        return converted.approximateValue
    }

    /// The price of shipping for each piece.
    static let shipping = Money(currencyCode: "USD", units: 8, nanos: 990_000_000)

    /// With the share of the visits that lead to each.
    static let all: [(ShelfItem, Double)] = [
        (ShelfItem("0PUK6V6EV0", "Solar System Color Imager", 175, 0, "accessories,telescopes"), 0.09),
        (ShelfItem("1YMWWN1N4O", "Eclipsmart Travel Refractor Telescope", 129, 95, "telescopes,travel"), 0.14),
        (ShelfItem("2ZYFJ3GM2N", "Roof Binoculars", 209, 95, "binoculars"), 0.12),
        (ShelfItem("66VCHSJNUP", "Starsense Explorer Refractor Telescope", 349, 95, "telescopes"), 0.1),
        (ShelfItem("6E92ZMYYFZ", "Solar Filter", 69, 95, "accessories,telescopes"), 0.1),
        (ShelfItem("9SIQT8TOJO", "Optical Tube Assembly", 3_599, 0, "accessories,telescopes,assembly"), 0.03),
        (ShelfItem("HQTGWGPNH4", "The Comet Book", 0, 99, "books"), 0.12),
        (ShelfItem("L9ECAV7KIM", "Lens Cleaning Kit", 21, 95, "accessories"), 0.09),
        (ShelfItem("LS4PSXUNUM", "Red Flashlight", 57, 8, "accessories,flashlights"), 0.13),
        (ShelfItem("OLJCESPC7Z", "National Park Foundation Explorascope", 101, 96, "telescopes"), 0.08),
    ]

    private init(_ id: String, _ name: String, _ dollars: Int64, _ cents: Int32, _ categories: String) {
        self.id = id
        self.name = name
        price = Money(currencyCode: "USD", units: dollars, nanos: cents * 10_000_000)
        self.categories = categories
    }
}
