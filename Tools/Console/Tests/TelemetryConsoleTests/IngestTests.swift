import AstrolabeGzip
import AstrolabeSemantics
import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import TelemetryConsole

/// Tests of OTLP over HTTP without a socket.
@Suite
struct IngestTests {
    private static let protobuf = "application/x-protobuf"
    private static let json = "application/json"

    private func withClient<Value: Sendable>(
        _ adjust: (inout ConsoleConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (any TestClientProtocol, any TelemetryStore) async throws -> Value,
    ) async throws -> Value {
        try await ConsoleInProcess.run(adjust) { try await body($0.client, $0.store) }
    }

    private func post(
        _ client: any TestClientProtocol, _ path: String, _ body: [UInt8], type: String?,
        encoding: String? = nil,
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        if let type { headers[.contentType] = type }
        if let encoding { headers[.contentEncoding] = encoding }
        return try await client.executeRequest(
            uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body),
        )
    }

    @Test
    func `JSON is accepted, stored, and acknowledged in JSON`() async throws {
        try await withClient { client, store in
            let visit = ShopVisit.purchase()
            let response = try await post(client, "/v1/traces", visit.phoneTraceBody.bytes, type: Self.json)
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == Self.json)
            #expect(String(buffer: response.body) == "{}")
            #expect(try await store.session(visit.session)?.spans == visit.phoneSpans.count)
        }
    }

    @Test
    func `protobuf is accepted and acknowledged with an empty protobuf message`() async throws {
        try await withClient { client, store in
            let response = try await post(client, "/v1/traces", ProtobufFixture.trace, type: Self.protobuf)
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == Self.protobuf)
            #expect(response.body.readableBytes == 0)
            let trace = try #require(try await store.trace(TraceID(high: 1, low: 2)))
            try #require(trace.spans.map(\.span.name) == ["checkout"])
            #expect(trace.spans[0].span.attributes["session.id"] == "s-pb")
        }
    }

    @Test(arguments: [false, true])
    func `gzip is decompressed in either encoding`(isJSON: Bool) async throws {
        try await withClient { client, store in
            let body = try isJSON ? ShopVisit.purchase().phoneTraceBody.bytes : ProtobufFixture.trace
            let response = try await post(
                client, "/v1/traces", try GzipCoder.compress(body), type: isJSON ? Self.json : Self.protobuf,
                encoding: "gzip",
            )
            #expect(response.status == .ok)
            #expect(try await store.statistics().traces > 0)
        }
    }

    @Test
    func `logs and metrics have their own paths, and media type parameters are ignored`() async throws {
        try await withClient { client, store in
            let visit = ShopVisit.purchase()
            let logs = try await post(
                client, "/v1/logs", visit.phoneLogBody.bytes, type: "application/json; charset=utf-8",
            )
            #expect(logs.status == .ok)
            let metric = OTLPBody.metric(
                visit.phone, name: "battery", unit: "1", isCounter: false, start: visit.start, points: [([], 1, 0.5)],
            )
            #expect(try await post(client, "/v1/metrics", metric.bytes, type: "Application/JSON").status == .ok)
            #expect(try await store.session(visit.session)?.events == visit.events.count)
            #expect(try await store.metrics().elements.map(\.name) == ["battery"])
        }
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", nil])
    func `another media type is 415 and names the supported ones`(type: String?) async throws {
        try await withClient { client, _ in
            let response = try await post(client, "/v1/traces", [], type: type)
            #expect(response.status == .unsupportedMediaType)
            let status = try JSONResponse(Array(buffer: response.body))
            #expect(status["code"].int == 3)
            #expect(status["message"].text?.contains("application/x-protobuf") == true)
        }
    }

    @Test
    func `another content encoding is 415 and names the supported ones`() async throws {
        try await withClient { client, _ in
            let response = try await post(client, "/v1/traces", [1, 2, 3], type: Self.json, encoding: "br")
            #expect(response.status == .unsupportedMediaType)
            #expect(response.headers[.acceptEncoding] == BodyCompression.names)
            #expect(BodyCompression.names.hasPrefix("gzip, deflate"))
        }
    }

    @Test
    func `invalid OTLP is 400 with the decoder's reason in the request's encoding`() async throws {
        try await withClient { client, store in
            let json = try await post(client, "/v1/traces", Array(#"{"resourceSpans": 7}"#.utf8), type: Self.json)
            #expect(json.status == .badRequest)
            let status = try JSONResponse(Array(buffer: json.body))
            #expect(status["code"].int == 3)
            #expect(status["message"].text?.contains("resourceSpans") == true)
            let protobuf = try await post(client, "/v1/traces", [0x0A, 0xFF, 0x01], type: Self.protobuf)
            #expect(protobuf.status == .badRequest)
            #expect(protobuf.headers[.contentType] == Self.protobuf)
            #expect(Array(buffer: protobuf.body).starts(with: [0x08, 3, 0x12]), "code 3, then a message")
            let invalid = try await post(client, "/v1/traces", ProtobufFixture.traceWithoutIDs, type: Self.protobuf)
            #expect(invalid.status == .badRequest)
            #expect(try await store.statistics().received == 0)
        }
    }

    @Test
    func `damaged gzip is 400`() async throws {
        try await withClient { client, _ in
            var body = try GzipCoder.compress(ProtobufFixture.trace)
            body[body.count / 2] ^= 0xFF
            let response = try await post(client, "/v1/traces", body, type: Self.protobuf, encoding: "gzip")
            #expect(response.status == .badRequest)
        }
    }

    @Test
    func `a body over the limit is 413`() async throws {
        try await withClient {
            $0.limits.bodyBytes = 10_000
        } _: { client, _ in
            let response = try await post(
                client, "/v1/traces", Array(repeating: 0x20, count: 10_001), type: Self.json,
            )
            #expect(response.status == .contentTooLarge)
            #expect(try JSONResponse(Array(buffer: response.body))["message"].text?.contains("10000 bytes") == true)
        }
    }

    @Test
    func `a gzip bomb is 413`() async throws {
        try await withClient {
            $0.limits.inflatedBytes = 1 << 20
        } _: { client, _ in
            let bomb = try GzipCoder.compress(Array(repeating: 0x20, count: 64 << 20))
            #expect(bomb.count < 100_000)
            let response = try await post(client, "/v1/traces", bomb, type: Self.json, encoding: "gzip")
            #expect(response.status == .contentTooLarge)
            #expect(try JSONResponse(Array(buffer: response.body))["message"].text?.contains("decompressed") == true)
        }
    }

    @Test
    func `records that cannot be stored are a partial success in either encoding`() async throws {
        try await withClient { client, store in
            let events = [EventName.replay, "tap"].map {
                OTLPBody.Event(name: $0, time: 5, attributes: $0 == "tap" ? [("session.id", "s")] : [])
            }
            let response = try await post(
                client, "/v1/logs", try OTLPBody.logs([], events).bytes, type: Self.json)
            #expect(response.status == .ok)
            let partial = try JSONResponse(Array(buffer: response.body))["partialSuccess"]
            #expect(partial["rejectedLogRecords"].text == "1")
            #expect(partial["errorMessage"].text?.contains("session") == true)
            #expect(try await store.timeline(TimelineQuery(session: "s"))?.items.count == 1)

            let protobuf = try await post(client, "/v1/logs", ProtobufFixture.replayFrame, type: Self.protobuf)
            #expect(protobuf.status == .ok)
            let bytes = Array(buffer: protobuf.body)
            #expect(bytes.first == 0x0A, "partial_success, field 1")
            #expect(Array(bytes.dropFirst(2).prefix(3)) == [0x08, 1, 0x12], "one rejected, then the message")
        }
    }

    @Test
    func `a span that contradicts a stored one is a partial success, and one that comes again is not`() async throws {
        try await withClient { client, _ in
            func send(_ name: String, kind: Int = 3) async throws -> JSONResponse {
                let span = OTLPBody.Span(
                    trace: String(repeating: "a", count: 32), id: "0000000000000001", name: name, kind: kind,
                    start: 1_790_000_000_000_000_000, end: 1_790_000_001_000_000_000)
                let body = try OTLPBody.traces([("service.name", .string("shop"))], [span]).bytes
                let response = try await post(client, "/v1/traces", body, type: Self.json)
                #expect(response.status == .ok)
                return try JSONResponse(Array(buffer: response.body))["partialSuccess"]
            }
            #expect(try await send("GET").isMissing)
            #expect(try await send("GET").isMissing)
            #expect(try await send("GET /cart", kind: 2).isMissing, "the other side of the call")
            let partial = try await send("POST")
            #expect(partial["rejectedSpans"].text == "1")
            #expect(partial["errorMessage"].text?.contains("0000000000000001") == true)
        }
    }

    @Test(arguments: ["GET", "PUT", "DELETE", "OPTIONS"])
    func `other methods are 405 and name POST`(method: String) async throws {
        try await withClient { client, _ in
            let response = try await client.executeRequest(
                uri: "/v1/traces", method: try #require(HTTPRequest.Method(method)), headers: [:], body: nil,
            )
            #expect(response.status == .methodNotAllowed)
            #expect(response.headers[.allow] == "POST")
            #expect(response.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test
    func `a full write queue is 503 with Retry-After, and accepted records are stored`()
        async throws
    {
        try await withClient {
            $0.store.limits = StoreConfiguration.Limits(waitingRecords: 1, recordsPerCommit: 1)
        } _: { client, store in
            let visits = (0..<24).map { ShopVisit.purchase(number: $0) }
            let statuses = try await withThrowingTaskGroup(of: (String, TestResponse).self) { group in
                for visit in visits {
                    group.addTask {
                        (
                            visit.session,
                            try await post(client, "/v1/traces", visit.phoneTraceBody.bytes, type: Self.json),
                        )
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            let refused = statuses.filter { $0.value.status == .serviceUnavailable }
            #expect(!refused.isEmpty)
            #expect(refused.values.allSatisfy { $0.headers[.retryAfter] == "1" })
            #expect(refused.count < visits.count)
            for visit in visits {
                let isStored = try await store.session(visit.session) != nil
                #expect(isStored == (statuses[visit.session]?.status == .ok))
            }
        }
    }

    @Test
    func `the number of concurrent requests is limited`() async throws {
        try await withClient {
            $0.limits.requestsAtOnce = 0
        } _: { client, _ in
            let response = try await post(client, "/v1/traces", ProtobufFixture.trace, type: Self.protobuf)
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.retryAfter] == "1")
        }
    }
}
