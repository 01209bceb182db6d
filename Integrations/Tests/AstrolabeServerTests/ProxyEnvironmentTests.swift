import AsyncHTTPClient
import Foundation
import Testing

@testable import AstrolabeServer

struct ProxyEnvironmentTests {
    private func route(_ url: String, _ environment: [String: String]) throws -> ProxyEnvironment.Route {
        ProxyEnvironment(environment).route(to: try #require(URL(string: url)))
    }

    @Test func `each scheme has its variables`() throws {
        let environment = ["http_proxy": "one.example:81", "HTTPS_PROXY": "http://user:pass%2F@two.example"]
        #expect(
            try route("http://a.example", environment) == .proxy(.server(host: "one.example", port: 81)))
        #expect(
            try route("https://a.example", environment)
                == .proxy(
                    .server(
                        host: "two.example", port: 80,
                        authorization: .basic(username: "user", password: "pass/"))))
        #expect(
            try route("https://a.example", ["ALL_PROXY": "socks5://[::1]:82"])
                == .proxy(.socksServer(host: "::1", port: 82)))
    }

    @Test func `a program's HTTP_PROXY may come from a request`() throws {
        #expect(try route("http://a.example", ["HTTP_PROXY": "one.example"]) == .direct)
    }

    @Test(arguments: [
        ("http://a.example", true), ("http://b.a.example", true), ("http://ba.example", false),
        ("http://c.example:81", true), ("http://c.example", false), ("http://127.0.0.1:4318", true),
        ("http://[::1]:4318", true), ("http://d.example", false),
    ])
    func `exceptions are hosts with what is below them`(_ url: String, isDirect: Bool) throws {
        let environment = ["http_proxy": "p.example", "no_proxy": ".a.example, c.example:81,127.0.0.1,::1"]
        #expect(try (route(url, environment) == .direct) == isDirect)
    }

    @Test func `a star excepts all`() throws {
        #expect(try route("http://a.example", ["http_proxy": "p.example", "NO_PROXY": "*"]) == .direct)
    }

    @Test(arguments: ["https://p.example", "socks4://p.example", "socks5://user:password@p.example", "http://"])
    func `a proxy that cannot be used is not passed by`(_ proxy: String) throws {
        #expect(try route("http://a.example", ["http_proxy": proxy]) == .unsupported(variable: "http_proxy"))
    }
}
