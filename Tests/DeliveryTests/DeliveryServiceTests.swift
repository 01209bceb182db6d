import Foundation
import Gzip
import Hummingbird
import OTLP
import Platform
import TelemetryModel
import Testing

@testable import Delivery

/// A span as it comes from the SDK: a name, ids and times, encoded by hand.
private func span(named name: String) -> [UInt8] {
    var bytes: [UInt8] =
        [0x0A, 16] + Array(repeating: 0xAB, count: 16) + [0x12, 8] + Array(repeating: 0xCD, count: 8)
    bytes += [0x2A, UInt8(name.utf8.count)] + Array(name.utf8)
    return bytes
}

private func record(_ names: [String], into buffer: MemoryBuffer) {
    let scope = buffer.register(InstrumentationScope(name: "test", version: "1"))
    for name in names {
        span(named: name).withUnsafeBytes {
            buffer.append($0, header: RecordHeader(kind: .span, priority: .normal, scope: scope, timeUnixNano: 1))
        }
    }
}

private func service(
    port: Int, buffer: MemoryBuffer, batchSize: Int = 512, headers: [String: String] = [:],
    diagnose: @escaping @Sendable (String) -> Void = { _ in },
) throws -> DeliveryService {
    var endpoint = OTLPEndpoint(url: try #require(URL(string: "http://127.0.0.1:\(port)")), headers: headers)
    endpoint.timeout = 5
    var settings = DeliveryService.Settings(endpoint: endpoint)
    settings.batchSize = batchSize
    settings.retry.initialBackoff = 0.01
    settings.retry.maximumBackoff = 0.02
    return DeliveryService(
        buffer: buffer, resource: EncodedResource(Resource(attributes: ["service.name": "test"])),
        transport: URLSessionTransport(), settings: settings, diagnose: diagnose, )
}

@Suite struct `Delivery over a real socket` {
    @Test func `sends a batch as gzipped protobuf with the endpoint's headers`() async throws {
        try await CollectorServer.run { server in
            let buffer = MemoryBuffer()
            let delivery = try service(port: server.port, buffer: buffer, headers: ["x-honeycomb-team": "key"])
            record(["a", "b"], into: buffer)
            #expect(await delivery.flush() == .done)
            let request = try #require(server.requests.first)
            #expect(request.path == "/v1/traces")
            #expect(request.headers["content-type"] == "application/x-protobuf")
            #expect(request.headers["content-encoding"] == "gzip")
            #expect(request.headers["x-honeycomb-team"] == "key")
            let groups = try OTLPDecoder.traces(protobuf: GzipCoder.decompress(request.body, limit: 1 << 20))
            #expect(groups.first?.resource.attributes["service.name"] == "test")
            #expect(groups.first?.scopes.first?.scope == InstrumentationScope(name: "test", version: "1"))
            #expect(groups.first?.scopes.first?.records.map(\.name) == ["a", "b"])
            let report = await delivery.currentReport
            #expect((report.created, report.delivered, report.pending) == (2, 2, 0))
        }
    }

    @Test func `a batch that was refused for now is sent again whole, and nothing twice`() async throws {
        try await CollectorServer.run(answer: { count in
            count < 3 ? Response(status: .serviceUnavailable, headers: [.retryAfter: "0"]) : Response(status: .ok)
        }) { server in
            let buffer = MemoryBuffer()
            let delivery = try service(port: server.port, buffer: buffer)
            record(["a"], into: buffer)
            #expect(await delivery.flush() == .waiting(seconds: 0, reason: "HTTP 503"))
            record(["b"], into: buffer)
            #expect(await delivery.flush() == .waiting(seconds: 0, reason: "HTTP 503"))
            #expect(await delivery.flush() == .done)
            #expect(try server.spanNames() == ["a", "a", "a", "b"])
            let report = await delivery.currentReport
            #expect((report.delivered, report.pending, report.lastFailure) == (2, 0, nil))
        }
    }

    @Test func `a refusal for good drops the batch, says why, and goes on with the next`() async throws {
        let lines = Guarded<[String]>([])
        try await CollectorServer.run(answer: { Response(status: $0 == 1 ? .badRequest : .ok) }) { server in
            let buffer = MemoryBuffer()
            let delivery = try service(port: server.port, buffer: buffer, batchSize: 1) { line in
                lines.withLock { $0.append(line) }
            }
            record(["bad", "good"], into: buffer)
            #expect(await delivery.flush() == .done)
            let report = await delivery.currentReport
            #expect((report.delivered, report.dropped) == (1, [.rejected: 1]))
            #expect(lines.withLock { $0 } == ["gave up 1 records: HTTP 400 from /v1/traces"])
        }
    }

    @Test func `what a partial success rejects is counted as dropped`() async throws {
        // ExportTraceServiceResponse { partial_success { rejected_spans: 1, error_message: "no" } }
        let answer: [UInt8] = [0x0A, 6, 0x08, 1, 0x12, 2, 0x6E, 0x6F]
        try await CollectorServer.run(answer: { _ in
            Response(status: .ok, body: .init(byteBuffer: .init(bytes: answer)))
        }) { server in
            let buffer = MemoryBuffer()
            let delivery = try service(port: server.port, buffer: buffer)
            record(["a", "b", "c"], into: buffer)
            await delivery.flush()
            let report = await delivery.currentReport
            #expect((report.delivered, report.dropped, report.pending) == (2, [.rejected: 1], 0))
        }
    }

    @Test func `many flushes at once send each record once`() async throws {
        try await CollectorServer.run { server in
            let buffer = MemoryBuffer()
            let delivery = try service(port: server.port, buffer: buffer, batchSize: 10)
            let names = (0..<200).map { "span-\($0)" }
            record(names, into: buffer)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { await delivery.flush() } }
            }
            #expect(try server.spanNames() == names)
        }
    }

    @Test func `nobody listening is a reason to wait, not to lose`() async throws {
        let port = try await CollectorServer.run { $0.port }
        let buffer = MemoryBuffer()
        let delivery = try service(port: port, buffer: buffer)
        record(["a"], into: buffer)
        guard case .waiting = await delivery.flush() else {
            Issue.record("expected to wait for the server")
            return
        }
        let report = await delivery.currentReport
        #expect((report.delivered, report.pending, report.dropped) == (0, 1, [:]))
        #expect(report.lastFailure != nil)
    }

    @Test func `shutting down sends what is left`() async throws {
        try await CollectorServer.run(answer: { Response(status: $0 == 1 ? .tooManyRequests : .ok) }) { server in
            let buffer = MemoryBuffer()
            let delivery = try service(port: server.port, buffer: buffer)
            record(["last"], into: buffer)
            await delivery.shutdown(within: 30)
            #expect(await delivery.currentReport.delivered == 1)
        }
    }

    @Test func `shutting down gives up when its time is over`() async throws {
        let port = try await CollectorServer.run { $0.port }
        let buffer = MemoryBuffer()
        let delivery = try service(port: port, buffer: buffer)
        record(["last"], into: buffer)
        await delivery.shutdown(within: 0.2)
        #expect(await delivery.currentReport.pending == 1)
    }
}

