import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// Exports with clients that are not of this repository, and reads back what the console shows.
///
/// `./astrolabe test` installs them. Those over gRPC need a compiled package, so they are apart.
@Suite(.timeLimit(.minutes(10))) struct `An official client` {
    /// The texts that paths of the API have after the export.
    private static let sdk = [
        "services": ["python-sdk"], "metrics": ["conformance.items"],
        "logs": ["a line of the official SDK"], "traces/{trace}": ["happened", "ValueError"],
    ]
    private static let stubs = [
        "services": ["stubs"], "metrics": ["stubs.items"], "logs": ["a line of the stubs", "astrolabe.profile"],
    ]
    private static let clients = ProcessInfo.processInfo.environment["ASTROLABE_OTLP_CLIENTS"]
    private static let independent = ProcessInfo.processInfo.environment["ASTROLABE_INDEPENDENT_CLIENT"]
    private static let needsClients = ConditionTrait.enabled(
        if: clients != nil, "ASTROLABE_OTLP_CLIENTS names no Python with Scripts/requirements-clients.txt installed")

    @Test(
        ConformanceScript.needsPython, arguments: Thoroughness.isThorough ? ["none", "gzip", "deflate"] : ["deflate"])
    func `of the Python SDK exports over HTTP`(compression: String) async throws {
        try await Self.export(ConformanceScript.python, "export.py", "http", compression, Self.sdk)
    }

    @Test(needsClients, arguments: Thoroughness.isThorough ? ["none", "gzip"] : ["none"])
    func `of the Python SDK exports over gRPC`(compression: String) async throws {
        try await Self.export(Self.clients, "export.py", "grpc", compression, Self.sdk)
    }

    /// Its encoder and its HTTP/2 are its own: its environment has neither Google's protobuf nor a gRPC library.
    @Test(
        .enabled(
            if: independent != nil,
            "ASTROLABE_INDEPENDENT_CLIENT names no Python with Scripts/requirements-independent.txt installed"),
        arguments: OfficialClient.pairs(["http", "grpc"], ["none", "gzip"]))
    func `that shares no code with the others exports`(transport: String, compression: String) async throws {
        try await Self.export(Self.independent, "export.py", transport, compression, Self.sdk)
    }

    @Test(needsClients, arguments: OfficialClient.pairs(["grpc", "http"], ["none", "gzip"]))
    func `made of generated stubs exports`(transport: String, compression: String) async throws {
        try await Self.export(Self.clients, "stubs.py", transport, compression, Self.stubs)
    }

    @Test(needsClients)
    func `reads when to try again`() async throws {
        try await ConsoleUnderTest.run {
            $0.grpcPort = 0
            $0.limits.requestsAtOnce = 0
        } _: { console in
            let address = "http://127.0.0.1:\(console.grpcPort ?? 0)"
            let printed = try await Self.run(Self.clients, "stubs.py", ["rejection", address])
            #expect(printed == "UNAVAILABLE 1")
        }
    }

    private static func export(
        _ python: String?, _ script: String, _ transport: String, _ compression: String,
        _ expected: [String: [String]],
    ) async throws {
        try await ConsoleUnderTest.run {
            $0.grpcPort = 0
        } _: { console in
            let port = transport == "grpc" ? console.grpcPort ?? 0 : console.port
            let printed = try await run(python, script, [transport, compression, "http://127.0.0.1:\(port)"])
            let id = try #require(TraceID(hex: printed))
            let trace = try #require(try await console.console.store.trace(id))
            #expect(trace.spans.map(\.span.name) == ["parent", "child"])
            #expect(trace.spans.map(\.depth) == [0, 1])
            #expect(trace.events.count == (script == "stubs.py" ? 2 : 1))
            for (path, texts) in expected {
                let page = try await HTTP.request(
                    "GET", "\(console.address)/api/v1/\(path.replacing("{trace}", with: id.hex))")
                for text in texts { #expect(String(decoding: page.body, as: UTF8.self).contains(text), "\(text)") }
            }
        }
    }

    private static func run(_ python: String?, _ script: String, _ arguments: [String]) async throws -> String {
        try await ConformanceScript.run(script, arguments, python: python)
    }
}
