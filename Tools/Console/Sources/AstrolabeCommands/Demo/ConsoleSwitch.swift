import ConsoleModel
import TelemetryConsole

/// The demo's console, which can be stopped and restarted while the other processes continue.
actor ConsoleSwitch {
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
    var store: (any TelemetryStore)? { running?.server.store }

    var port: Int { configuration.port }

    /// The address of OTLP over gRPC; `nil` if the console does not receive it.
    var grpcAddress: String? { configuration.grpcPort.map { configuration.address(port: $0) } }

    var address: String { configuration.address(port: configuration.port) }

    /// Starts the console and waits until it listens.
    ///
    /// The first call uses the configuration's ports; later calls use the same ports again.
    func plugIn() async throws {
        guard running == nil else { return }
        let server = try await ConsoleServer(configuration, sites: sites)
        let (ports, port) = AsyncStream.makeStream(of: ConsolePorts.self)
        let task = Task {
            defer { port.finish() }
            try await server.run { port.yield($0) }
        }
        for await bound in ports {
            configuration.port = bound.http
            configuration.grpcPort = bound.grpc
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