@Suite struct `Headers of the endpoint` {
    @Test func `are named and not shown in any description`() throws {
        let endpoint = OTLPEndpoint(
            url: try #require(URL(string: "https://api.honeycomb.io")), headers: ["x-honeycomb-team": "hcaik_secret"], )
        for text in [
            "\(endpoint)", String(reflecting: endpoint), "\(Mirror(reflecting: endpoint).children.map(\.value))",
        ] {
            #expect(!text.contains("hcaik_secret"))
        }
        #expect("\(endpoint)".contains("x-honeycomb-team"))
    }
}

@Suite struct `The Retry-After header` {
    @Test func `is read as seconds or as a date`() {
        let now = Date(timeIntervalSince1970: 1_445_412_480)
        #expect(URLSessionTransport.seconds(retryAfter: "120") == 120)
        #expect(URLSessionTransport.seconds(retryAfter: "Wed, 21 Oct 2015 07:30:00 GMT", now: now) == 120)
        #expect(URLSessionTransport.seconds(retryAfter: "Wed, 21 Oct 2015 07:00:00 GMT", now: now) == 0)
        #expect(URLSessionTransport.seconds(retryAfter: "soon") == nil)
        #expect(URLSessionTransport.seconds(retryAfter: "-1") == nil)
    }
}
