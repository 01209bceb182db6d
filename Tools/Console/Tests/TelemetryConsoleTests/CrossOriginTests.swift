import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of OTLP from the web pages of other sites, over a real socket and from a real browser.
@Suite(.timeLimit(.minutes(5))) struct `A page of another origin` {
    private static let origin = "https://shop.example.com"
    private static let preflight = [
        "Origin": origin, "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-encoding,content-type",
    ]

    private static func post(
        _ path: String, at console: ConsoleUnderTest, from origin: String, type: String = "application/json",
    ) async throws -> HTTP.Response {
        try await HTTP.request(
            "POST", console.address + path, headers: ["Content-Type": type, "Origin": origin],
            body: try ShopVisit.purchase().phoneLogBody.bytes)
    }

    @Test
    func `may send OTLP and read the responses if its origin is permitted`() async throws {
        try await ConsoleUnderTest.run {
            $0.corsOrigins = [Self.origin, "null"]
        } _: { console in
            for signal in Signal.allCases {
                let response = try await HTTP.request(
                    "OPTIONS", "\(console.address)/\(signal.path)", headers: Self.preflight)
                #expect(response.status == 204)
                #expect(response[header: "Access-Control-Allow-Origin"] == Self.origin)
                #expect(response[header: "Access-Control-Allow-Methods"] == "POST")
                #expect(
                    response[header: "Access-Control-Allow-Headers"] == "authorization,content-encoding,content-type")
                #expect(response[header: "Access-Control-Allow-Credentials"] == "true")
                #expect(response[header: "Access-Control-Max-Age"] == "7200")
            }
            let stored = try await Self.post("/v1/logs", at: console, from: Self.origin)
            #expect(stored.status == 200)
            #expect(stored[header: "Access-Control-Allow-Origin"] == Self.origin)
            #expect(stored[header: "Access-Control-Expose-Headers"] == "Retry-After")
            #expect(stored[header: "Vary"] == "Origin")
            let visit = ShopVisit.purchase()
            #expect(try await console.console.store.session(visit.session)?.events == visit.events.count)

            let local = try await Self.post("/v1/logs", at: console, from: "null")
            #expect(local[header: "Access-Control-Allow-Origin"] == "null")
            // It may read why a request is refused, too.
            let refused = try await Self.post("/v1/logs", at: console, from: Self.origin, type: "text/plain")
            #expect(refused.status == 415)
            #expect(refused[header: "Access-Control-Allow-Origin"] == Self.origin)
        }
    }

    @Test(arguments: [[], ["https://shop.example.com:8443", "http://shop.example.com", "https://example.com"]])
    func `may send nothing if its origin is not permitted`(origins: [String]) async throws {
        try await ConsoleUnderTest.run {
            $0.corsOrigins = origins
        } _: { console in
            let question = try await HTTP.request("OPTIONS", "\(console.address)/v1/logs", headers: Self.preflight)
            let response = try await Self.post("/v1/logs", at: console, from: Self.origin)
            for response in [question, response] {
                #expect(response.status == 403)
                #expect(response[header: "Access-Control-Allow-Origin"] == nil)
            }
            #expect(try await console.console.store.statistics().received == 0)
        }
    }

    @Test(arguments: ["/api/v1/query", "/api/v1/symbols", "/api/v1/access", "/mcp", "/v1/others"])
    func `may ask for nothing else`(path: String) async throws {
        try await ConsoleUnderTest.run {
            $0.corsOrigins = [Self.origin]
        } _: { console in
            let question = try await HTTP.request("OPTIONS", console.address + path, headers: Self.preflight)
            let change = try await Self.post(path, at: console, from: Self.origin)
            let read = try await HTTP.request(
                "GET", "\(console.address)/api/v1/status", headers: ["Origin": Self.origin])
            for response in [question, change, read] {
                #expect(response[header: "Access-Control-Allow-Origin"] == nil)
            }
            #expect(question.status == 403)
            #expect(change.status == 403)
        }
    }

    @Test(.enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"))
    func `sends with fetch and with sendBeacon from a real browser`() async throws {
        let site = try LoopbackServer { _ in
            .status(200, headers: ["Content-Type": "text/html"], body: Array("<title>Shop</title>".utf8))
        }
        defer { site.kill() }
        let page = "http://127.0.0.1:\(site.port)"
        try await ConsoleUnderTest.run {
            $0.corsOrigins = [page]
        } _: { console in
            let visit = ShopVisit.purchase()
            let logs = String(decoding: try visit.phoneLogBody.bytes, as: UTF8.self)
            let spans = String(decoding: try visit.phoneTraceBody.bytes, as: UTF8.self)
            try await WebDriver.run { browser in
                try await browser.open(page)
                let status = try await browser.runAsync(
                    """
                    fetch("\(console.address)/v1/logs", {
                      method: "POST", headers: { "content-type": "application/json", "x-tenant": "1" },
                      body: JSON.stringify(\(logs)),
                    }).then((response) => done(response.status), (error) => done(String(error)));
                    """)
                #expect(status.int == 200, "\(status.text ?? "")")
                let isQueued = try await browser.run(
                    """
                    const body = new Blob([JSON.stringify(\(spans))], { type: "application/json" });
                    return navigator.sendBeacon("\(console.address)/v1/traces", body);
                    """)
                #expect(isQueued.bool == true)
                // A beacon has no response.
                try await eventually("the spans of the beacon are stored") {
                    try await console.console.store.session(visit.session)?.spans == visit.phoneSpans.count
                }
                #expect(try await console.console.store.session(visit.session)?.events == visit.events.count)
            }
        }
    }
}
