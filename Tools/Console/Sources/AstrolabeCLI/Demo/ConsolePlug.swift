import ConsoleStore
import TelemetryConsole

/// The demo's console, which can be stopped and restarted while the other processes continue.
actor ConsolePlug {
    private var configuration: ConsoleConfiguration
    private let sites: [MountedSite]
    private var running: (server: ConsoleServer, task: Task<Void, any Error>)?

    /// - Parameter sites: Other sites to serve at the console's address.
    init(_ configuration: ConsoleConfiguration, sites: [MountedSite] = []) {
        self.configuration = configuration
        self.sites = sites
    }

    var isPluggedIn: Bool { running != nil }

    /// The console's store; `nil` while the console is unplugged.
    var store: TelemetryStore? { running?.server.store }

    var port: Int { configuration.port }

    var address: String { "http://\(configuration.host):\(configuration.port)" }

    /// Starts the console and waits until it listens.
    ///
    /// The first call uses the configuration's port; later calls use the same port again.
    func plugIn() async throws {
        guard running == nil else { return }
        let server = try await ConsoleServer(configuration, sites: sites)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
            defer { port.finish() }
            try await server.run { port.yield($0) }
        }
        for await bound in ports {
            configuration.port = bound
            running = (server, task)
            return
        }
        try await task.value
    }

    /// Stops the console. Its database stays.
    func unplug() async throws {
        guard let (_, task) = running else { return }
        running = nil
        task.cancel()
        try await task.value
    }
}
