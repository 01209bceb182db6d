import Foundation

/// A TCP connection that sends one text and yields the received lines, for responses that never end.
///
/// The connection stays open until the server closes it or the stream of lines is released.
package final class LineSocket: Sendable {
    /// The received lines without line endings, for a single reader. The stream ends with the connection.
    package let lines: AsyncStream<String>
    private let socket: OpenSocket

    package struct Failure: Error {
        package let step: String
        package let code: Int32
    }

    package static func request(port: Int, _ text: String) throws -> LineSocket {
        try LineSocket(port: port, text)
    }

    private init(port: Int, _ text: String) throws {
        let socket = try OpenSocket.connected(to: port)
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.socket = socket
        self.lines = lines
        try socket.send(text)
        continuation.onTermination = { _ in socket.shutDown() }
        Thread.detachNewThread {
            var pending: [UInt8] = []
            while let bytes = socket.receive() {
                for byte in bytes {
                    if byte == UInt8(ascii: "\n") {
                        continuation.yield(String(decoding: pending, as: UTF8.self))
                        pending = []
                    } else if byte != UInt8(ascii: "\r") {
                        pending.append(byte)
                    }
                }
            }
            socket.end()
            continuation.finish()
        }
    }

    /// Sends more text.
    package func send(_ text: String) throws { try socket.send(text) }

    /// Closes the connection, which also ends the stream of lines.
    package func hangUp() { socket.shutDown() }
}

/// A descriptor that is not used after it has been closed, because its number may be another's by then.
private final class OpenSocket: @unchecked Sendable {  // The lock guards `isOpen`.
    private let descriptor: Int32
    private let lock = NSLock()
    private var isOpen = true

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a port of this machine.
    static func connected(to port: Int) throws -> OpenSocket {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw LineSocket.Failure(step: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let code = errno
            close(descriptor)
            throw LineSocket.Failure(step: "connect", code: code)
        }
        return OpenSocket(descriptor)
    }

    deinit { end() }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return }
        #if canImport(Glibc)
        // A connection that the server has closed is an error, and ends no process.
        let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        let count = Darwin.send(descriptor, bytes, bytes.count, 0)
        #endif
        guard count == bytes.count else { throw LineSocket.Failure(step: "send", code: errno) }
    }

    /// Returns the next bytes; `nil` at the end of the connection.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Ends the connection in both directions, so that a thread that waits for bytes wakes.
    func shutDown() {
        lock.withLock { if isOpen { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    func end() {
        lock.withLock {
            if isOpen { close(descriptor) }
            isOpen = false
        }
    }
}
