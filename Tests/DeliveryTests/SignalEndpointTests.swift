import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeDelivery

@Suite struct SignalEndpointTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    func record(_ run: TestRun, _ kinds: [RecordKind], priority: Priority = .normal) {
        let scope = run.sink.register(InstrumentationScope(name: "test"))
        for kind in kinds {
            let header = RecordHeader(
                kind: kind, priority: priority, scope: scope, timeUnixNano: 1_790_001_000_000_000_000)
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
        network.fail(["127.0.0.1:9": TestNetwork.away])
        record(run, [.span, .event, .metric, .event])
        guard case .waiting = await delivery.flush() else { return #expect(Bool(false), "nothing failed") }
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.created == 4 && ledger.droppedTotal == 0)
        #expect(ledger.delivered == 2 && ledger.pending == 2)
        network.fail([:])
        #expect(await delivery.flush() == .done)
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
            by: network, to: endpoint, adjust: { $0.requestHeaders = { _ in ["authorization": "token"] } })
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

@Suite(.timeLimit(.minutes(5))) struct `A server that takes one signal and fails another` {
    /// By default one status of each kind: `RetryPolicyTests` has the decision for every other one.
    private static let refusals = (Thoroughness.isThorough ? [404, 405, 500, 501, 503, 401] : [404, 503]).map {
        SendResult.response(status: $0, retryAfter: nil, body: [])
    }

    @Test(arguments: refusals)
    func `gets the spans of each minute, and few requests with logs`(refusal: SendResult) async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = RoutingNetwork()
        let said = Locked<[String]>([])
        var hooks = DeliveryHooks()
        hooks.onDiagnostic = { text in said.withLock { $0.append(text) } }
        let delivery = try run.delivery(by: network, hooks: hooks)
        network.fail(["/v1/logs": refusal])
        for minute in 1...60 {
            record(run, [.event, .span, .metric])
            try await `An outage`.live(through: 60, device, delivery)
            #expect(await delivery.currentReport.ledger.summary == [3 * minute, 2 * minute, 0, minute, 0])
        }
        let requests = network.asked.withLock { $0.filter { $0 == "/v1/logs" }.count }
        #expect(requests > 10 && requests <= 30, "\(requests) requests")
        let blockers = await delivery.currentReport.blockers.map(\.description)
        #expect(blockers.count == 1 && blockers[0].hasPrefix("logs: HTTP \(refusal.status); next"), "\(blockers)")
        network.fail([:])
        try await `An outage`.live(through: 600, device, delivery)
        #expect(await delivery.currentReport.ledger.summary == [180, 180, 0, 0, 0])
        #expect(
            said.withLock { $0 } == [
                "Cannot deliver to http://127.0.0.1:4318/v1/logs: HTTP \(refusal.status). Records are kept and retried.",
                "Delivery to http://127.0.0.1:4318/v1/logs resumed",
            ])
    }

    @Test func `gets the spans even if a crash cannot be sent, and the crash first when it takes logs`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = RoutingNetwork()
        let delivery = try run.delivery(by: network)
        network.fail(["/v1/logs": Self.refusals[0]])
        record(run, [.event], priority: .critical)
        record(run, Array(repeating: .span, count: 700))
        await delivery.flush(.critical)
        await delivery.flush(.scheduled)
        #expect(network.asked.withLock { $0 } == ["/v1/logs", "/v1/traces", "/v1/traces"])
        #expect(await delivery.currentReport.ledger.summary == [701, 700, 0, 1, 0])
        network.fail([:])
        record(run, [.span, .span])
        await delivery.flush()
        #expect(network.taken.withLock { $0 } == ["/v1/traces", "/v1/traces", "/v1/logs", "/v1/traces"])
    }

    @Test func `is left alone by all signals if it does not respond or specifies a time`() async throws {
        for failure in [TestNetwork.away, .timedOut, .response(status: 429, retryAfter: .seconds(60), body: [])] {
            let run = try TestDevice().run()
            let network = RoutingNetwork()
            let delivery = try run.delivery(by: network)
            network.fail(["/v1/": failure])
            record(run, [.event, .span, .metric])
            await delivery.flush()
            #expect(network.asked.withLock { $0.count } == 1)
            #expect(await delivery.currentReport.ledger.summary == [3, 0, 0, 3, 0])
        }
    }

    @Test(arguments: [false, true])
    func `is asked little while it fails all signals, takes the crash first, and spans without logs`(
        hasLogsAfterwards: Bool
    ) async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = RoutingNetwork()
        let delivery = try run.delivery(by: network)
        network.fail(["/v1/": .response(status: 503, retryAfter: nil, body: [])])
        record(run, [.span, .metric])
        record(run, [.event], priority: .critical)
        try await `An outage`.live(through: 3_600, device, delivery)
        let requests = network.asked.withLock { $0.count }
        #expect(requests <= 60, "\(requests) requests")
        network.fail(hasLogsAfterwards ? [:] : ["/v1/logs": Self.refusals[0]])
        try await `An outage`.live(through: 1_800, device, delivery)
        let taken = network.taken.withLock { $0 }
        #expect(hasLogsAfterwards ? taken.first == "/v1/logs" && taken.count == 3 : Set(taken).count == 2, "\(taken)")
        #expect(await delivery.currentReport.ledger.delivered == (hasLogsAfterwards ? 3 : 2))
    }

    @Test func `and that refuses each of its records gets the other signal, and few requests`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = RoutingNetwork()
        let delivery = try run.delivery(by: network)
        network.fail(["/v1/logs": .response(status: 400, retryAfter: nil, body: [])])
        for minute in 1...60 {
            record(run, [.event, .span, .event, .span])
            try await `An outage`.live(through: 60, device, delivery)
            #expect(await delivery.currentReport.ledger.delivered == 2 * minute)
        }
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.droppedTotal < 30 && ledger.created == 240)
        #expect(network.asked.withLock { $0.filter { $0 == "/v1/logs" }.count } < 200)
        network.fail([:])
        try await `An outage`.live(through: 600, device, delivery)
        #expect(await delivery.currentReport.ledger.delivered == 240 - ledger.droppedTotal)
    }

    private func record(_ run: TestRun, _ kinds: [RecordKind], priority: Priority = .normal) {
        SignalEndpointTests().record(run, kinds, priority: priority)
    }
}

/// A network in which some requests fail, and which stores where requests went.
private struct RoutingNetwork: OTLPTransport {
    private let failures = Locked<[String: SendResult]>([:])
    /// The paths of all requests.
    let asked = Locked<[String]>([])
    let taken = Locked<[String]>([])
    /// The authorization of the requests by path.
    let keys = Locked<[String: String]>([:])

    /// Lets the requests fail whose addresses contain one of these texts.
    func fail(_ failures: [String: SendResult]) { self.failures.withLock { $0 = failures } }

    func send(_ request: OTLPRequest) async -> SendResult {
        let address = request.url.absoluteString
        asked.withLock { $0.append(request.url.path) }
        if let failure = failures.withLock({ $0.first { address.contains($0.key) } }) { return failure.value }
        taken.withLock { $0.append(request.url.path) }
        keys.withLock { $0[request.url.path] = request.headers["authorization"] ?? "" }
        return TestNetwork.taken
    }
}

extension SendResult {
    fileprivate var status: Int { if case .response(let status, _, _) = self { status } else { 0 } }
}
