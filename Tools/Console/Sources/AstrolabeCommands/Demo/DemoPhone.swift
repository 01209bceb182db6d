import ConsoleAccess
import DeviceSimulator
import Foundation
import Symbolication
import TelemetryConsole

/// The demo's phone: the app in a separate process, with a page at the console's address.
struct DemoPhone: Sendable {
    let phone: PhoneSimulator
    private let pages: PhonePages
    private let executable: URL

    /// The number of app builds whose symbols are kept, so that older crashes can still be symbolicated.
    private static let builds = 4

    /// - Parameters:
    ///   - folder: The phone's storage, which stays when the demo ends.
    ///   - key: The key with which the app sends, in case the console requires one.
    ///   - helloTimeout: `nil` for the default.
    ///   - device: The name of the device; `nil` for the default.
    init(
        executable: URL, folder: URL, key: KeyText, helloTimeout: Duration? = nil, device: String? = nil,
    ) throws {
        self.executable = executable
        var configuration = PhoneConfiguration(executable: executable, folder: folder)
        // The policy sends every session of a device on its charger.
        configuration.settings.isCharging = true
        if let device { try configuration.settings.setDevice(named: device) }
        if let helloTimeout { configuration.helloTimeout = helloTimeout }
        configuration.consolePath = "/"
        configuration.environment["OTEL_EXPORTER_OTLP_HEADERS"] = Self.exporterHeaders(key)
        phone = PhoneSimulator(configuration)
        pages = try PhonePages(phone)
    }

    /// The value of `OTEL_EXPORTER_OTLP_HEADERS`, in which values are percent-encoded.
    static func exporterHeaders(_ key: KeyText) -> String { "authorization=Bearer%20\(key.text)" }

    /// The phone's pages, to be served by the console.
    var site: MountedSite {
        MountedSite(name: PhonePages.name, title: "Phone") { [pages] in try await pages.respond(to: $0) }
    }

    /// Stores the app's debug symbols, as `astrolabe symbols add` does, and removes those of old builds.
    func keepSymbols(in store: SymbolStore) {
        do {
            let known = try store.add(executable).map(\.symbols.buildID)
            store.forget(named: executable.lastPathComponent, butLatest: Self.builds, and: Set(known))
        } catch {
            say("Crashes will show addresses instead of source lines: \(error)")
        }
    }

    /// Connects the phone to the backend and the console, and launches the app.
    func start(_ backend: AppBackend?, consolePort: Int) async throws {
        try await phone.connect(
            backend: backend?.server, path: backend?.path ?? "", collector: ServerAddress(port: consolePort))
        try await phone.perform(.launch)
    }
}

/// The app's executable, which is built into the same folder as this program.
enum AppExecutable {
    static let name = "astronomy-shop"

    /// - Throws: `DemoFailure` if the executable does not exist.
    static func find(_ name: String = name) throws -> URL {
        let url = try ChildProcess.executable().deletingLastPathComponent().appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else {
            throw DemoFailure("the app is not built: \(url.path) does not exist; run ./astrolabe demo to build it")
        }
        return url
    }
}
