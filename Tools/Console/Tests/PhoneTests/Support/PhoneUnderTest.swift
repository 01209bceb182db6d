import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import ConsoleStore
import Foundation
import Logging
import TelemetryConsole

@testable import DeviceSimulator

/// A phone as the demo has it: an app that is a process of its own, the shop's backend as another, and a console that
/// shows both and has the phone as its site.
struct PhoneUnderTest: Sendable {
    let phone: PhoneSimulator
    let console: ConsoleServer
    let address: String

    var store: any TelemetryStore { console.store }
    var port: Int { Int(address.split(separator: ":").last ?? "") ?? 0 }
    /// The phone's page.
    var page: String { address + "/device/" }

    /// - Parameter app: The shop, with its backend, where none is given.
    static func run<Value: Sendable>(
        _ app: StandInApp? = nil, adjust: (inout PhoneConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (PhoneUnderTest) async throws -> Value,
    ) async throws -> Value {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        var configuration = PhoneConfiguration(
            executable: try app?.executable(in: folder) ?? BuiltProducts.executable(named: "astronomy-shop"),
            folder: URL(fileURLWithPath: folder.path + "/phone", isDirectory: true),
        )
        configuration.consolePath = "/"
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
            outcome = .success(try await subject.run(withShop: app == nil, body))
        } catch {
            outcome = .failure(error)
        }
        await phone.switchOff()
        running.cancel()
        try await running.value
        return try outcome.get()
    }

    private func run<Value: Sendable>(
        withShop: Bool, _ body: @escaping @Sendable (PhoneUnderTest) async throws -> Value,
    ) async throws -> Value {
        // Nobody listens at the discard port.
        let shop = withShop ? try await ShopProcess.start(collector: address) : nil
        defer { shop?.stop() }
        try await phone.connect(backend: ServerAddress(port: shop?.port ?? 9), collector: ServerAddress(port: port))
        return try await body(self)
    }

    func act(_ action: JSON) async throws -> HTTP.Response { try await post("actions", action.bytes) }

    func post(
        _ what: String, _ body: [UInt8], type: String? = "application/json",
    ) async throws -> HTTP.Response {
        let headers = type.map { ["Content-Type": $0] } ?? [:]
        return try await HTTP.request("POST", "\(page)api/v1/\(what)", headers: headers, body: body)
    }
}
