import Astrolabe
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@testable import AstrolabeHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `A traced URLSession` {
    private func server(_ status: Int = 200, _ body: String = "comet") throws -> RawServer {
        try RawServer { _, connection in connection.answer(status, body) }
    }

    @Test func `traces a request with headers, response and parent`() async throws {
        let (server, test) = (try server(503, "busy"), SessionUnderTest())
        let url = try server.baseURL.appendingPathComponent("api/cart")
        let (data, response) = try await test.telemetry.tracer("app").withSpan("tap") { _ in
            try await test.session.data(for: test.get(url), template: "/api/cart", resendCount: 2)
        }
        #expect(String(decoding: data, as: UTF8.self) == "busy")
        #expect((response as? HTTPURLResponse)?.statusCode == 503)
        let span = try await test.span(named: "GET /api/cart")
        let parent = try await test.span(named: "tap")
        #expect(span.parentSpanID == parent.context.spanID)
        #expect(span.context.traceID == parent.context.traceID)
        #expect(span.kind == .client)
        #expect(span.status == .error(""))
        #expect(span.attributes["http.response.status_code"] == 503)
        #expect(span.attributes["error.type"] == "503")
        #expect(span.attributes["http.response.body.size"] == 4)
        #expect(span.attributes["http.request.resend_count"] == 2)
        #expect(server.requests.first?.header("traceparent")?.contains("\(span.context.spanID)") == true)
        #expect(server.requests.first?.header("X-Session-Id") != nil)
        #expect(await test.measured() == 1)
    }

    @Test func `sends no headers to a host that is not allowed, and no secret to the collector`() async throws {
        let (server, test) = (try server(), SessionUnderTest(["shop.example.com"]))
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/login?token=hunter2"))
        _ = try await test.session.data(for: test.get(url))
        let head = try #require(server.requests.first?.head.lowercased())
        for name in contextHeaders { #expect(!head.contains("\(name):")) }
        let span = try await test.span(named: "GET")
        #expect(span.attributes["url.full"]?.stringValue?.hasSuffix("/login?token=REDACTED") == true)
    }

    @Test func `keeps the trace across a redirect within the allowed hosts`() async throws {
        let server = try RawServer { request, connection in
            if request.target == "/new" { return connection.answer(200, "here") }
            connection.answer(302, "", headers: "Location: /new\r\n")
        }
        let test = SessionUnderTest()
        _ = try await test.session.data(for: test.get(server.baseURL.appendingPathComponent("old")))
        let span = try await test.span(named: "GET")
        #expect(server.requests.map(\.target) == ["/old", "/new"])
        for request in server.requests {
            #expect(request.header("traceparent")?.contains("\(span.context.spanID)") == true)
        }
        #expect(span.attributes["http.request.resend_count"] == 1)
        #expect(span.attributes["http.response.status_code"] == 200)
        #expect(await test.measured() == 1)
    }

    @Test(arguments: ["delegate", "handler", "async", "download", "session"])
    func `leaks no header by a redirect to another host`(way: String) async throws {
        let other = try server()
        let server = try RawServer { _, connection in
            connection.answer(307, "", headers: "Location: http://localhost:\(other.port)/\r\n")
        }
        let log = AppDelegateLog()
        let test = SessionUnderTest(delegate: log)
        var request = test.get(try server.baseURL)
        switch way {
        case "delegate":
            test.session.dataTask(with: request).resume()
            await log.completion()
        case "handler":
            await withCheckedContinuation { continuation in
                test.session.dataTask(with: request) { _, _, _ in continuation.resume() }.resume()
            }
        case "async": _ = try await test.session.data(for: request)
        case "download": try FileManager.default.removeItem(at: try await test.session.download(for: request).0)
        default:
            request.setValue(
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", forHTTPHeaderField: "traceparent")
            test.session.session.dataTask(with: request).resume()
            await log.completion()
        }
        #expect(server.requests.first?.header("traceparent") != nil)
        if way != "session" { #expect(server.requests.first?.header("X-B3-TraceId") != nil) }
        let head = try #require(other.requests.first?.head.lowercased())
        for name in contextHeaders { #expect(!head.contains("\(name):"), "\(name) in \(head)") }
        #expect(log.names.contains("redirect"))
    }

    @Test func `sets the headers again when a redirect returns to an allowed host`() async throws {
        let last = try server()
        let middle = try RawServer { _, connection in
            connection.answer(302, "", headers: "Location: http://127.0.0.1:\(last.port)/\r\n")
        }
        let first = try RawServer { _, connection in
            connection.answer(302, "", headers: "Location: http://localhost:\(middle.port)/\r\n")
        }
        let test = SessionUnderTest()
        _ = try await test.session.data(for: test.get(first.baseURL))
        let span = try await test.span(named: "GET")
        #expect(middle.requests.first?.header("traceparent") == nil)
        #expect(last.requests.first?.header("traceparent")?.contains("\(span.context.spanID)") == true)
        #expect(span.attributes["http.request.resend_count"] == 2)
    }

    @Test(arguments: ["data", "upload", "download", "delegate"])
    func `takes a cancelled request for no failure`(way: String) async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let server = try RawServer { _, connection in
            arrival.yield()
            connection.waitUntilClosed()
        }
        let log = AppDelegateLog()
        let test = SessionUnderTest(delegate: log)
        var posted = test.get(try server.baseURL)
        posted.httpMethod = "POST"
        let request = posted
        if way == "delegate" {
            let task = test.session.dataTask(with: request)
            task.resume()
            for await _ in arrived { break }
            task.cancel()
            await log.completion()
            #expect(log.names == ["complete"])
        } else {
            let running = Task {
                switch way {
                case "data": _ = try await test.session.data(for: request)
                case "upload": _ = try await test.session.upload(for: request, from: Data("comet".utf8))
                default: _ = try await test.session.download(for: request)
                }
            }
            for await _ in arrived { break }
            running.cancel()
            await #expect { try await running.value } throws: { ($0 as? URLError)?.code == .cancelled }
        }
        let span = try await test.span(named: "POST")
        #expect(span.status == .unset)
        #expect(span.attributes["error.type"] == nil)
        #expect(span.events.map(\.name) == ["cancelled"])
        #expect(await test.measured() == 0)
    }

    @Test(arguments: Cancellation.allCases)
    func `takes a task that ends with a cancellation of any type for no failure`(shape: Cancellation) async throws {
        let test = SessionUnderTest()
        let request = test.get(try #require(URL(string: "http://127.0.0.1/search")))
        let tracing = HTTPTracing(test.telemetry, allowedHosts: [])
        let task = TaskSpan(tracing, request, template: nil, resendCount: 0, isMeasured: true)
        task.end(nil, received: 0, error: shape.error)
        let span = try await test.span(named: "GET")
        #expect(span.status == .unset)
        #expect(span.attributes["error.type"] == nil)
        #expect(span.events.map(\.name) == ["cancelled"])
        #expect(await test.measured() == 0)
    }

    @Test func `says why a connection failed`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try refusedPort())"))
        let test = SessionUnderTest()
        await #expect(throws: URLError.self) { try await test.session.data(for: test.get(url)) }
        let span = try await test.span(named: "GET")
        #expect(span.attributes["error.type"] == "connection_refused")
        guard case .error = span.status else { return #expect(Bool(false), "expected an error") }
        #expect(await test.measured() == 1)
    }

    @Test func `says that a response was cut`() async throws {
        let server = try RawServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":")
        }
        let test = SessionUnderTest()
        await #expect(throws: URLError.self) { try await test.session.data(for: test.get(server.baseURL)) }
        let span = try await test.span(named: "GET")
        #expect(span.attributes["error.type"] == "connection_lost")
        #expect(span.attributes["http.response.status_code"] == 200)
    }

    private let contextHeaders = [
        "traceparent", "tracestate", "baggage", "x-request-id", "x-session-id", "x-device-id", "x-app-version",
        "x-b3-traceid", "x-b3-spanid", "x-b3-sampled",
    ]
}
