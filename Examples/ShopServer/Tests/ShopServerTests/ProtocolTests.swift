import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ShopAPI
import ShopServer
import Testing

@Suite struct ProtocolTests {
    @Test(arguments: Transport.allCases)
    func `an unknown path is 404 as JSON`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            for (method, target) in [
                ("GET", "/"), ("GET", "/api"), ("POST", "/api/nothing"), ("GET", "/api/products/a/b"),
                ("DELETE", "/images/products"), ("GET", "/api/%zz"), ("PROPFIND", "/pot"),
            ] {
                let answer = try await shop.send(method, target)
                #expect(answer.status == 404, "\(method) \(target)")
                #expect(try answer.error() == "no such page in this shop")
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `every wrong method is 405 with the right ones in Allow, and the answer ends`(
        transport: Transport
    ) async throws {
        let paths: [(String, String)] = [
            ("/api/products", "GET, HEAD"), ("/api/products/\(Sample.flashlight)", "GET, HEAD"),
            ("/api/cart", "GET, HEAD, POST, DELETE"), ("/api/checkout", "POST"), ("/api/shipping", "GET, HEAD"),
            ("/api/currency", "GET, HEAD"), ("/api/recommendations", "GET, HEAD"), ("/api/data", "GET, HEAD"),
            ("/images/products/RedFlashlight.jpg", "GET, HEAD"), ("/flags", "GET, HEAD, PUT"),
            ("/health", "GET, HEAD"),
        ]
        try await withShop(transport) { shop in
            for (path, allowed) in paths {
                let rightOnes = allowed.split(separator: ", ").map(String.init)
                for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"]
                where !rightOnes.contains(method) {
                    let answer = try await shop.send(method, path)
                    #expect(answer.status == 405, "\(method) \(path)")
                    #expect(answer.headers[.allow] == allowed, "\(method) \(path)")
                    #expect(try answer.error().hasPrefix("this page takes "))
                }
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `HEAD answers like GET, without the body`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            for target in ["/api/products", "/images/products/RedFlashlight.jpg", "/health"] {
                let get = try await shop.send("GET", target)
                let head = try await shop.send("HEAD", target)
                #expect(head.status == 200)
                #expect(head.body.isEmpty)
                #expect(head.headers[.contentLength] == String(get.body.count))
                #expect(head.headers[.contentType] == get.headers[.contentType])
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `a body over the limit is 413, and changes nothing`(transport: Transport) async throws {
        try await withShop(transport) {
            $0.limits.bodyBytes = 1_000
        } _: { shop in
            let item = #"{"userId":"session-1","item":{"productId":"LS4PSXUNUM","quantity":1}}"#
            let answer = try await shop.send("POST", "/api/cart", body: item + String(repeating: " ", count: 1_000))
            #expect(answer.status == 413)
            #expect(try answer.error() == "body: is larger than 1000 bytes")
            #expect(try await shop.cart() == .empty)
            let fitting = item + String(repeating: " ", count: 1_000 - item.utf8.count)
            #expect(try await shop.send("POST", "/api/cart", body: fitting).status == 200)
        }
    }

    @Test(arguments: Transport.allCases)
    func `a target over the limit is 414`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let answer = try await shop.send("GET", "/api/data?contextKeys=" + String(repeating: "a", count: 16_384))
            #expect(answer.status == 414)
            #expect(try answer.error().hasPrefix("path and query: "))
        }
    }

    @Test(arguments: Transport.allCases)
    func `health tells what the shop holds`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight)
            let answer = try await shop.send(.health)
            #expect(answer.text == #"{"carts":1,"orders":0,"products":10,"status":"ok"}"#)
        }
    }

    /// Bytes that no client library sends, over a bare connection.
    @Test(arguments: [
        ("POST /api/cart HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nbroken", "400"),
        ("GET /health HTTP/9.9\r\nHost: localhost\r\n\r\n", "400"),
        (
            "POST /api/cart HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "1000\r\n" + String(repeating: " ", count: 4_096) + "\r\n", count: 17)
                + "0\r\n\r\n",
            "413",
        ),
        ("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "200"),
    ])
    func `broken HTTP is refused and the shop goes on`(bytes: String, status: String) async throws {
        try await withRunningShop { _, port in
            let answer = try await exchange(bytes, port: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(200))")
            let after = try await exchange(
                "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: port)
            #expect(after.hasPrefix("HTTP/1.1 200 "))
        }
    }
}
