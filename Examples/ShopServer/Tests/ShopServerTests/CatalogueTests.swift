import Foundation
import ShopAPI
import Testing

@Suite struct CatalogueTests {
    /// Ids, names, dollars and nanos, pictures and categories of the OpenTelemetry demo.
    private static let upstream: [(String, String, Int64, Int32, String, [String])] = [
        (
            "0PUK6V6EV0", "Solar System Color Imager", 175, 0, "SolarSystemColorImager.jpg",
            ["accessories", "telescopes"],
        ),
        (
            "1YMWWN1N4O", "Eclipsmart Travel Refractor Telescope", 129, 950_000_000,
            "EclipsmartTravelRefractorTelescope.jpg", ["telescopes", "travel"],
        ),
        ("2ZYFJ3GM2N", "Roof Binoculars", 209, 950_000_000, "RoofBinoculars.jpg", ["binoculars"]),
        (
            "66VCHSJNUP", "Starsense Explorer Refractor Telescope", 349, 950_000_000, "StarsenseExplorer.jpg",
            ["telescopes"],
        ),
        ("6E92ZMYYFZ", "Solar Filter", 69, 950_000_000, "SolarFilter.jpg", ["accessories", "telescopes"]),
        (
            "9SIQT8TOJO", "Optical Tube Assembly", 3599, 0, "OpticalTubeAssembly.jpg",
            ["accessories", "telescopes", "assembly"],
        ),
        ("HQTGWGPNH4", "The Comet Book", 0, 990_000_000, "TheCometBook.jpg", ["books"]),
        ("L9ECAV7KIM", "Lens Cleaning Kit", 21, 950_000_000, "LensCleaningKit.jpg", ["accessories"]),
        ("LS4PSXUNUM", "Red Flashlight", 57, 80_000_000, "RedFlashlight.jpg", ["accessories", "flashlights"]),
        (
            "OLJCESPC7Z", "National Park Foundation Explorascope", 101, 960_000_000,
            "NationalParkFoundationExplorascope.jpg", ["telescopes"],
        ),
    ]

    @Test(arguments: Transport.allCases)
    func `the ten products come by id, at their prices in dollars`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let answer = try await shop.send(.products())
            let products = try answer.decoded([Product].self)
            #expect(products.count == Self.upstream.count)
            for (product, expected) in zip(products, Self.upstream) {
                #expect(product.id == expected.0)
                #expect(product.name == expected.1)
                #expect(product.priceUsd == Money(currencyCode: "USD", units: expected.2, nanos: expected.3))
                #expect(product.picture == expected.4)
                #expect(product.categories == expected.5)
                let sentences = product.description.split(separator: ". ").count
                #expect((2...3).contains(sentences) && product.description.hasSuffix("."), "\(product.name)")
            }
            #expect(
                try answer.keys(at: "0") == ["categories", "description", "id", "name", "picture", "priceUsd"])
            #expect(try answer.keys(at: "0", "priceUsd") == ["currencyCode", "nanos", "units"])
            #expect(try await shop.send("GET", "/api/products?currencyCode=").decoded([Product].self) == products)
        }
    }

    /// 50.490933215 EUR is derived by hand in ShopContractTests/CurrencyTests.
    @Test(arguments: Transport.allCases)
    func `prices are converted to the currency asked for`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let inEuros = try await shop.send(.products(currencyCode: "EUR")).decoded([Product].self)
            #expect(inEuros.allSatisfy { $0.priceUsd.currencyCode == "EUR" })
            let flashlight = try await shop.send(.product(id: Sample.flashlight, currencyCode: "EUR"))
                .decoded(Product.self)
            #expect(flashlight.priceUsd == Money(currencyCode: "EUR", units: 50, nanos: 490_933_215))
            #expect(inEuros.contains(flashlight))
        }
    }

    @Test(arguments: Transport.allCases)
    func `an unknown product is 404, an unknown currency 400`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let unknown = try await shop.send(.product(id: "NOSUCHTHNG"))
            #expect(unknown.status == 404)
            #expect(try unknown.error().hasPrefix("id: "))
            for target in ["/api/products?currencyCode=XYZ", "/api/products/\(Sample.flashlight)?currencyCode=eur"] {
                let answer = try await shop.send("GET", target)
                #expect(answer.status == 400)
                #expect(try answer.error().hasPrefix("currencyCode: "))
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `the currencies are listed by code`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let codes = try await shop.send(.currencies).decoded([String].self)
            #expect(codes == Currency.all.map(\.code))
            #expect(codes.count == 33)
            for code in codes {
                #expect(try await shop.send(.product(id: Sample.flashlight, currencyCode: code)).status == 200)
            }
        }
    }
}
