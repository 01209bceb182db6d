import Foundation

/// A TCP connection that sends one text and yields the received lines, for responses that never end.
///
/// The connection stays open until the server closes it or the stream of lines is released.
package final class LineSocket: Sendable {
    /// The received lines without line endings, for a single reader. The stream ends with the connection.
    package let lines: AsyncStream<String>
    private let descriptor: Int32

    package struct Failure: Error {
        package let step: String
        package let code: Int32
    }

    package static func request(port: Int, _ text: String) throws -> LineSocket {
        try LineSocket(port: port, text)
    }

    private init(port: Int, _ text: String) throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Failure(step: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(step: "connect", code: errno) }
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.descriptor = descriptor
        self.lines = lines
        try send(text)
        continuation.onTermination = { _ in shutdown(descriptor, Int32(SHUT_RDWR)) }
        Thread.detachNewThread {
            var pending: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                for byte in buffer.prefix(count) {
                    if byte == UInt8(ascii: "\n") {
                        continuation.yield(String(decoding: pending, as: UTF8.self))
                        pending = []
                    } else if byte != UInt8(ascii: "\r") {
                        pending.append(byte)
                    }
                }
            }
            continuation.finish()
            close(descriptor)
        }
    }

    /// Sends more text.
    package func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        #if canImport(Glibc)
        let count = Glibc.send(descriptor, bytes, bytes.count, 0)
        #else
        let count = Darwin.send(descriptor, bytes, bytes.count, 0)
        #endif
        guard count == bytes.count else { throw Failure(step: "send", code: errno) }
    }

    /// Closes the connection, which also ends the stream of lines.
    package func hangUp() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
