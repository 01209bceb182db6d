import AstrolabeGzip
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeDelivery

/// A run of a new device that sends records over a real socket.
private struct SocketRun {
    let run: TestRun
    let delivery: DeliveryService
    private let device = TestDevice()

    init(
        port: Int, batchSize: Int = 512, headers: [String: String] = [:],
        onDiagnostic: @escaping @Sendable (String) -> Void = { _ in },
    ) throws {
        var endpoint = OTLPEndpoint(url: try #require(URL(string: "http://127.0.0.1:\(port)")), headers: headers)
        // A busy machine must not exceed it.
        endpoint.timeout = .seconds(300)
        var hooks = DeliveryHooks()
        hooks.onDiagnostic = onDiagnostic
        run = try device.run()
        delivery = try run.delivery(
            by: URLSessionTransport(), to: endpoint,
            adjust: { settings in
                settings.batchSize = batchSize
                settings.retry.initialBackoff = 0.01
                settings.retry.maximumBackoff = 0.02
            }, hooks: hooks, time: .system,
        )
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Delivery over a real socket` {
    @Test func `sends a batch as gzipped protobuf with the endpoint's headers`() async throws {
        try await CollectorServer.run { server in
            let phone = try SocketRun(port: server.port, headers: ["x-honeycomb-team": "key"])
            phone.run.record(["a", "b"])
            #expect(await phone.delivery.flush() == .done)
            let request = try #require(server.requests.first)
            #expect(request.path == "/v1/traces")
            #expect(request.headers["content-type"] == "application/x-protobuf")
            #expect(request.headers["content-encoding"] == "gzip")
            #expect(request.headers["x-honeycomb-team"] == "key")
            let groups = try OTLPDecoder.traces(protobuf: GzipCoder.decompress(request.body, limit: 1 << 20))
            #expect(groups.first?.resource.attributes["service.name"] == "test")
            #expect(groups.first?.scopes.first?.scope == InstrumentationScope(name: "test", version: "1"))
            #expect(groups.first?.scopes.first?.records.map(\.name) == ["a", "b"])
            let report = await phone.delivery.currentReport
            #expect(report.ledger.summary == [2, 2, 0, 0, 0])
        }
    }

    @Test(arguments: [nil, "Shop/3.1"])
    func `names the exporter and its version in User-Agent, unless the app names another`(own: String?) async throws {
        try await CollectorServer.run { server in
            let phone = try SocketRun(port: server.port, headers: own.map { ["user-agent": $0] } ?? [:])
            phone.run.record(["a"])
            #expect(await phone.delivery.flush() == .done)
            let name = try #require(server.requests.first?.headers["user-agent"])
            #expect(name == own ?? OTLPRequest.userAgent)
            #expect(OTLPRequest.userAgent.wholeMatch(of: /OTel-OTLP-Exporter-Swift\/\d+\.\d+\.\d+.*/) != nil)
        }
    }

    @Test func `a batch is sent again unchanged after a retryable response, and nothing twice`() async throws {
        try await CollectorServer.run(answer: { count in
            count < 3 ? .status(503, headers: ["Retry-After": "0"]) : .status(200)
        }) { server in
            let phone = try SocketRun(port: server.port)
            phone.run.record(["a"])
            for _ in 0..<2 {
                guard case .waiting(_, "HTTP 503") = await phone.delivery.flush(.conditions(.becameActive)) else {
                    Issue.record("expected to wait")
                    return
                }
                phone.run.record(["b"])
            }
            #expect(await phone.delivery.flush(.conditions(.becameActive)) == .done)
            #expect(try server.spanNames() == ["a", "a", "a", "b", "b"])
            let report = await phone.delivery.currentReport
            #expect(report.ledger.summary == [3, 3, 0, 0, 0])
            #expect(report.lastFailure == nil)
        }
    }

    @Test func `a record that is refused is kept for another try, and the next one is sent`() async throws {
        let lines = Locked<[String]>([])
        try await CollectorServer.run(answer: { .status($0 == 1 ? 400 : 200) }) { server in
            let phone = try SocketRun(port: server.port, batchSize: 1) { line in
                lines.withLock { $0.append(line) }
            }
            phone.run.record(["bad", "good"])
            #expect(await phone.delivery.flush() == .done)
            let report = await phone.delivery.currentReport
            #expect(report.ledger.summary == [2, 1, 0, 1, 0])
            #expect(lines.withLock { $0 } == ["The server refused a record with HTTP 400. It is sent again later."])
        }
    }

    @Test func `records rejected by a partial success are counted as dropped`() async throws {
        // ExportTraceServiceResponse { partial_success { rejected_spans: 1, error_message: "no" } }
        let answer: [UInt8] = [0x0A, 6, 0x08, 1, 0x12, 2, 0x6E, 0x6F]
        try await CollectorServer.run(answer: { _ in .status(200, body: answer) }) { server in
            let phone = try SocketRun(port: server.port)
            phone.run.record(["a", "b", "c"])
            await phone.delivery.flush()
            let report = await phone.delivery.currentReport
            #expect(report.ledger.summary == [3, 2, 0, 0, 1])
            #expect(report.ledger.dropped == [.rejected: 1])
        }
    }

    @Test func `concurrent flushes send each record once`() async throws {
        try await CollectorServer.run { server in
            let phone = try SocketRun(port: server.port, batchSize: 10)
            let names = (0..<200).map { "span-\($0)" }
            phone.run.record(names)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { await phone.delivery.flush() } }
            }
            #expect(try server.spanNames() == names)
        }
    }

    @Test func `a collector that fails in every way on a real socket gets every record when it recovers`() async throws
    {
        let portal = CollectorServer.Response.status(
            200, headers: ["Content-Type": "text/html"], body: [0x3C, 0x70, 0x3E])
        let failures = [503, 500, 429, 401, 403, 404, 408, 302].map { CollectorServer.Response.status($0) } + [portal]
        try await CollectorServer.run(answer: { count in
            count <= failures.count ? failures[count - 1] : .status(200)
        }) { server in
            let phone = try SocketRun(port: server.port)
            let names = (0..<100).map { "span-\($0)" }
            phone.run.record(names)
            phone.run.record(["crash"], priority: .critical)
            for _ in failures { await phone.delivery.flush(.conditions(.becameActive)) }
            #expect(await phone.delivery.currentReport.ledger.summary == [101, 0, 0, 101, 0])
            #expect(await phone.delivery.flush(.conditions(.becameActive)) == .done)
            #expect(await phone.delivery.currentReport.ledger.summary == [101, 101, 0, 0, 0])
            #expect(try server.spanNames().suffix(101) == (["crash"] + names)[...])
        }
    }

    @Test func `a refused connection is a reason to wait and not to drop`() async throws {
        let phone = try SocketRun(port: try refusedPort())
        phone.run.record(["a"])
        guard case .waiting = await phone.delivery.flush() else {
            Issue.record("expected to wait for the server")
            return
        }
        let report = await phone.delivery.currentReport
        #expect(report.ledger.summary == [1, 0, 0, 1, 0], "it waits in the queue")
        #expect(report.lastFailure != nil)
    }

    @Test(arguments: [302, 307]) func `a redirect is not followed and loses nothing`(status: Int) async throws {
        try await CollectorServer.run { other in
            let elsewhere = "http://127.0.0.1:\(other.port)/v1/traces"
            try await CollectorServer.run(answer: { count in
                count == 1 ? .status(status, headers: ["Location": elsewhere]) : .status(200)
            }) { server in
                let phone = try SocketRun(port: server.port, headers: ["x-honeycomb-team": "key"])
                phone.run.record(["a"])
                guard case .waiting(_, let reason) = await phone.delivery.flush() else {
                    Issue.record("expected to wait")
                    return
                }
                #expect(reason == "HTTP \(status)")
                #expect(other.requests.isEmpty)
                #expect(await phone.delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
                #expect(await phone.delivery.flush() == .done)
                #expect(await phone.delivery.currentReport.ledger.summary == [1, 1, 0, 0, 0])
            }
        }
    }

    @Test func `the page of a captive portal is not a delivery`() async throws {
        try await CollectorServer.run(answer: { count in
            guard count == 1 else { return .status(200) }
            return .status(
                200, headers: ["Content-Type": "text/html; charset=utf-8"],
                body: Array("<html>Log in to the Wi-Fi</html>".utf8))
        }) { server in
            let phone = try SocketRun(port: server.port)
            phone.run.record(["a"])
            guard case .waiting(_, let reason) = await phone.delivery.flush() else {
                Issue.record("expected to wait")
                return
            }
            #expect(reason == "expected an OTLP response, got HTTP 200 with text/html")
            #expect(await phone.delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
            #expect(await phone.delivery.flush() == .done)
            #expect(try server.spanNames() == ["a", "a"])
            #expect(await phone.delivery.currentReport.ledger.summary == [1, 1, 0, 0, 0])
        }
    }

    @Test func `an endless response is cut off`() async throws {
        try await CollectorServer.run(answer: { _ in .endless(500) }) { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1/traces"))
            let request = OTLPRequest(url: url, headers: [:], body: [0x0A, 0], timeout: .seconds(300))
            guard case .response(500, nil, let body) = await URLSessionTransport().send(request) else {
                Issue.record("expected the status")
                return
            }
            #expect(body.count == ResponseHead.maximumBodyBytes)
        }
    }

    @Test func `shutdown sends what is left`() async throws {
        try await CollectorServer.run(answer: { .status($0 == 1 ? 429 : 200) }) { server in
            let phone = try SocketRun(port: server.port)
            phone.run.record(["last"])
            await phone.delivery.shutdown(within: 300)
            #expect(await phone.delivery.currentReport.ledger.delivered == 1)
        }
    }

    @Test func `shutdown ends at its timeout`() async throws {
        let phone = try SocketRun(port: try refusedPort())
        phone.run.record(["last"])
        await phone.delivery.shutdown(within: 0.2)
        #expect(await phone.delivery.currentReport.ledger.pending == 1)
    }
}

