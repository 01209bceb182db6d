import DeviceSimulator
import Foundation
import Symbolication
import TelemetryConsole

/// The demo's phone: the app as a process of its own, with its page beside the console's.
struct DemoPhone: Sendable {
    let phone: PhoneSimulator
    private let pages: PhonePages
    private let executable: URL

    /// Builds of the app whose debug information is kept: crashes of the day before can still be read.
    private static let builds = 4

    /// - Parameter folder: The phone's; what the app keeps there outlives the demo.
    /// - Throws: `DemoFailure` where the app was not built.
    init(folder: URL) throws {
        executable = try AppExecutable.find()
        var configuration = PhoneConfiguration(executable: executable, folder: folder)
        configuration.consolePath = "/"
        phone = PhoneSimulator(configuration)
        pages = try PhonePages(phone)
    }

    /// Where the console shows the phone.
    var guest: MountedSite {
        MountedSite(name: PhonePages.name, title: "Phone") { [pages] in try await pages.respond(to: $0) }
    }

    /// Has the console know the app's functions and lines, as `astrolabe symbols add` would.
    func keepSymbols(in store: SymbolStore) {
        do {
            let known = try store.add(executable).map { addition in
                switch addition {
                case .added(let symbols), .known(let symbols): symbols.buildID
                }
            }
            store.forget(named: executable.lastPathComponent, butLatest: Self.builds, and: Set(known))
        } catch {
            say("Crashes will show addresses for lines: \(error)")
        }
    }

    /// Switches it on, and starts the app.
    func start(shopPort: Int, consolePort: Int) async throws {
        try await phone.connect(shop: ServerAddress(port: shopPort), collector: ServerAddress(port: consolePort))
        try await phone.perform(.launch)
    }
}

/// The app's executable, which is built beside this one.
enum AppExecutable {
    static let name = "astronomy-shop"

    /// - Throws: `DemoFailure` where it is not there.
    static func find() throws -> URL {
        let url = try ChildProcess.executable().deletingLastPathComponent().appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else {
            throw DemoFailure("the app is not built: \(url.path) is missing; run ./astrolabe demo, which builds both")
        }
        return url
    }
}
