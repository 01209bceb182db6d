import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Logging
import ShopAPI
import ShopServer
import Testing

@testable import AstronomyShop

/// A folder that no other test uses.
func temporaryFolder() -> URL { TestFolders.folder("shop") }

/// One installation of the app: its telemetry, and its view models as the screens would have them.
///
/// Records go to `sink`, except those of a running SDK that a test hands in.
@MainActor
struct Phone {
    let folder: URL
    let sink: MemorySink
    let sdk: Telemetry
    let telemetry: ShopTelemetry
    let performed: Performances
    let shop: ShopModel

    init(
        _ baseURL: URL, folder: URL = temporaryFolder(),
        clock: any Clock<Duration> = ContinuousClock(), quoteDelay: Duration = .zero, telemetry given: Telemetry? = nil,
        configure: (inout TelemetryConfiguration) -> Void = { _ in },
    ) {
        self.folder = folder
        let sink = MemorySink()
        self.sink = sink
        var configuration = TelemetryConfiguration(serviceName: "astronomy-shop")
        configuration.storageDirectory = folder
        configure(&configuration)
        sdk = given ?? (configuration.isEnabled ? Telemetry(configuration, sink: sink) : .disabled)
        telemetry = ShopTelemetry(sdk, appVersion: "1.2.3")
        let performed = Performances(sink)
        self.performed = performed
        shop = ShopModel(
            baseURL: baseURL, telemetry: telemetry,
            preferences: .file(folder.appendingPathComponent("preferences.json")), demo: performed.performer,
            clock: clock, quoteDelay: quoteDelay,
        )
    }

    var spans: [SpanData] { get throws { try sink.spans } }
    var events: [LogRecordData] { get throws { try sink.events } }
}

/// Performances that would have run, and the records that each had made when it began.
@MainActor
final class Performances {
    private(set) var names: [String] = []
    private(set) var durations: [Duration] = []
    private(set) var lastEventBefore: LogRecordData?
    private let sink: MemorySink

    init(_ sink: MemorySink) {
        self.sink = sink
    }

    var performer: DemoPerformer {
        DemoPerformer(
            crash: { self.note("crash", nil) }, hang: { self.note("hang", $0) }, burnCPU: { self.note("burnCPU", $0) },
            sendMetricsPayload: { self.note("sendMetricsPayload", nil) },
        )
    }

    private func note(_ name: String, _ duration: Duration?) {
        names.append(name)
        if let duration { durations.append(duration) }
        lastEventBefore = try? sink.events.last
    }
}

/// The real backend, listening on a free port of loopback.
func withShop(
    _ configure: (inout ShopBackend.Configuration) -> Void = { _ in },
    _ body: @MainActor (_ baseURL: URL, _ backend: ShopBackend) async throws -> Void,
) async throws {
    var configuration = ShopBackend.Configuration()
    configuration.logger.logLevel = .critical
    configure(&configuration)
    let backend = try ShopBackend(configuration: configuration)
    let (ports, found) = AsyncStream<Int>.makeStream()
    let running = Task {
        defer { found.finish() }
        try await backend.run { found.yield($0) }
    }
    defer { running.cancel() }
    for await port in ports {
        try await body(try #require(URL(string: "http://127.0.0.1:\(port)")), backend)
        break
    }
    running.cancel()
    try await running.value
}

/// A person's phone against the real backend.
func withPhone(
    _ configure: (inout ShopBackend.Configuration) -> Void = { _ in },
    _ body: @MainActor (_ phone: Phone, _ backend: ShopBackend) async throws -> Void,
) async throws {
    try await withShop(configure) { baseURL, backend in try await body(Phone(baseURL), backend) }
}
