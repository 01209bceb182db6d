import Astrolabe
import AstrolabeHTTP
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `The traced client` {
    private let collector = TelemetryCollector()

    private func start(_ configure: (inout TelemetryConfiguration) -> Void = { _ in }) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "app")
        configuration.serviceVersion = "1.4.0"
        configure(&configuration)
        return collector.start(configuration)
    }

    private func server(_ status: Int = 200, _ body: String = "{}") throws -> RawServer {
        try RawServer { _, connection in connection.answer(status, body) }
    }

    private func request(_ server: RawServer, method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "\(try server.baseURL)/api/products/7?code=EUR")))
        request.httpMethod = method
        return request
    }

    @Test func `records a span with what the conventions ask for, and no query value`() async throws {
        let telemetry = start()
        let server = try server()
        let client = TracedHTTPClient(telemetry, allowedHosts: ["127.0.0.1"])
        let answer = try await client.send(try request(server), template: "/api/products/{id}")
        #expect(String(decoding: answer.body, as: UTF8.self) == "{}")
        await telemetry.flush()
        let span = try #require(collector.spans(named: "GET /api/products/{id}").first)
        #expect(span.kind == .client)
        #expect(span.status == .unset)
        #expect(span.attributes["http.request.method"] == "GET")
        #expect(span.attributes["url.full"] == "http://127.0.0.1:\(server.port)/api/products/7?code=REDACTED")
        #expect(span.attributes["url.template"] == "/api/products/{id}")
        #expect(span.attributes["server.address"] == "127.0.0.1")
        #expect(span.attributes["server.port"]?.intValue == Int64(server.port))
        #expect(span.attributes["http.response.status_code"] == 200)
        #expect(span.attributes["http.response.body.size"] == 2)
        #expect(span.attributes["error.type"] == nil)
        #expect(span.scope.name == "astrolabe.http")
    }

    @Test func `sends no header about the app unless the app sets an identity`() async throws {
        let telemetry = start()
        let server = try server()
        _ = try await TracedHTTPClient(telemetry, allowedHosts: ["127.0.0.1"]).send(try request(server))
        let sent = try #require(server.requests.first)
        #expect(sent.header("baggage") == telemetry.session.current.map { "session.id=\($0.id)" })
        for name in ["X-Request-Id", "X-Session-Id", "X-Device-Id", "X-App-Version"] {
            #expect(sent.header(name) == nil, "\(name)")
        }
    }

    @Test(arguments: [false, true])
    func `does not tell a server of a trace that is not recorded, unless asked to`(isAsked: Bool) async throws {
        let telemetry = start { $0.sampler = AlwaysOffSampler() }
        let server = try server()
        var tracing = HTTPTracing(telemetry, allowedHosts: ["127.0.0.1"])
        if isAsked { tracing.propagation = .always }
        _ = try await TracedHTTPClient(tracing).send(try request(server))
        let sent = try #require(server.requests.first)
        #expect(sent.header("traceparent")?.hasSuffix("-02") == (isAsked ? true : nil))
        #expect(sent.header("baggage") == telemetry.session.current.map { "session.id=\($0.id)" })
    }

    @Test(arguments: [false, true])
    func `names a trace that the flight recorder has, with the flag that it is not sampled`(
        isRecorded: Bool
    ) async throws {
        let telemetry = start {
            $0.sampler = ParentBasedSampler(root: RatioSampler(0))
            $0.recorder.isEnabled = isRecorded
        }
        let server = try server()
        let client = TracedHTTPClient(telemetry, allowedHosts: ["127.0.0.1"])
        _ = try await client.send(try request(server))
        let named = try #require(server.requests.first).header("traceparent")
        #expect(named?.hasSuffix("-02") == (isRecorded ? true : nil))
        var tracing = HTTPTracing(telemetry, allowedHosts: ["127.0.0.1"])
        tracing.propagation = .sampledOnly
        _ = try await TracedHTTPClient(tracing).send(try request(server))
        #expect(try #require(server.requests.last).header("traceparent") == nil)
    }

    @Test func `tells an allowed host its span, the session, the installation and the version`() async throws {
        let telemetry = start()
        let server = try server()
        var tracing = HTTPTracing(telemetry, allowedHosts: ["127.0.0.1"])
        tracing.identity = HTTPIdentity(telemetry)
        let client = TracedHTTPClient(tracing)
        try await telemetry.tracer("app").withSpan("load") { _ in _ = try await client.send(try request(server)) }
        await telemetry.flush()
        let sent = try #require(server.requests.first)
        let span = try #require(collector.spans(named: "GET").first)
        let session = try #require(telemetry.session.current?.id)
        #expect(collector.traces.map(\.description) == ["load\n  GET"])
        #expect(
            sent.header("traceparent")?.hasPrefix("00-\(span.context.traceID)-\(span.context.spanID)-") == true)
        #expect(sent.header("baggage") == "session.id=\(session)")
        #expect(sent.header("X-Session-Id") == session)
        #expect(sent.header("X-Device-Id") == telemetry.installationID)
        #expect(sent.header("X-App-Version") == "1.4.0")
        #expect(UUID(uuidString: sent.header("X-Request-Id") ?? "") != nil)
    }

    @Test(arguments: [false, true])
    func `names the session and the installation of each request, and none without consent`(
        isAsked: Bool
    ) async throws {
        let telemetry = start()
        let server = try server()
        var tracing = HTTPTracing(telemetry, allowedHosts: ["127.0.0.1"])
        tracing.identity = HTTPIdentity(telemetry)
        if isAsked { tracing.propagation = .always }
        let client = TracedHTTPClient(tracing)
        let request = try request(server)
        var erased: [String] = []
        func send() async throws -> RawServer.Request {
            _ = try await client.send(request)
            return try #require(server.requests.last)
        }
        let old = telemetry.tracer("app").spanBuilder("old").startSpan()
        for round in 0..<2 {
            let (session, installation) = (telemetry.session.current?.id, telemetry.installationID)
            let granted = try await send()
            #expect(granted.header("baggage") == session.map { "session.id=\($0)" })
            #expect(granted.header("X-Session-Id") == session && session != nil)
            #expect(granted.header("X-Device-Id") == installation && !installation.isEmpty)
            #expect(granted.header("traceparent") != nil)
            erased += [session ?? "none", installation, old.context.traceID.description]
            await telemetry.setConsent(round == 0 ? .denied : .pending)
            let named = try await TelemetryContext(span: old).withValue { try await send() }
            for name in ["baggage", "X-Session-Id", "X-Device-Id"] { #expect(named.header(name) == nil) }
            if round == 0 {
                #expect(named.header("X-App-Version") == nil && named.header("traceparent") == nil)
                await telemetry.setConsent(.granted)
                let head = try await TelemetryContext(span: old).withValue { try await send() }.head
                for text in erased { #expect(!head.contains(text)) }
            }
        }
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `asks for an identity of the app's own at each request`() async throws {
        let telemetry = start()
        let server = try server()
        let id = Locked("first")
        var tracing = HTTPTracing(telemetry, allowedHosts: ["127.0.0.1"])
        tracing.identity = HTTPIdentity(installationID: id.withLock { $0 })
        let client = TracedHTTPClient(tracing)
        _ = try await client.send(try request(server))
        id.withLock { $0 = "second" }
        _ = try await client.send(try request(server))
        #expect(server.requests.map { $0.header("X-Device-Id") } == ["first", "second"])
    }

    @Test func `merges baggage of the request, of the context and of the session, the last wins`() async throws {
        let telemetry = start()
        let server = try server()
        var request = try self.request(server)
        request.setValue("from=request,only=here,session.id=forged", forHTTPHeaderField: "baggage")
        request.setValue("mine", forHTTPHeaderField: "X-Request-Id")
        var baggage = Baggage()
        baggage["from"] = "context"
        try await TelemetryContext.withBaggage(baggage) { [request] in
            _ = try await TracedHTTPClient(telemetry, allowedHosts: ["127.0.0.1"]).send(request)
        }
        let sent = try #require(server.requests.first)
        let received = Baggage(header: try #require(sent.header("baggage")))
        #expect(received["from"] == "context")
        #expect(received["only"] == "here")
        #expect(received["session.id"] == telemetry.session.current?.id)
        #expect(sent.header("X-Request-Id") == "mine")
    }

    @Test func `tells nobody else anything, and records the span all the same`() async throws {
        let telemetry = start()
        let server = try server()
        _ = try await TracedHTTPClient(telemetry, allowedHosts: ["api.example.com"]).send(try request(server))
        await telemetry.flush()
        let sent = try #require(server.requests.first)
        for name in [
            "traceparent", "tracestate", "baggage", "X-Request-Id", "X-Session-Id", "X-Device-Id", "X-App-Version",
        ] {
            #expect(sent.header(name) == nil, "\(name)")
        }
        #expect(collector.spans(named: "GET").count == 1)
    }

    @Test func `passes the sampling probability on`() async throws {
        let telemetry = start { $0.sampler = RatioSampler(1) }
        let server = try server()
        _ = try await TracedHTTPClient(telemetry, allowedHosts: ["127.0.0.1"]).send(try request(server))
        #expect(server.requests.first?.header("tracestate") == "ot=th:0")
    }

    @Test func `throws for an answer that is no success, with its body, and records it without secrets`() async throws {
        let telemetry = start()
        let server = try server(409, #"{"error":"4012888888881881 is at 1 Observatory Road"}"#)
        let client = TracedHTTPClient(telemetry, allowedHosts: ["127.0.0.1"])
        let error = await #expect(throws: HTTPRequestError.self) {
            try await client.send(try request(server), template: "/api/orders") {
                $0.replacingOccurrences(of: "1 Observatory Road", with: "(address)")
            }
        }
        #expect(error?.description == #"HTTP 409 Conflict - Response: {"error":"REDACTED is at (address)"}"#)
        #expect(error?.answer?.body == Data(#"{"error":"4012888888881881 is at 1 Observatory Road"}"#.utf8))
        await telemetry.flush()
        let span = try #require(collector.spans(named: "GET /api/orders").first)
        #expect(span.status == .error(""))
        #expect(span.attributes["error.type"] == "409")
        let exception = try #require(span.events.first { $0.name == "exception" })
        #expect(exception.attributes["exception.message"]?.stringValue == error?.description)
    }

    @Test func `gives a 204 as an answer without content`() async throws {
        let server = try RawServer { _, connection in connection.write("HTTP/1.1 204 No Content\r\n\r\n") }
        let answer = try await TracedHTTPClient(.disabled, allowedHosts: []).send(try request(server))
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
    }

    @Test func `sends a question whose connection was lost once more, counted, and nothing else`() async throws {
        let telemetry = start()
        let server = try RawServer { _, _ in }
        let client = TracedHTTPClient(telemetry, allowedHosts: ["127.0.0.1"])
        for method in ["HEAD", "PUT"] {
            let request = try self.request(server, method: method)
            let lost = HTTPRequestError(request: method, reason: .transport(.connectionLost))
            await #expect(throws: lost) { try await client.send(request) }
        }
        await telemetry.flush()
        #expect(server.requests.map { $0.head.prefix(4) } == ["HEAD", "HEAD", "PUT "])
        let again = collector.spans(named: "HEAD").map { $0.attributes["http.request.resend_count"]?.intValue }
        #expect(again == [nil, 1])
        let failed = collector.spans(named: "PUT").map(\.status)
        #expect(failed == [.error("PUT failed: the connection ended before the answer did")])
    }

    @Test func `does not call cancellation an error`() async throws {
        let telemetry = start()
        let (started, begin) = AsyncStream<Void>.makeStream()
        let server = try RawServer { _, connection in
            begin.yield()
            connection.waitUntilClosed()
        }
        let client = TracedHTTPClient(telemetry, allowedHosts: [])
        let request = try self.request(server)
        let task = Task { try await client.send(request) }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await telemetry.flush()
        let span = try #require(collector.spans(named: "GET").first)
        #expect(span.status == .unset)
        #expect(span.attributes["error.type"] == nil)
    }

    @Test func `names an unknown method HTTP, and says what it was`() async throws {
        let telemetry = start()
        let server = try server()
        _ = try await TracedHTTPClient(telemetry, allowedHosts: []).send(try request(server, method: "BREW"))
        await telemetry.flush()
        let span = try #require(collector.spans(named: "HTTP").first)
        #expect(span.attributes["http.request.method"] == "_OTHER")
        #expect(span.attributes["http.request.method_original"] == "BREW")
    }
}
