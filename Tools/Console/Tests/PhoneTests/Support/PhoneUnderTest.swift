import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import DeviceLink
import Foundation
import Logging
import Symbolication
import TelemetryConsole

@testable import DeviceSimulator

/// A phone as the demo has it. The app is a process of its own, the shop's backend is another, and a console shows both
/// and has the phone as its site.
struct PhoneUnderTest: Sendable {
    let phone: PhoneSimulator
    let console: ConsoleServer
    let address: String

    var store: any TelemetryStore { console.store }
    var port: Int { Int(address.split(separator: ":").last ?? "") ?? 0 }
    /// The phone's page.
    var page: String { address + "/device/" }

    /// - Parameters:
    ///   - app: The shop, with its backend, where none is given.
    ///   - observesBackend: Whether the backend sends its telemetry to the console.
    static func run<Value: Sendable>(
        _ app: StandInApp? = nil, observesBackend: Bool = false,
        adjust: (inout PhoneConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (PhoneUnderTest) async throws -> Value,
    ) async throws -> Value {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        var configuration = PhoneConfiguration(
            executable: try app?.executable(in: folder) ?? BuiltProducts.executable(named: "astronomy-shop"),
            folder: URL(fileURLWithPath: folder.path + "/phone", isDirectory: true),
        )
        configuration.consolePath = "/"
        configuration.settings.sampling = .everything
        // A healthy app takes less, even on a busy machine. A test of one that is not sets its own timeouts.
        configuration.helloTimeout = .seconds(120)
        configuration.launchTimeout = .seconds(120)
        configuration.terminationTimeout = .seconds(60)
        adjust(&configuration)
        let phone = PhoneSimulator(configuration)
        let pages = try PhonePages(phone)
        let site = MountedSite(name: PhonePages.name, title: "Phone") { try await pages.respond(to: $0) }
        var settings = ConsoleConfiguration(databasePath: folder.path + "/console.sqlite")
        settings.port = 0
        settings.logger.logLevel = .critical
        let console = try await ConsoleServer(settings, sites: [site])
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let running = Task {
            defer { port.finish() }
            try await console.run { port.yield($0.http) }
        }
        let bound = await ports.first { _ in true } ?? 0
        let subject = PhoneUnderTest(phone: phone, console: console, address: "http://127.0.0.1:\(bound)")
        let outcome: Result<Value, any Error>
        do {
            let shop = app == nil ? try await subject.startShop(isObserved: observesBackend) : nil
            defer { if observesBackend { shop?.kill() } }
            outcome = .success(try await subject.run(with: shop, body))
        } catch {
            outcome = .failure(error)
        }
        // Some apps of tests do not end when they are asked to.
        if (try? await phone.perform(.kill)) != nil { _ = try? await phone.ended() }
        await phone.switchOff()
        running.cancel()
        try await running.value
        return try outcome.get()
    }

    private func startShop(isObserved: Bool) async throws -> ShopProcess {
        if isObserved { return try await ShopProcess.start(collector: address) }
        return try await ShopProcess.shared
    }

    private func run<Value: Sendable>(
        with shop: ShopProcess?, _ body: @escaping @Sendable (PhoneUnderTest) async throws -> Value,
    ) async throws -> Value {
        let backend = ServerAddress(port: shop?.port ?? ShopProcess.unusedPort)
        try await phone.connect(backend: backend, collector: ServerAddress(port: port))
        return try await body(self)
    }

    /// Gives the console the symbols of the shop, as the demo does.
    func keepShopSymbols() throws {
        try SymbolStore(folder: console.configuration.symbolsFolder).add(
            BuiltProducts.executable(named: "astronomy-shop"))
    }

    func act(_ action: JSON) async throws -> HTTP.Response { try await post("actions", action.bytes) }

    func post(
        _ what: String, _ body: [UInt8], type: String? = "application/json",
    ) async throws -> HTTP.Response {
        let headers = type.map { ["Content-Type": $0] } ?? [:]
        return try await HTTP.request("POST", "\(page)api/v1/\(what)", headers: headers, body: body)
    }
}
