import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the pages' files and of who may load them.
@Suite
struct PageTests {
    @Test
    func `every page path returns the same document with a strict content security policy`() async throws {
        try await ConsoleUnderTest.run { console in
            for path in [
                "/", "/sessions", "/sessions/some%2Fid", "/traces", "/traces/0af7651916cd43dd8448eb211c80319c",
                "/metrics", "/devices", "/devices/some%2Fid",
            ] {
                let response = try await HTTP.request("GET", console.address + path)
                #expect(response.status == 200, "\(path)")
                #expect(response[header: "Content-Type"] == "text/html; charset=utf-8", "\(path)")
                let policy = try #require(response[header: "Content-Security-Policy"], "\(path)")
                #expect(policy.contains("default-src 'none'"), "\(path)")
                #expect(policy.contains("frame-ancestors 'none'"), "\(path)")
                #expect(policy.contains("worker-src 'self'"), "\(path)")
                #expect(policy.contains("script-src 'self' 'sha256-"), "\(path)")
                #expect(!policy.contains("unsafe"), "\(path)")
                #expect(response[header: "X-Content-Type-Options"] == "nosniff", "\(path)")
                #expect(response[header: "Access-Control-Allow-Origin"] == nil, "\(path)")
            }
        }
    }

    @Test
    func `a page is a document, a style sheet, a script, an icon and a shared worker, of no other host`() async throws {
        try await ConsoleUnderTest.run { console in
            var pending = ["/"]
            var seen: Set<String> = []
            while let path = pending.popLast() {
                guard seen.insert(path).inserted else { continue }
                let response = try await HTTP.request("GET", console.address + path)
                #expect(response.status == 200, "\(path)")
                pending += response.text.matches(of: /["'](\/assets\/[a-z\/.\-]+)["']/).map { String($0.1) }
                #expect(!response.text.contains("https://"), "\(path) names a foreign address")
                #expect(!response.text.contains(#/(^|\n)@?(import|export) /#), "\(path) is not whole")
            }
            let files = ["styles/app.css", "pages/app.js", "shared/icon.svg", "lib/hub-worker.js"]
            #expect(seen == Set(["/"] + files.map { "/assets/\($0)" }))
        }
    }

    @Test
    func `the worker that windows share may connect to the console only`() async throws {
        try await ConsoleUnderTest.run { console in
            let worker = try await HTTP.request("GET", "\(console.address)/assets/lib/hub-worker.js")
            #expect(worker.status == 200)
            let policy = try #require(worker[header: "Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("connect-src 'self'"))
        }
    }

    @Test
    func `an unchanged file is not sent again`() async throws {
        try await ConsoleUnderTest.run { console in
            let first = try await HTTP.request("GET", "\(console.address)/assets/pages/app.js")
            let tag = try #require(first[header: "ETag"])
            let again = try await HTTP.request(
                "GET", "\(console.address)/assets/pages/app.js", headers: ["If-None-Match": tag],
            )
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
        }
    }

    @Test
    func `a console on a loopback address accepts only loopback host names`() async throws {
        try await ConsoleUnderTest.run { console in
            for (host, status) in [
                ("evil.example", 421), ("evil.example:4318", 421), ("127.0.0.1.evil.example", 421), ("localhost", 200),
                ("console.localhost:9", 200), ("[::1]:4318", 200), ("127.9.9.9", 200),
            ] {
                let socket = try LineSocket.request(
                    port: console.port,
                    "GET /api/v1/status HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                let line = await socket.lines.first { _ in true }
                #expect(line?.hasPrefix("HTTP/1.1 \(status)") == true, "\(host)")
            }
        }
    }
}