@Suite struct `Headers of the endpoint` {
    @Test func `are named but their values are in no description`() throws {
        let endpoint = OTLPEndpoint(
            url: try #require(URL(string: "https://api.honeycomb.io")), headers: ["x-honeycomb-team": "hcaik_secret"])
        for text in [
            "\(endpoint)", String(reflecting: endpoint), "\(Mirror(reflecting: endpoint).children.map(\.value))",
        ] {
            #expect(!text.contains("hcaik_secret"))
        }
        #expect("\(endpoint)".contains("x-honeycomb-team"))
    }

    @Test func `replace headers whose names differ only in case`() throws {
        var endpoint = OTLPEndpoint(
            url: try #require(URL(string: "https://api.honeycomb.io")),
            headers: ["X-Tenant": "1", "Content-Type": "x"],
        )
        endpoint.setHeader("x-TENANT", to: "2")
        #expect(endpoint.headers == ["x-tenant": "2", "Content-Type": "x"])
        endpoint.setHeader("content-type", to: "text/plain")
        let batch = ExportBatch(kind: .span, resource: EncodedResource(fields: []))
        let names = endpoint.request(with: batch).headers.keys.map { $0.lowercased() }
        #expect(names.sorted() == ["content-encoding", "content-type", "user-agent", "x-tenant"])
        #expect(endpoint.request(with: batch).headers["Content-Type"] == "application/x-protobuf")
    }
}

@Suite struct `Keys in the endpoint's address` {
    @Test func `are in no description and no diagnostic`() async throws {
        let url = try #require(URL(string: "http://user:hunter2@127.0.0.1:9/otlp?api-key=hcaik_secret#hcaik_secret"))
        let endpoint = OTLPEndpoint(url: url)
        #expect(endpoint.place == "http://127.0.0.1:9/otlp")
        let lines = Locked<[String]>([])
        var hooks = DeliveryHooks()
        hooks.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        let device = TestDevice()
        let run = try device.run()
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network, to: endpoint, hooks: hooks)
        run.record(["a"])
        await delivery.flush()
        network.answer(TestNetwork.taken)
        await delivery.flush()
        let told = lines.withLock { $0 }
        withExtendedLifetime(device) {}
        #expect(
            told == [
                "Cannot deliver to http://127.0.0.1:9/otlp: no network. Records are kept and retried.",
                "Delivery to http://127.0.0.1:9/otlp resumed",
            ])
        let mirror = "\(Mirror(reflecting: endpoint).children.map(\.value))"
        for text in ["\(endpoint)", String(reflecting: endpoint), mirror] {
            #expect(!text.contains("hunter2") && !text.contains("hcaik_secret"))
        }
    }
}

