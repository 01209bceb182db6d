import Foundation
import ShopAPI
import ShopServer
import Testing

/// Pages of other sites can do nothing with the shop.
@Suite struct OriginTests {
    private static let item = #"{"userId":"session-1","item":{"productId":"LS4PSXUNUM","quantity":3}}"#

    @Test(arguments: ["rebind.example", "rebind.example:8080", "127.0.0.1.evil.example", "[::1].evil.example"])
    func `a name that points to this machine gets nothing`(host: String) async throws {
        try await withRunningShop { shop, port in
            for request in ["GET /api/cart?sessionId=session-1", "PUT /flags", "GET /flags"] {
                let answer = try await exchange(
                    "\(request) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n", port: port)
                #expect(answer.hasPrefix("HTTP/1.1 421 "), "\(answer.prefix(200))")
            }
            #expect(await shop.faults.flags == FaultFlags())
        }
    }

    @Test(arguments: ["", "Host: localhost\r\nHost: localhost\r\n"])
    func `a request without exactly one host is 400`(hosts: String) async throws {
        try await withRunningShop { _, port in
            let answer = try await exchange("GET /health HTTP/1.1\r\n\(hosts)Connection: close\r\n\r\n", port: port)
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(arguments: Transport.allCases)
    func `what a page may send without asking changes nothing`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
                for (method, target) in [("POST", "/api/cart"), ("POST", "/api/checkout"), ("PUT", "/flags")] {
                    let answer = try await shop.send(
                        method, target, body: Self.item, headers: ["Content-Type": type])
                    #expect(answer.status == 415, "\(type) \(target)")
                    #expect(try answer.error() == "body: expected Content-Type: application/json")
                }
            }
            #expect(try await shop.cart() == .empty)
        }
    }

    @Test(arguments: ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1.evil.example"])
    func `a change that another site's page sends is refused`(origin: String) async throws {
        try await withRunningShop { shop, port in
            for (method, target, body) in [
                ("POST", "/api/cart", Self.item), ("PUT", "/flags", #"{"adFailure":true}"#),
                ("DELETE", "/api/cart", #"{"userId":"session-1"}"#),
            ] {
                let answer = try await exchange(
                    """
                    \(method) \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nOrigin: \(origin)\r
                    Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)
                    """, port: port)
                #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(answer.prefix(200))")
            }
            #expect(await shop.faults.flags == FaultFlags())
        }
    }

    @Test func `the shop's own pages and programs may change it`() async throws {
        try await withRunningShop { shop, port in
            for (origin, name) in [("", "adFailure"), ("Origin: http://localhost:\(port)\r\n", "paymentUnreachable")] {
                let body = #"{"\#(name)":true}"#
                let answer = try await exchange(
                    """
                    PUT /flags HTTP/1.1\r\nHost: localhost:\(port)\r\n\(origin)Content-Type: Application/JSON; charset=utf-8\r
                    Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)
                    """, port: port)
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer.prefix(300))")
            }
            #expect(await shop.faults.flags.adFailure)
        }
    }
}
