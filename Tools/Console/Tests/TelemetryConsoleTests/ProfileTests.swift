import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import BrowserKit
import ConsoleModel
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import TelemetryConsole

/// OTLP's profiles, with a request of the official messages.
@Suite(ConformanceScript.needsPython, .timeLimit(.minutes(2))) struct `A profile` {
    private static func request() async throws -> [UInt8] {
        let digits = Array(try await ConformanceScript.run("profiles.py").utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
    }

    private static func post(
        _ body: [UInt8], type: String = "application/x-protobuf", to console: ConsoleInProcess,
    ) async throws -> TestResponse {
        try await console.client.executeRequest(
            uri: "/v1development/profiles", method: .post, headers: [.contentType: type], body: ByteBuffer(bytes: body),
        )
    }

    @Test func `becomes an event with its stacks merged, inlined functions and unnamed code included`() async throws {
        let body = try await Self.request()
        try await ConsoleInProcess.run { console in
            // A second copy has the same id.
            for _ in 0..<2 { #expect(try await Self.post(body, to: console).status == .ok) }
            let page = try await console.get("/api/v1/logs")
            #expect(page["logs"].elements.count == 1)
            let log = page["logs"][0]
            #expect(log["name"].text == "astrolabe.profile")
            #expect(log["timeUs"].int == 1_790_000_000_000_000)
            #expect(log["traceId"].text == "0102030405060708090a0b0c0d0e0f10")
            #expect(log["session"].text == "s-profile")
            #expect(page["origins"][0]["service"].text == "stubs")
            #expect(page["scopes"][0]["name"].text == "profiler")
            let attributes = log["attributes"]
            #expect(attributes["astrolabe.profile.type"].text == "cpu")
            #expect(attributes["astrolabe.profile.unit"].text == "nanoseconds")
            #expect(attributes["astrolabe.profile.duration"].double == 2.5)
            let functions = attributes["astrolabe.profile.frames"].elements
            let stacks = attributes["astrolabe.profile.stacks"].elements.map { stack in
                (stack["value"].int, stack["frames"].elements.map { functions[$0.int ?? 0]["function"].text ?? "" })
            }
            #expect(stacks.map(\.0) == [42, 8])
            #expect(stacks.map(\.1) == [["pack", "encode", "main"], ["libfoo.so+0xa24", "main"]])
            let pack = functions.first { $0["function"].text == "pack" }
            #expect(pack?["file"].text == "pack.c" && pack?["line"].int == 40)
        }
    }

    @Test func `in JSON is refused with the form that is read`() async throws {
        try await ConsoleInProcess.run { console in
            let response = try await Self.post(Array("{}".utf8), type: "application/json", to: console)
            #expect(response.status == .badRequest)
            #expect(String(buffer: response.body).contains("expected application/x-protobuf"))
        }
    }

    @Test func `with damaged bytes is refused or read, and never read out of its tables`() async throws {
        let body = try await Self.request()
        var random = SeededGenerator(seed: 31)
        for _ in 0..<5_000 {
            var damaged = body
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            damaged.withUnsafeBytes { _ = try? ProfileEvents.read($0) }
        }
    }

    /// Each entry of a table is read once, however many samples and stacks name it.
    @Test func `of which all parts name the same large entries takes little memory`() throws {
        func message(_ field: UInt32, _ content: [UInt8]) -> [UInt8] {
            var message = WireMessage()
            message.bytes(field, content)
            return message.bytes
        }
        let lines = (0..<100_000).flatMap { _ in message(3, []) }
        let locations = message(2, []) + message(2, lines)
        let stack = message(7, []) + message(7, message(1, Array(repeating: 1, count: 100_000)))
        let samples = (0..<20_000).flatMap { _ in message(2, [0x08, 1, 0x20, 1]) }
        let profiles = (0..<10).flatMap { _ in message(2, samples) }
        let body = message(1, message(2, profiles)) + message(2, locations + stack)
        let groups = try body.withUnsafeBytes { try ProfileEvents.read($0) }
        let events = groups.flatMap(\.scopes).flatMap(\.records)
        #expect(events.count == 10)
        let stacks = try #require(events.first?.attributes["astrolabe.profile.stacks"]?.elements)
        #expect(stacks.count == 1)
        #expect(stacks.first?.members?["frames"]?.elements.count == ProfileEvents.depthLimit)
    }
}
