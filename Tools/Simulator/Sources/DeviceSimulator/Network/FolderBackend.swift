package import Foundation
import Hummingbird
import Logging

/// A backend that serves the files of a folder over HTTP, for apps that only read.
///
/// It listens on a free port of loopback, and responds with 404 to a request for a file that does not exist.
package final class FolderBackend: Sendable {
    package let port: Int
    private let task: Task<Void, any Error>

    /// Starts to listen.
    ///
    /// - Throws: An error of listening.
    package init(_ folder: URL) async throws {
        let router = Router()
        var logger = Logger(label: "folder-backend")
        // A stop with open connections is no error.
        logger.logLevel = .critical
        router.add(middleware: FileMiddleware(folder.path, searchForIndexHtml: true, logger: logger))
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        task = Task {
            defer { port.finish() }
            try await application.run()
        }
        guard let bound = await ports.first(where: { _ in true }) else {
            try await task.value
            throw CancellationError()
        }
        self.port = bound
    }

    package func stop() { task.cancel() }
}