@Suite struct `The head of a response` {
    @Test(arguments: [
        nil, "", "application/x-protobuf", "application/protobuf", "Application/JSON; charset=utf-8", "text/plain",
        "application/octet-stream",
    ])
    func `with an OTLP content type, none, or an unusual one comes from the server`(type: String?) {
        let answer = ResponseHead(status: 200, contentType: type).result(body: [1])
        #expect(answer == .response(status: 200, retryAfter: nil, body: [1]))
    }

    @Test(arguments: ["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml"])
    func `with an HTML body and a success status comes from an intermediary`(type: String) {
        guard case .unreachable = ResponseHead(status: 200, contentType: type).result(body: [1]) else {
            Issue.record("\(type) is taken for an answer of OTLP's")
            return
        }
        let empty = ResponseHead(status: 204, contentType: type).result(body: [])
        #expect(empty == .response(status: 204, retryAfter: nil, body: []))
        let refusal = ResponseHead(status: 404, contentType: type).result(body: [1])
        #expect(refusal == .response(status: 404, retryAfter: nil, body: [1]))
    }
}

@Suite struct `The Retry-After header` {
    @Test func `is read as seconds or as a date`() {
        let now = Date(timeIntervalSince1970: 1_445_412_480)
        #expect(ResponseHead.delay(retryAfter: "120") == .seconds(120))
        #expect(ResponseHead.delay(retryAfter: "Wed, 21 Oct 2015 07:30:00 GMT", now: now) == .seconds(120))
        #expect(ResponseHead.delay(retryAfter: "Wed, 21 Oct 2015 07:00:00 GMT", now: now) == .zero)
        #expect(ResponseHead.delay(retryAfter: "soon") == nil)
        #expect(ResponseHead.delay(retryAfter: "-1") == nil)
        #expect(ResponseHead.delay(retryAfter: "0.5") == .seconds(0.5))
        #expect(ResponseHead.delay(retryAfter: "inf") == .seconds(31_536_000))
        #expect(ResponseHead.delay(retryAfter: "nan") == nil)
    }
}
