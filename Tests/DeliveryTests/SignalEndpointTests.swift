import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeDelivery

@Suite struct SignalEndpointTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func record(_ run: TestRun, _ kinds: [RecordKind]) {
        let scope = run.sink.register(InstrumentationScope(name: "test"))
        for kind in kinds {
            let header = RecordHeader(
                kind: kind, priority: .normal, scope: scope, timeUnixNano: 1_790_001_000_000_000_000, )
            SpanBytes.span(named: "any").withUnsafeBytes { run.sink.append($0, header: header) }
        }
    }

    @Test func `each signal has its own address, headers, timeout and compression`() async throws {
        var endpoint = OTLPEndpoint(url: try url("https://base.example/otlp"), headers: ["x-key": "base"])
        endpoint.logs.url = try url("https://logs.example/in")
        endpoint.logs.headers = ["x-logs": "own"]
        endpoint.metrics.timeout = .seconds(3)
        endpoint.metrics.isCompressed = false
        func request(_ kind: RecordKind) -> OTLPRequest {
            endpoint.request(with: ExportBatch(kind: kind, resource: EncodedResource(fields: [])))
        }
        #expect(request(.span).url.absoluteString == "https://base.example/otlp/v1/traces")
        #expect(request(.event).url.absoluteString == "https://logs.example/in")
        #expect(request(.metric).url.absoluteString == "https://base.example/otlp/v1/metrics")
        #expect(request(.span).headers["x-key"] == "base" && request(.metric).headers["x-key"] == "base")
        #expect(request(.event).headers["x-logs"] == "own" && request(.event).headers["x-key"] == nil)
        #expect(request(.span).timeout == .seconds(10) && request(.metric).timeout == .seconds(3))
        #expect(request(.event).headers["Content-Encoding"] == "gzip")
        #expect(request(.metric).headers["Content-Encoding"] == nil)
        #expect(endpoint.place(for: .event) == "https://logs.example/in")
        #expect(endpoint.place(for: .span) == "https://base.example/otlp")
    }

    @Test func `an endpoint is on this machine if each of its addresses is`() throws {
        var endpoint = OTLPEndpoint(url: try url("http://localhost:4318"))
        endpoint.traces.url = try url("http://127.0.0.1:1/a")
        endpoint.logs.url = try url("http://LOCALHOST/b")
        #expect(endpoint.isOnThisMachine)
        let elsewhere = try url("https://collector.example/c")
        let signals: [WritableKeyPath<OTLPEndpoint, OTLPEndpoint.Signal>] = [\.traces, \.logs, \.metrics]
        for signal in signals {
            var other = endpoint
            other[keyPath: signal].url = elsewhere
            #expect(!other.isOnThisMachine)
        }
        endpoint.url = elsewhere
        #expect(!endpoint.isOnThisMachine)
    }

    @Test(arguments: [
        ("http://collector:4318", "http://collector:4318/v1/logs", "http://collector:4318/"),
        ("http://collector:4318/", "http://collector:4318/v1/logs", "http://collector:4318/"),
        ("http://collector/mycollector", "http://collector/mycollector/v1/logs", "http://collector/mycollector"),
        ("https://collector/v1/logs/", "https://collector/v1/logs/v1/logs", "https://collector/v1/logs/"),
    ])
    func `a path is appended to the endpoint's address alone`(address: String, asBase: String, asOwn: String) throws {
        var endpoint = OTLPEndpoint(url: try url(address))
        #expect(endpoint.url(for: .event).absoluteString == asBase)
        endpoint.url = try url("http://other")
        endpoint.logs.url = try url(address)
        #expect(endpoint.url(for: .event).absoluteString == asOwn)
        #expect(endpoint.url(for: .span).absoluteString == "http://other/v1/traces")
    }

    @Test func `a signal whose endpoint is away loses nothing, and nothing is sent twice`() async throws {
        let run = try TestDevice().run()
        let network = RoutingNetwork()
        var endpoint = OTLPEndpoint(url: try url("http://127.0.0.1:4318"))
        endpoint.logs.url = try url("http://127.0.0.1:9/logs")
        let delivery = try run.delivery(by: network, to: endpoint)
        network.away.withLock { $0 = ["127.0.0.1:9"] }
        record(run, [.span, .event, .metric, .event])
        guard case .waiting = await delivery.flush() else { return #expect(Bool(false), "nothing failed") }
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.created == 4 && ledger.droppedTotal == 0)
        #expect(ledger.delivered + ledger.pending == 4 && ledger.pending >= 2)
        network.away.withLock { $0 = [] }
        while await delivery.flush() != .done {}
        #expect(await delivery.currentReport.ledger.summary == [4, 4, 0, 0, 0])
        let taken = network.taken.withLock { $0 }
        #expect(Set(taken) == ["/v1/traces", "/v1/metrics", "/logs"] && taken.count == 3)
    }

    @Test func `headers of the app go to the origin of the endpoint alone`() async throws {
        let run = try TestDevice().run()
        let network = RoutingNetwork()
        var endpoint = OTLPEndpoint(url: try url("https://base.example"))
        endpoint.logs.url = try url("https://other.example/logs")
        endpoint.metrics.url = try url("https://BASE.example:443/metrics")
        let delivery = try run.delivery(
            by: network, to: endpoint, adjust: { $0.requestHeaders = { _ in ["authorization": "token"] } }, )
        record(run, [.span, .event, .metric])
        await delivery.flush()
        #expect(network.keys.withLock { $0 } == ["/v1/traces": "token", "/metrics": "token", "/logs": ""])
    }

    @Test func `headers of a signal are in no description`() throws {
        var endpoint = OTLPEndpoint(url: try url("https://base.example"))
        endpoint.logs.headers = ["x-key": "secret"]
        var dumped = ""
        dump(endpoint.logs, to: &dumped)
        for text in ["\(endpoint.logs)", String(reflecting: endpoint.logs), dumped, "\(endpoint)"] {
            #expect(!text.contains("secret"))
        }
        #expect("\(endpoint.logs)".contains("x-key"))
    }
}

/// A network in which some hosts are away, and which stores where requests went.
private struct RoutingNetwork: OTLPTransport {
    /// Parts of addresses that do not respond.
    let away = Locked<[String]>([])
    let taken = Locked<[String]>([])
    /// The authorization of the requests by path.
    let keys = Locked<[String: String]>([:])

    func send(_ request: OTLPRequest) async -> SendResult {
        let address = request.url.absoluteString
        if away.withLock({ $0.contains { address.contains($0) } }) { return TestNetwork.away }
        taken.withLock { $0.append(request.url.path) }
        keys.withLock { $0[request.url.path] = request.headers["authorization"] ?? "" }
        return TestNetwork.taken
    }
}
