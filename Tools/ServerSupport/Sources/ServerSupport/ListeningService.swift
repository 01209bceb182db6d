import Foundation
import HummingbirdCore
package import Logging
import NIOCore
package import ServiceLifecycle

/// Runs a server on one address of this machine until it is asked to stop, and says in plain words why it cannot.
package struct ListeningService: Sendable {
    private let host: String
    private let port: Int
    private let shutdownTime: Duration
    private let logger: Logger

    /// - Parameter shutdownTime: For how long requests under way may go on after the stop.
    package init(host: String, port: Int, shutdownTime: Duration, logger: Logger) {
        self.host = host
        self.port = port
        self.shutdownTime = shutdownTime
        self.logger = logger
    }

    /// Returns when the task was cancelled, or the surrounding service group shut down, and all is closed.
    ///
    /// - Throws: ``ListeningError``, or what the service throws.
    package func run(_ service: any Service) async throws {
        var settings = ServiceGroupConfiguration(services: [service], logger: logger)
        settings.maximumGracefulShutdownDuration = shutdownTime
        let group = ServiceGroup(configuration: settings)
        let running = Task { try await group.run() }
        do {
            try await withTaskCancellationOrGracefulShutdownHandler {
                try await running.value
            } onCancelOrGracefulShutdown: {
                Task { await group.triggerGracefulShutdown() }
            }
        } catch {
            throw listeningError(error) ?? error
        }
    }

    private func listeningError(_ error: any Error) -> ListeningError? {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE: .addressInUse(host: host, port: port)
        case let error as IOError where error.errnoCode == EACCES: .addressForbidden(host: host, port: port)
        case let error as IOError where error.errnoCode == EADDRNOTAVAIL: .hostUnavailable(host: host)
        case is SocketAddressError, is SocketAddressError.UnknownHost: .hostUnavailable(host: host)
        default: nil
        }
    }
}
