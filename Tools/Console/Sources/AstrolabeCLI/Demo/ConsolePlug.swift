import ConsoleStore
import TelemetryConsole

/// The demo's console, which can be pulled out and put back while everybody else goes on.
actor ConsolePlug {
    private var configuration: ConsoleConfiguration
    private let guests: [MountedSite]
    private var running: (server: ConsoleServer, task: Task<Void, any Error>)?

    /// - Parameter guests: Others with pages at the console's address.
    init(_ configuration: ConsoleConfiguration, guests: [MountedSite] = []) {
        self.configuration = configuration
        self.guests = guests
    }

    var isPluggedIn: Bool { running != nil }

    /// What the console knows; `nil` while it is unplugged.
    var store: TelemetryStore? { running?.server.store }

    var port: Int { configuration.port }

    var address: String { "http://\(configuration.host):\(configuration.port)" }

    /// Starts the console and waits until it listens: the first time on the port of the configuration, later on the one
    /// that it had.
    func plugIn() async throws {
        guard running == nil else { return }
        let server = try await ConsoleServer(configuration, guests: guests)
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

    /// Stops the console; what it has stored stays.
    func unplug() async throws {
        guard let (_, task) = running else { return }
        running = nil
        task.cancel()
        try await task.value
    }
}
