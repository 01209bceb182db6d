import AstrolabePlatform
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A listener on which a device waits for its app.
///
///     let listener = try LinkListener(path: folder + "/link")
///     for await link in listener.connections { serve(link) }
///
/// Only processes of the same user can connect. The listener stops when its last reference is released.
package final class LinkListener: Sendable {
    /// The accepted connections, for one reader. Ends with the listener. If 8 connections are waiting, more are
    /// refused.
    package let connections: AsyncStream<DeviceLinkEnd>

    private let path: String
    private let wake: Pipe
    private let isClosed = Locked(false)

    /// Replaces a socket file on which no process listens.
    package init(path: String) throws(LinkError) {
        self.path = path
        wake = Pipe()
        let socket = try LinkSocket.listening(at: path)
        let (stream, continuation) = AsyncStream.makeStream(
            of: DeviceLinkEnd.self, bufferingPolicy: .bufferingOldest(8))
        connections = stream
        let wake = wake
        let thread = Thread {
            while let connection = socket.accept(unless: wake.fileHandleForReading.fileDescriptor) {
                continuation.yield(DeviceLinkEnd(connection))
            }
            continuation.finish()
        }
        thread.name = "link listener"
        thread.start()
    }

    deinit { close() }

    /// Stops listening and removes the socket file. Open connections stay.
    package func close() {
        guard !isClosed.exchange(true) else { return }
        unlink(path)
        try? wake.fileHandleForWriting.close()
    }
}
