import AstrolabeHTTP
import Foundation
import Testing

@Suite struct `Allowed hosts` {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(arguments: [
        ("https://shop.example/api", true), ("https://SHOP.example:8443/", true), ("https://a.shop.example/", false),
        ("https://notshop.example/", false), ("https://api.inner.example/", true),
        ("https://a.b.inner.example/", true),
        ("https://inner.example/", false), ("https://evilinner.example/", false),
        ("https://shop.example.evil.example/", false),
    ])
    func `are whole names, or everything below a domain`(address: String, isAllowed: Bool) throws {
        #expect(AllowedHosts(["Shop.example", "*.inner.example"]).contains(try url(address)) == isAllowed)
    }

    @Test func `are none where the list is empty or a pattern is a lone star`() throws {
        #expect(!AllowedHosts([]).contains(try url("https://shop.example")))
        #expect(!AllowedHosts(["*."]).contains(try url("https://shop.example")))
        #expect(!AllowedHosts(["shop.example"]).contains(try url("mailto:a@shop.example")))
    }
}
