import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import ConsoleStore
import Foundation
import NIOCore
import NIOHPACK
import ServerSupport
import Testing

@testable import TelemetryConsole

/// Calls of gRPC that are slow, wrong or cut off, over a socket.
@Suite(.timeLimit(.minutes(5))) struct `A call of OTLP over gRPC` {
    private static func run(
        _ adjust: @escaping (inout ConsoleConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ConsoleUnderTest) async throws -> Void,
    ) async throws {
        try await ConsoleUnderTest.run {
            $0.grpcPort = 0
            adjust(&$0)
        } _: {
            try await body($0)
        }
    }

    @Test(arguments: [1, 3, 7])
    func `is put together from parts of any size`(size: Int) async throws {
        try await Self.run { console in
            try await RawCall.run(port: console.grpcPort) { call in
                let frame = RawCall.frame(ProtobufFixture.log)
                for start in stride(from: 0, to: frame.count, by: size) {
                    try await call.send(Array(frame[start..<min(start + size, frame.count)]))
                }
                try await call.send([], isEnd: true)
                #expect(try await call.ending() == RawCall.Ending(status: 0))
            }
            #expect(try await console.console.store.statistics().received == 1)
        }
    }

    /// The bytes of a wrong request, and what the message says about it.
    struct Wrong: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var headers: HPACKHeaders = [:]
        var code = 3
        var message: String

        var testDescription: String { message }
    }

    static let wrong: [Wrong] = [
        Wrong(bytes: [], message: "expected one message, found none"),
        Wrong(bytes: [0, 0], message: "the request ended before its message was complete"),
        Wrong(
            bytes: RawCall.frame([1, 2, 3], length: 4), message: "the request ended before its message was complete"),
        Wrong(
            bytes: RawCall.frame([]) + RawCall.frame([]), message: "expected one message, found more bytes after it"),
        Wrong(bytes: RawCall.frame([], flag: 7), message: "expected a message that starts with the byte 0 or 1"),
        Wrong(bytes: RawCall.frame([1], flag: 1), message: "expected the metadata grpc-encoding with one of gzip"),
        Wrong(
            bytes: RawCall.frame([1], flag: 1), headers: ["grpc-encoding": "gzip"],
            message: "The compressed data ends at byte 1"),
        Wrong(
            bytes: RawCall.frame([1], flag: 1), headers: ["grpc-encoding": "snappy"], code: 12,
            message: "snappy compression is not supported"),
        Wrong(bytes: RawCall.frame([], length: 1 << 31), code: 8, message: "the body is larger than 8388608 bytes"),
    ]

    @Test(arguments: wrong)
    func `that is wrong ends with what was expected`(wrong: Wrong) async throws {
        try await Self.run { console in
            let ending = try await RawCall.run(port: console.grpcPort, headers: wrong.headers) { call in
                try await call.send(wrong.bytes, isEnd: true)
                return try await call.ending()
            }
            #expect(ending.status == wrong.code)
            #expect(ending.message.contains(wrong.message), "\(ending.message)")
        }
    }

    @Test(arguments: BodyCompression.allCases.filter { $0 != .identity })
    func `may send a plain message although it names a compression, and a compressed one`(
        compression: BodyCompression
    ) async throws {
        try await Self.run { console in
            let compressed = try Compressed.body(ProtobufFixture.log, compression)
            for (message, flag) in [(ProtobufFixture.log, 0), (compressed, 1)] {
                let headers: HPACKHeaders = ["grpc-encoding": compression.rawValue]
                try await RawCall.run(port: console.grpcPort, headers: headers) { call in
                    try await call.send(RawCall.frame(message, flag: UInt8(flag)), isEnd: true)
                    #expect(try await call.ending().status == 0)
                }
            }
        }
    }

    @Test
    func `ends at its deadline if its message has not arrived`() async throws {
        try await Self.run {
            $0.limits.connections.bodyWindow = .hours(1)
        } _: { console in
            try await RawCall.run(port: console.grpcPort, headers: ["grpc-timeout": "20m"]) { call in
                // On a slow machine the call has ended by now.
                try? await call.send([0])
                let ending = try await call.ending()
                #expect(ending == RawCall.Ending(status: 4, message: "the request did not arrive in time"))
            }
        }
    }

    @Test
    func `ends if its message arrives too slowly`() async throws {
        try await Self.run {
            $0.limits.connections.bodyWindow = .milliseconds(20)
        } _: { console in
            try await RawCall.run(port: console.grpcPort) { call in
                // On a slow machine the call has ended by now.
                try? await call.send([0])
                let ending = try await call.ending()
                #expect(ending.status == 4)
            }
        }
    }

    @Test
    func `is reset if its sender goes on after the response`() async throws {
        try await Self.run {
            $0.limits.connections.drainTime = .milliseconds(20)
        } _: { console in
            try await RawCall.run(port: console.grpcPort) { call in
                try await call.send(RawCall.frame([], flag: 7))
                #expect(try await call.ending().status == 3)
                #expect(try await call.ending().status == nil)
            }
        }
    }

    @Test
    func `holds memory for what has arrived, until it is cut off`() async throws {
        try await Self.run {
            $0.limits.memoryBytes = 100_000
            $0.limits.connections.bodyWindow = .hours(1)
        } _: { console in
            func send() async throws -> HTTP.Response {
                try await HTTP.request(
                    "POST", "\(console.address)/v1/logs", headers: ["Content-Type": "application/json"],
                    body: Array(#"{"resourceLogs": []}"#.utf8) + [UInt8](repeating: 0x20, count: 4_000))
            }
            try await RawCall.run(port: console.grpcPort) { call in
                try await call.send(RawCall.frame([UInt8](repeating: 0, count: 90_000), length: 200_000))
                try await Self.waitForMemory(of: 90_000, in: console)
                #expect(try await send().status == 503)
            }
            try await eventually("the memory is free") { console.console.receiver.memoryInUse == 0 }
            #expect(try await send().status == 200)
        }
    }

    private static func waitForMemory(of bytes: Int, in console: ConsoleUnderTest) async throws {
        try await eventually("the console has read \(bytes) bytes of the message") {
            console.console.receiver.memoryInUse >= bytes
        }
    }

    @Test
    func `that finds no memory is UNAVAILABLE`() async throws {
        try await Self.run {
            $0.limits.memoryBytes = 1_000
            $0.limits.connections.bodyWindow = .hours(1)
        } _: { console in
            try await RawCall.run(port: console.grpcPort) { first in
                try await first.send(RawCall.frame([UInt8](repeating: 0, count: 900), length: 200_000))
                try await Self.waitForMemory(of: 900, in: console)
                let ending = try await RawCall.run(port: console.grpcPort) { second in
                    try await second.send(RawCall.frame([UInt8](repeating: 0, count: 900), length: 200_000))
                    return try await second.ending()
                }
                #expect(ending.status == 14)
            }
        }
    }

    @Test
    func `that has begun is completed when the console stops`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ConsoleUnderTest.configuration(in: folder)
        configuration.grpcPort = 0
        // The test ends it.
        configuration.shutdownTime = .seconds(3_600)
        configuration.limits.connections.bodyWindow = .hours(1)
        let console = try await ConsoleServer(configuration)
        let (ready, becomeReady) = AsyncStream.makeStream(of: ConsolePorts.self)
        let running = Task { try await console.run { becomeReady.yield($0) } }
        let ports = try #require(await ready.first { _ in true })
        try await RawCall.run(port: ports.grpc) { call in
            let frame = RawCall.frame(ProtobufFixture.log)
            try await call.send(Array(frame.prefix(20)))
            try await eventually("the console reads the message") { console.receiver.memoryInUse > 0 }
            running.cancel()
            try await eventually("the console listens no more") {
                (try? await RawCall.run(port: ports.grpc) { _ in }) == nil
            }
            try await call.send(Array(frame.dropFirst(20)), isEnd: true)
            #expect(try await call.ending().status == 0)
        }
        try await running.value
        let store = try await SQLiteStore(configuration.store)
        #expect(try await store.statistics().received == 1)
        await store.close()
    }

    @Test
    func `that does not end does not keep the console from stopping`() async throws {
        let (cut, cutOff) = AsyncStream.makeStream(of: RawCall.Ending.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        try await Self.run {
            $0.shutdownTime = .milliseconds(50)
        } _: { console in
            Task {
                defer {
                    begin.finish()
                    cutOff.finish()
                }
                try await RawCall.run(port: console.grpcPort) { call in
                    try await call.send([0])
                    begin.finish()
                    cutOff.yield(try await call.ending())
                }
            }
            for await _ in begun {}
        }
        let ending = try #require(await cut.first { _ in true }, "the call failed")
        #expect(ending.status == nil)
    }
}
