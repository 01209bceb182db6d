package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A server that sends arbitrary bytes, valid or invalid.
///
///     let server = try RawServer { _, connection in connection.answer(504, #"{"error": "upstream timeout"}"#) }
///
/// Each connection has its own thread and receives one request.
package final class RawServer: Sendable {
    package struct Request: Sendable {
        package let head: String
        package let bytes: [UInt8]

        package var body: String { String(decoding: bytes, as: UTF8.self) }

        package var target: String { String(head.split(separator: " ").dropFirst().first ?? "") }

        /// Returns the value of a header by its case-insensitive name.
        package func header(_ name: String) -> String? {
            head.split(separator: "\r\n").dropFirst().lazy
                .map { $0.split(separator: ":", maxSplits: 1) }
                .first { $0.count == 2 && $0[0].lowercased() == name.lowercased() }
                .map { $0[1].trimmingCharacters(in: .whitespaces) }
        }
    }

    package struct Connection: Sendable {
        fileprivate let socket: Int32

        /// Returns false if the peer has closed the connection.
        @discardableResult
        package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        /// Returns false if the peer has closed the connection.
        @discardableResult
        package func write(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        package func answer(_ status: Int, _ body: String, headers: String = "Content-Type: application/json\r\n") {
            write(
                "HTTP/1.1 \(status) Whatever\r\n\(headers)Content-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n\(body)")
        }

        /// Sends a success whose body is `count` pages of zeros. No more than one page is in memory.
        package func stream(pages count: Int, of size: Int = 1 << 20) {
            write("HTTP/1.1 200 OK\r\nContent-Length: \(count * size)\r\nConnection: close\r\n\r\n")
            let page = [UInt8](repeating: 0, count: size)
            for _ in 0..<count where !write(page) { return }
        }

        /// Sends no more, and leaves the other direction open.
        package func endWriting() { shutdown(socket, Int32(SHUT_WR)) }

        /// Writes the same bytes until the peer has closed the connection; returns how many it wrote.
        @discardableResult
        package func writeForever(_ text: String) -> Int {
            let bytes = Array(String(repeating: text, count: max(1, 65_536 / text.utf8.count)).utf8)
            var count = 0
            while write(bytes) { count += bytes.count }
            return count
        }

        /// Returns when the peer has closed the connection.
        package func waitUntilClosed() {
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) > 0 {}
        }
    }

    package let port: Int
    private let listener: Int32
    private let log = Log()

    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    /// The requests of all connections.
    private final class Log: @unchecked Sendable {  // the lock orders every access to the requests
        private let lock = NSLock()
        private var requests: [Request] = []

        func append(_ request: Request) { lock.withLock { requests.append(request) } }
        var all: [Request] { lock.withLock { requests } }
    }

    package init(_ answer: @escaping @Sendable (_ request: Request, _ connection: Connection) -> Void) throws {
        let listener = socket(AF_INET, Self.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRINUSE) }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [log] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else {
                    // Not earlier: the descriptor could be reused by another server while this thread still accepts
                    // connections.
                    close(listener)
                    return
                }
                Thread.detachNewThread {
                    if let request = Self.read(socket) {
                        log.append(request)
                        answer(request, Connection(socket: socket))
                    }
                    close(socket)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    package var baseURL: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
            return url
        }
    }

    /// The requests in order of arrival.
    package var requests: [Request] { log.all }

    private static func read(_ socket: Int32) -> Request? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                let request = Request(head: head, bytes: Array(received[end.upperBound...]))
                let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
                if request.bytes.count >= length { return request }
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }
}

/// Returns a loopback port on which nothing listens.
package func refusedPort() throws -> Int { Int(try ReservedPort.refused.get().number) }
