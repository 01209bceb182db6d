package import Logging
package import ServiceLifecycle

/// Runs a server on one address until it is asked to stop, and reports readable errors.
package struct ListeningService: Sendable {
    private let host: String
    private let port: Int
    private let shutdownTime: Duration
    private let logger: Logger
    private let beforeStopping: @Sendable () async -> Void

    /// - Parameters:
    ///   - shutdownTime: The timeout for active requests after the server has stopped listening.
    ///   - beforeStopping: Runs when the server is asked to stop. The server listens until it returns.
    package init(
        host: String, port: Int, shutdownTime: Duration, logger: Logger,
        beforeStopping: @escaping @Sendable () async -> Void = {},
    ) {
        self.host = host
        self.port = port
        self.shutdownTime = shutdownTime
        self.logger = logger
        self.beforeStopping = beforeStopping
    }

    /// Runs the service until the task is cancelled or the surrounding service group shuts down.
    ///
    /// - Throws: ``ListeningError``, or an error of the service.
    package func run(_ service: any Service) async throws {
        var settings = ServiceGroupConfiguration(services: [service], logger: logger)
        settings.maximumGracefulShutdownDuration = shutdownTime
        let group = ServiceGroup(configuration: settings)
        let running = Task { try await group.run() }
        do {
            try await withTaskCancellationOrGracefulShutdownHandler {
                try await running.value
            } onCancelOrGracefulShutdown: {
                Task {
                    await beforeStopping()
                    await group.triggerGracefulShutdown()
                }
            }
        } catch {
            throw ListeningError(error, host: host, port: port) ?? error
        }
    }
}
