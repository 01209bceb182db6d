import Foundation
import HTTPTypes
import ShopAPI
import Testing

@testable import ShopServer

@Suite struct PictureTests {
    @Test(arguments: Transport.allCases)
    func `every product has a picture whose type is true`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            for product in try await shop.send(.products()).decoded([Product].self) {
                let jpeg = try await shop.send(.picture(name: product.picture))
                #expect(jpeg.status == 200)
                #expect(jpeg.headers[.contentType] == "image/jpeg")
                #expect(jpeg.body.starts(with: [0xFF, 0xD8, 0xFF]), "\(product.picture)")
                let svg = try await shop.send(
                    .picture(name: product.picture), headers: ["Accept": "image/webp,image/svg+xml,*/*;q=0.8"],
                )
                #expect(svg.status == 200)
                #expect(svg.headers[.contentType] == "image/svg+xml")
                #expect(svg.text.hasPrefix("<svg ") && svg.text.hasSuffix("</svg>\n"))
                #expect(svg.body.count < 20_000)
                #expect(svg.headers[.vary] == "Accept")
                #expect(svg.headers[.xContentTypeOptions] == "nosniff")
                #expect(!svg.text.contains("<script") && !svg.text.contains("href"))
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `a picture that is known is not sent again`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let route = ShopRoute.picture(name: "RedFlashlight.jpg")
            let tag = try #require(try await shop.send(route).headers[.eTag])
            let again = try await shop.send(route, headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            let other = try await shop.send(route, headers: ["If-None-Match": tag, "Accept": "image/svg+xml"])
            #expect(other.status == 200)
        }
    }

    @Test(arguments: Transport.allCases)
    func `no name leads out of the pictures`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            for name in [
                "..%2F..%2F..%2Fetc%2Fpasswd", "..%5Cx", "%2Fetc%2Fpasswd", "RedFlashlight.svg", "RedFlashlight.jpg%00",
                ".", "..", "../RedFlashlight.jpg", "../../../../etc/passwd", "redflashlight.jpg", "Nothing.jpg", "",
            ] {
                let answer = try await shop.send("GET", "/images/products/\(name)")
                #expect(answer.status == 404, "\(name)")
                _ = try answer.error()
            }
        }
    }

    @Test(
        arguments: [
            (nil, false), ("*/*", false), ("image/*", false), ("image/svg+xml", true),
            ("image/png, image/svg+xml;q=0.5", true),
            ("IMAGE/SVG+XML", true), ("image/svg+xml;q=0", false), ("image/svg+xml; q=0.0, image/jpeg", false),
            ("text/image/svg+xml", false), (",,;;,", false),
        ] as [(String?, Bool)])
    func `only who names SVG gets the drawing`(accept: String?, expected: Bool) {
        #expect(ProductImageStore.welcomesDrawing(accept) == expected)
    }
}
