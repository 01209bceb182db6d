import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import ConsoleTransports
import DemoFixture
import Foundation
import Logging
import ServerSupport
import ShopHistory

@testable import TelemetryConsole

/// A console with its own socket and file that runs during `body`.
struct ConsoleUnderTest: Sendable {
    let console: ConsoleServer
    let port: Int
    /// The port of OTLP over gRPC, if the configuration has one.
    let grpcPort: Int?

    var address: String { "http://127.0.0.1:\(port)" }

    static func configuration(in folder: URL) -> ConsoleConfiguration {
        var configuration = ConsoleConfiguration(databasePath: folder.appendingPathComponent("console.sqlite").path)
        configuration.capabilities = .all
        configuration.port = 0
        configuration.store.milestones = ConversionEvents(
            conversions: ShopMilestones.conversions, checkouts: ShopMilestones.checkouts,
            amounts: ShopMilestones.amounts)
        configuration.logger.logLevel = .critical
        return configuration
    }

    static func run<Value: Sendable>(
        on store: TestedStore = .embedded, _ adjust: (inout ConsoleConfiguration) -> Void = { _ in },
        sites: [MountedSite] = [], _ body: @escaping @Sendable (ConsoleUnderTest) async throws -> Value,
    ) async throws -> Value {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = configuration(in: folder)
        adjust(&configuration)
        return try await store.serving(configuration) { configuration in
            try await run(configuration, sites: sites, body)
        }
    }

    private static func run<Value: Sendable>(
        _ configuration: ConsoleConfiguration, sites: [MountedSite],
        _ body: @escaping @Sendable (ConsoleUnderTest) async throws -> Value,
    ) async throws -> Value {
        let console = try await ConsoleServer(configuration, sites: sites)
        let (ports, port) = AsyncStream.makeStream(of: ConsolePorts.self)
        let running = Task {
            defer { port.finish() }
            try await console.run { port.yield($0) }
        }
        guard let bound = await ports.first(where: { _ in true }) else {
            try await running.value
            throw ListeningError.hostUnavailable(host: configuration.host)
        }
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await body(ConsoleUnderTest(console: console, port: bound.http, grpcPort: bound.grpc)))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        try await running.value
        return try result.get()
    }

    /// Sends a JSON body as an exporter does, and requires a success response.
    func send(_ body: JSON, to signal: Signal) async throws {
        try await OTLPBody.send(try body.bytes, as: "application/json", to: "\(address)/v1/\(signal.rawValue)")
    }

    func send(_ visit: ShopVisit) async throws {
        try await send(visit.phoneTraceBody, to: .traces)
        try await send(visit.backendTraceBody, to: .traces)
        try await send(visit.phoneLogBody, to: .logs)
        try await send(visit.backendLogBody, to: .logs)
    }

    func send(_ history: FleetHistory) async throws { try await history.send(to: address) }

    func send(_ batch: HistoryBatch) async throws { try await batch.send(to: address) }

    /// Reads a path of the API. Asks again while the console says that it is busy, as on a machine under load.
    func get(_ path: String) async throws -> JSONResponse {
        var response = try await HTTP.request("GET", address + path)
        if response.status == 503 {
            try await eventually("the console is not busy") {
                response = try await HTTP.request("GET", address + path)
                return response.status != 503
            }
        }
        guard response.status == 200 else { throw UnexpectedResponse(response: response) }
        return try JSONResponse(response.body)
    }
}

enum Scratch {
    static func folder() throws -> URL {
        let folder = TestFolders.folder("console")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
