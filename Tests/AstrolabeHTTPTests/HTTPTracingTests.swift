import Astrolabe
import AstrolabeHTTP
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `Tracing around a session of the app's own` {
    private let collector = TelemetryCollector()

    private func send(
        _ server: RawServer, names: HTTPAttributeNames = .stable,
    ) async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
        var tracing = HTTPTracing(telemetry, allowedHosts: ["127.0.0.1"])
        tracing.attributeNames = names
        let request = URLRequest(url: try server.baseURL.appendingPathComponent("api/cart"))
        let (_, response) = try await tracing.trace(request, template: "/api/cart") { request, _ in
            try await URLSession.shared.data(for: request)
        }
        #expect((response as? HTTPURLResponse)?.statusCode == 503)
        await telemetry.flush()
    }

    private func server() throws -> RawServer {
        try RawServer { _, connection in connection.answer(503, "busy") }
    }

    private let stable = [
        "http.request.method", "url.full", "http.response.status_code", "server.address", "server.port",
        "http.response.body.size",
    ]
    private let old = [
        "http.method", "http.url", "http.status_code", "net.peer.name", "net.peer.port",
        "http.response_content_length",
    ]

    @Test func `sends the context and records the answer`() async throws {
        let server = try server()
        try await send(server)
        let span = try #require(collector.spans(named: "GET /api/cart").first)
        #expect(server.requests.first?.header("traceparent")?.contains("\(span.context.spanID)") == true)
        #expect(span.attributes["http.response.status_code"] == 503)
        #expect(span.attributes["error.type"] == "503")
        #expect(span.status == .error(""))
    }

    @Test @MainActor func `sends on the actor that asks, before what that actor does next`() async throws {
        let tracing = HTTPTracing(collector.start(TelemetryConfiguration(serviceName: "app")), allowedHosts: [])
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/cart")))
        var begun: [String] = []
        let send = Task {
            try? await tracing.trace(request) { _, _ -> (Data, URLResponse) in
                begun.append("the request")
                throw URLError(.timedOut)
            }
        }
        let next = Task { begun.append("the next task") }
        _ = await send.value
        await next.value
        #expect(begun == ["the request", "the next task"])
    }

    @Test(arguments: Cancellation.allCases) func `takes a cancelled request for no failure`(
        shape: Cancellation
    ) async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
        let url = try #require(URL(string: "http://127.0.0.1/search"))
        await #expect(throws: (any Error).self) {
            try await HTTPTracing(telemetry, allowedHosts: []).trace(URLRequest(url: url)) {
                _, _ -> (Data, URLResponse) in
                throw shape.error
            }
        }
        await telemetry.flush()
        let span = try #require(collector.spans(named: "GET").first)
        #expect(span.status == .unset)
        #expect(span.attributes["error.type"] == nil)
        #expect(span.events.map(\.name) == ["cancelled"])
        #expect(collector.metrics(named: "http.client.request.duration").isEmpty)
    }

    @Test func `measures the duration of each request, with its status or its error`() async throws {
        let server = try server()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
        let tracing = HTTPTracing(telemetry, allowedHosts: [])
        let url = try server.baseURL
        for _ in 0..<2 {
            _ = try await tracing.trace(URLRequest(url: url)) { request, _ in
                try await URLSession.shared.data(for: request)
            }
        }
        for error in [URLError(.timedOut), URLError(.cancelled)] {
            _ = try? await tracing.trace(URLRequest(url: url)) { _, _ -> (Data, URLResponse) in throw error }
        }
        await telemetry.flush()
        let metric = try #require(collector.metrics(named: "http.client.request.duration").first)
        #expect(metric.unit == "s")
        guard case .histogram(let points, _) = metric.data else {
            Issue.record("expected a histogram")
            return
        }
        #expect(points.map(\.count).sorted() == [1, 2], "a cancelled request is not measured")
        let answered = try #require(points.first { $0.count == 2 })
        #expect(answered.attributes["http.request.method"] == "GET")
        #expect(answered.attributes["http.response.status_code"] == 503)
        #expect(answered.attributes["error.type"] == "503")
        #expect(answered.attributes["server.address"] == "127.0.0.1")
        #expect(answered.attributes["server.port"] == .int(Int64(url.port ?? 0)))
        #expect(points.first { $0.count == 1 }?.attributes["error.type"] == "timeout")
    }

    @Test func `names an error of the app as exceptions do, without an address that differs by launch`() async throws {
        struct NoPaper: Error {}
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
        let url = try #require(URL(string: "http://127.0.0.1/print"))
        await #expect(throws: NoPaper.self) {
            try await HTTPTracing(telemetry, allowedHosts: []).trace(URLRequest(url: url)) {
                _, _ -> (Data, URLResponse) in
                throw NoPaper()
            }
        }
        await telemetry.flush()
        let span = try #require(collector.spans(named: "GET").first)
        let type = try #require(span.attributes["error.type"]?.stringValue)
        #expect(type.hasPrefix("AstrolabeHTTPTests.") && type.hasSuffix("NoPaper") && !type.contains("context at"))
        #expect(span.events.map { $0.attributes["exception.type"]?.stringValue } == [type])
        let metric = try #require(collector.metrics(named: "http.client.request.duration").first)
        guard case .histogram(let points, _) = metric.data else {
            Issue.record("expected a histogram")
            return
        }
        #expect(points.map { $0.attributes["error.type"]?.stringValue } == [type])
    }

    @Test func `covers a download and a call with a completion handler`() async throws {
        let server = try server()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
        let tracing = HTTPTracing(telemetry, allowedHosts: ["127.0.0.1"])
        let request = URLRequest(url: try server.baseURL)
        let (file, _) = try await tracing.trace(request, template: "/download") { request, _ -> (URL, URLResponse) in
            try await withCheckedThrowingContinuation { continuation in
                URLSession.shared.downloadTask(with: request) { file, response, error in
                    guard let file, let response else {
                        return continuation.resume(throwing: error ?? URLError(.unknown))
                    }
                    continuation.resume(returning: (file, response))
                }.resume()
            }
        }
        #expect(file.isFileURL)
        await telemetry.flush()
        let span = try #require(collector.spans(named: "GET /download").first)
        #expect(span.attributes["http.response.status_code"] == 503)
        #expect(server.requests.first?.header("traceparent")?.contains("\(span.context.spanID)") == true)
    }

    @Test func `covers an upload`() async throws {
        let server = try server()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
        let tracing = HTTPTracing(telemetry, allowedHosts: ["127.0.0.1"])
        var request = URLRequest(url: try server.baseURL)
        request.httpMethod = "PUT"
        let body = Data("comet".utf8)
        _ = try await tracing.trace(request, template: "/upload") { request, _ in
            try await URLSession.shared.upload(for: request, from: body)
        }
        await telemetry.flush()
        let span = try #require(collector.spans(named: "PUT /upload").first)
        #expect(span.attributes["http.response.status_code"] == 503)
        #expect(server.requests.first?.header("traceparent")?.contains("\(span.context.spanID)") == true)
    }

    @Test(arguments: [nil, "gzip"])
    func `records a size only if it is the one on the wire`(encoding: String?) async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
        let url = try #require(URL(string: "http://127.0.0.1/chunked"))
        let headers = encoding.map { ["Content-Encoding": $0] } ?? [:]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers))
        _ = try await HTTPTracing(telemetry, allowedHosts: []).trace(URLRequest(url: url)) { _, _ in
            (Data(count: 1_000), response)
        }
        await telemetry.flush()
        let attributes = try #require(collector.spans(named: "GET").first).attributes
        #expect(attributes["http.response.body.size"] == (encoding == nil ? 1_000 : nil))
    }

    @MainActor
    @Test func `runs what the app does where the app is`() async throws {
        final class Screen { var requests: [URLRequest] = [] }
        let screen = Screen()
        let url = try server().baseURL
        let tracing = HTTPTracing(.disabled, allowedHosts: ["127.0.0.1"])
        _ = try? await tracing.trace(URLRequest(url: url)) { request, _ -> (Data, URLResponse) in
            MainActor.assertIsolated()
            screen.requests.append(request)
            throw CancellationError()
        }
        #expect(screen.requests.map(\.url) == [url])
    }

    @Test func `says in one word why no answer came`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try refusedPort())"))
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
        await #expect(throws: URLError.self) {
            try await HTTPTracing(telemetry, allowedHosts: []).trace(URLRequest(url: url)) { request, _ in
                try await URLSession.shared.data(for: request)
            }
        }
        await telemetry.flush()
        #expect(collector.spans(named: "GET").first?.attributes["error.type"] == "connection_refused")
    }

    @Test(arguments: [HTTPAttributeNames.stable, .old]) func `writes the names of one generation`(
        names: HTTPAttributeNames
    ) async throws {
        try await send(try server(), names: names)
        let keys = Set(try #require(collector.spans(named: "GET /api/cart").first).attributes.map(\.key))
        #expect(keys.isSuperset(of: names == .stable ? stable : old))
        #expect(keys.isDisjoint(with: names == .stable ? old : stable))
    }

    @Test func `writes the names of both generations with the same values`() async throws {
        try await send(try server(), names: .both)
        let attributes = try #require(collector.spans(named: "GET /api/cart").first).attributes
        for (new, old) in zip(stable, old) {
            #expect(attributes[new] != nil)
            #expect(attributes[new] == attributes[old], "\(new)")
        }
    }

    @Test(arguments: [
        (nil, HTTPAttributeNames.stable), ("", .stable), ("http", .stable), ("http/dup", .both),
        ("db, http/dup", .both),
    ])
    func `takes the generation of names from the environment`(value: String?, names: HTTPAttributeNames) {
        #expect(HTTPAttributeNames(stabilityOptIn: value) == names)
    }
}
