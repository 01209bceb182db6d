import AstrolabeDelivery
import AstrolabeGzip
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleAccess
import ConsoleModel
import ConsoleStore
import ConsoleTransports
import Foundation
import GRPCCore
import HTTPTypes
import NIOCore
import ServerSupport
import Testing

@testable import TelemetryConsole

/// Tests of OTLP over gRPC over a socket, with a gRPC library's own client.
@Suite(.timeLimit(.minutes(5))) struct `OTLP over gRPC` {
    private static func run(
        _ adjust: @escaping (inout ConsoleConfiguration) -> Void = { _ in }, compression: CompressionAlgorithm? = nil,
        _ body: @escaping @Sendable (ConsoleUnderTest, GRPCSender) async throws -> Void,
    ) async throws {
        try await ConsoleUnderTest.run(
            {
                $0.grpcPort = 0
                adjust(&$0)
            }
        ) { console in
            try await GRPCSender.run(console, compression: compression) { try await body(console, $0) }
        }
    }

    private static func rejection(_ body: () async throws -> [UInt8]) async throws -> RPCError {
        try #require(await #expect(throws: RPCError.self) { _ = try await body() })
    }

    @Test(arguments: [nil, .gzip, .deflate] as [CompressionAlgorithm?])
    func `all signals are stored, plain and compressed`(compression: CompressionAlgorithm?) async throws {
        try await Self.run(compression: compression) { console, sender in
            #expect(try await sender.send(ProtobufFixture.trace, to: .traces) == [])
            #expect(try await sender.send(ProtobufFixture.log, to: .logs) == [])
            #expect(try await sender.send(ProtobufFixture.gauge, to: .metrics) == [])
            let store = console.console.store
            let trace = try #require(try await store.trace(TraceID(high: 1, low: 2)))
            #expect(trace.spans.map(\.span.name) == ["checkout"])
            #expect(try await store.session("s-pb")?.events == 1)
            #expect(try await store.metrics().elements.map(\.name) == ["battery"])
        }
    }

    /// The upstream receives the message as OTLP over HTTP.
    @Test(arguments: [nil, .gzip, .deflate] as [CompressionAlgorithm?])
    func `what arrives is forwarded`(compression: CompressionAlgorithm?) async throws {
        let (requests, arrival) = AsyncStream.makeStream(of: AstrolabeTestSupport.HTTPRequest.self)
        let upstream = try LoopbackServer { request in
            arrival.yield(request)
            return .status(200)
        }
        defer { upstream.kill() }
        let url = try #require(URL(string: "http://127.0.0.1:\(upstream.port)"))
        let forward: (inout ConsoleConfiguration) -> Void = { configuration in
            let path = URL(fileURLWithPath: configuration.store.path).deletingLastPathComponent().path
            configuration.forwarding = ForwardingConfiguration(
                endpoint: OTLPEndpoint(url: url), queuePath: path + "/forward/queue.db")
        }
        try await Self.run(forward, compression: compression) { _, sender in
            let sent: [(Signal, [UInt8])] = [
                (.traces, ProtobufFixture.trace), (.logs, ProtobufFixture.log), (.metrics, ProtobufFixture.gauge),
            ]
            for (signal, body) in sent { #expect(try await sender.send(body, to: signal) == []) }
            var received: [String: [UInt8]] = [:]
            for await request in requests {
                #expect(request.head.headers["content-type"] == "application/x-protobuf")
                let isCompressed = request.head.headers["content-encoding"] == "gzip"
                #expect(isCompressed == (compression != nil))
                received[request.head.path] =
                    isCompressed ? try GzipCoder.decompress(request.body, limit: 1 << 20) : request.body
                if received.count == sent.count { break }
            }
            for (signal, body) in sent { #expect(received["/v1/\(signal.rawValue)"] == body) }
        }
    }

    @Test(arguments: [ProtobufFixture.log, ProtobufFixture.replayFrame])
    func `the response is that of HTTP, also for a partial success`(body: [UInt8]) async throws {
        try await Self.run { console, sender in
            let http = try await HTTP.request(
                "POST", "\(console.address)/v1/logs", headers: ["Content-Type": "application/x-protobuf"], body: body)
            #expect(http.body.isEmpty == (body == ProtobufFixture.log))
            #expect(try await sender.send(body, to: .logs) == http.body)
        }
    }

    @Test(arguments: [[0x08], [0x0A, 0xFF], Array("{}".utf8)])
    func `what is not OTLP is INVALID_ARGUMENT with the message of HTTP`(body: [UInt8]) async throws {
        try await Self.run { console, sender in
            let error = try await Self.rejection { try await sender.send(body, to: .traces) }
            #expect(error.code == .invalidArgument)
            let http = try await HTTP.request(
                "POST", "\(console.address)/v1/traces", headers: ["Content-Type": "application/x-protobuf"],
                body: body)
            #expect(http.status == 400)
            #expect(error.details == http.body)
            #expect(String(decoding: http.body, as: UTF8.self).contains(error.message))
        }
    }

    @Test
    func `a message that is too large is RESOURCE_EXHAUSTED, and not to be retried`() async throws {
        try await Self.run({ $0.limits.bodyBytes = 1_000 }) { _, sender in
            let error = try await Self.rejection {
                try await sender.send([UInt8](repeating: 0, count: 1 << 20), to: .logs)
            }
            #expect(error.code == .resourceExhausted)
            #expect(error.message == "the body is larger than 1000 bytes; send fewer records per request")
            #expect(!String(decoding: error.details, as: UTF8.self).contains("RetryInfo"))
            // The connection is still of use.
            #expect(try await sender.send(ProtobufFixture.trace, to: .traces) == [])
        }
    }

    @Test
    func `a message that inflates to too much is RESOURCE_EXHAUSTED`() async throws {
        try await Self.run({ $0.limits.inflatedBytes = 1 << 20 }, compression: .gzip) { _, sender in
            let error = try await Self.rejection {
                try await sender.send([UInt8](repeating: 0, count: 1 << 20 + 1), to: .logs)
            }
            #expect(error.code == .resourceExhausted)
            #expect(error.message.contains("the decompressed body is larger than 1048576 bytes"))
        }
    }

    @Test
    func `a busy console is UNAVAILABLE with the time to wait`() async throws {
        try await Self.run({ $0.limits.requestsAtOnce = 0 }) { _, sender in
            let error = try await Self.rejection { try await sender.send(ProtobufFixture.trace, to: .traces) }
            #expect(error.code == .unavailable)
            #expect(error.message.contains("handling 0 requests already"))
            // google.rpc.RetryInfo with a google.protobuf.Duration of 1 s, in a google.protobuf.Any.
            let type = Array("type.googleapis.com/google.rpc.RetryInfo".utf8)
            #expect(
                error.details.suffix(type.count + 10) == [0x1A, 48, 0x0A, 40] + type + [0x12, 4, 0x0A, 2, 0x08, 1])
        }
    }

    @Test
    func `a method that OTLP does not have is UNIMPLEMENTED`() async throws {
        try await Self.run { _, sender in
            let method = MethodDescriptor(fullyQualifiedService: "opentelemetry.Profiles", method: "Export")
            let error = try await Self.rejection { try await sender.send([], to: method) }
            #expect(error.code == .unimplemented)
        }
    }

    @Test
    func `a sender is checked by its key before its message arrives, and by its service after`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256)
        let right = try file.create("any", use: .ingest).text
        let foreign = try file.create("another", use: .ingest, services: ["another-app"])
        try await Self.run({ $0.keysPath = file.path }) { console, sender in
            let error = try await Self.rejection { try await sender.send(ProtobufFixture.trace, to: .traces) }
            #expect(error.code == .unauthenticated)
            #expect(error.message == AccessRefusal.noKey(.ingest).message)
            let http = try await HTTP.request(
                "POST", "\(console.address)/v1/traces", headers: ["Content-Type": "application/x-protobuf"],
                body: ProtobufFixture.trace)
            #expect(http.status == 401)
            #expect(http.body == error.details)
            #expect(try await RawCall.run(port: console.grpcPort) { try await $0.ending() }.status == 16)
            let denied = try await Self.rejection {
                try await sender.send(
                    ProtobufFixture.trace, to: .traces, metadata: ["authorization": "Bearer \(foreign.text)"])
            }
            #expect(denied.code == .permissionDenied)
            #expect(try await console.console.store.statistics().received == 0)
            for metadata: Metadata in [["authorization": "Bearer \(right)"], ["x-honeycomb-team": "\(right)"]] {
                #expect(try await sender.send(ProtobufFixture.trace, to: .traces, metadata: metadata) == [])
            }
            #expect(try await console.console.store.statistics().received == 1)
        }
    }

    @Test
    func `a stop during calls loses no acknowledged record`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = ConsoleUnderTest.configuration(in: folder).store.path
        let acknowledged = Locked(0)
        let (first, begin) = AsyncStream.makeStream(of: Void.self)
        let senders = try await ConsoleUnderTest.run {
            $0.store.path = path
            $0.grpcPort = 0
        } _: { console in
            let senders = (0..<40).map { number in
                Task {
                    try await GRPCSender.run(console, compression: number.isMultiple(of: 2) ? .gzip : nil) { sender in
                        _ = try await sender.send(ProtobufFixture.log(time: UInt64(number)), to: .logs)
                        acknowledged.withLock { $0 += 1 }
                        begin.finish()
                    }
                }
            }
            for await _ in first {}
            return senders
        }
        // A client waits for a console that does not come back.
        for sender in senders { sender.cancel() }
        for sender in senders { _ = await sender.result }
        let store = try await SQLiteStore(StoreConfiguration(path: path))
        #expect(try await store.statistics().received >= acknowledged.withLock { $0 })
        await store.close()
    }

    @Test
    func `many calls of one connection are all stored`() async throws {
        try await Self.run { console, sender in
            try await withThrowingTaskGroup { group in
                for number in 0..<500 {
                    group.addTask { try await sender.send(ProtobufFixture.log(time: UInt64(number)), to: .logs) }
                }
                for try await response in group { #expect(response == []) }
            }
            #expect(try await console.console.store.statistics().received == 500)
        }
    }

    @Test
    func `a connection on which no call begins is closed`() async throws {
        try await ConsoleUnderTest.run {
            $0.grpcPort = 0
            $0.limits.connections.firstRequestTime = .milliseconds(20)
        } _: { console in
            let socket = try LineSocket.request(port: console.grpcPort ?? 0, "")
            for await _ in socket.lines {}
        }
    }

    @Test
    func `the error names the port that is in use`() async throws {
        try await Self.run { first, _ in
            let folder = try Scratch.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            var configuration = ConsoleUnderTest.configuration(in: folder)
            configuration.grpcPort = first.grpcPort
            let second = try await ConsoleServer(configuration)
            let error = await #expect(throws: ListeningError.self) { try await second.run() }
            #expect(error == .addressInUse(host: "127.0.0.1", port: first.grpcPort ?? 0))
        }
    }
}
