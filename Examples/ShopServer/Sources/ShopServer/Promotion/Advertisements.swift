import ShopAPI

/// The shop's advertisements, by the category they suit.
enum Advertisements {
    /// Those of the given categories; two at random where none is known.
    static func matching(_ contextKeys: [String], chance: RandomSource) -> [Advertisement] {
        let keys = Set(contextKeys)
        let matching = all.filter { keys.contains($0.category) }.map(\.advertisement)
        return matching.isEmpty ? chance.pick(2, of: all.map(\.advertisement)) : matching
    }

    private static let all: [(category: String, advertisement: Advertisement)] = [
        ("binoculars", to("2ZYFJ3GM2N", "Roof Binoculars: both eyes on the Milky Way, from your deck chair.")),
        ("telescopes", to("66VCHSJNUP", "Starsense Explorer: your phone finds it, you look at it.")),
        ("telescopes", to("OLJCESPC7Z", "Explorascope: eagles by day, craters by night.")),
        ("accessories", to("6E92ZMYYFZ", "Solar Filter: look straight at the Sun, safely.")),
        ("accessories", to("0PUK6V6EV0", "Color Imager: take Saturn home with you.")),
        ("accessories", to("L9ECAV7KIM", "Lens Cleaning Kit: fingerprints are not nebulae.")),
        ("assembly", to("9SIQT8TOJO", "Optical Tube Assembly: eleven inches of dark sky.")),
        ("travel", to("1YMWWN1N4O", "Eclipsmart: an eclipse fits under the seat in front of you.")),
        ("books", to("HQTGWGPNH4", "The Comet Book: five centuries of wonder for ninety-nine cents.")),
        ("flashlights", to("LS4PSXUNUM", "Red Flashlight: see the map, keep the stars.")),
    ]

    private static func to(_ productId: String, _ text: String) -> Advertisement {
        Advertisement(redirectUrl: "/product/\(productId)", text: text)
    }
}
