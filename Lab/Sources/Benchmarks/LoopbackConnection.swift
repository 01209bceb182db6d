import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A keep-alive HTTP connection to this machine, directly over a socket. It is closed with its last reference.
final class LoopbackConnection: Sendable {
    struct Response: Sendable {
        let status: Int
        let body: [UInt8]
    }

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif
    private let descriptor: Int32

    /// - Parameter host: The last byte of the own address. A console takes each for another client. 1 by default.
    init(port: UInt16, from host: UInt32 = 1) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw BenchmarkFailure("cannot make a socket: errno \(errno)") }
        // A console that does not respond is a failure, and not a benchmark without an end.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if host != 1 { try use(port: 0, host: host, as: "bound to") { bind($0, $1, $2) } }
        try use(port: port, host: 1, as: "connected to") { connect($0, $1, $2) }
    }

    deinit { close(descriptor) }

    /// Calls `bind` or `connect` with an address of this machine.
    private func use(
        port: UInt16, host: UInt32, as what: String,
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (UInt32(0x7F00_0000) + host).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            throw BenchmarkFailure("127.0.0.\(host):\(port) cannot be \(what): errno \(errno)")
        }
    }

    /// Sends a request and waits for its response.
    func request(
        _ method: String, _ target: String, headers: [String] = [], body: [UInt8] = [],
    ) throws -> Response {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1", "Content-Length: \(body.count)"] + headers
        try write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        return try readResponse()
    }

    /// Posts a body of OTLP protobuf.
    ///
    /// - Parameter signal: `traces`, `logs` or `metrics`.
    func post(_ body: [UInt8], signal: String, headers: [String] = []) throws -> Response {
        try request(
            "POST", "/v1/\(signal)", headers: ["Content-Type: application/x-protobuf"] + headers, body: body)
    }

    func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Self.sendFlags)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BenchmarkFailure("the console closed the connection") }
            sent += count
        }
    }

    /// Waits for bytes and returns them.
    func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        repeat { count = recv(descriptor, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        guard count > 0 else { throw BenchmarkFailure("the console closed the connection or did not respond") }
        return Array(buffer[..<count])
    }

    /// Reads a response with the `Content-Length` of its head.
    private func readResponse() throws -> Response {
        var received: [UInt8] = []
        while true {
            received += try receive()
            guard let head = try Head(received) else { continue }
            while received.count < head.size + head.bodySize { received += try receive() }
            let body = Array(received[head.size..<head.size + head.bodySize])
            // What the console says before it reads a body.
            if head.status != 100 { return Response(status: head.status, body: body) }
            received.removeFirst(head.size)
        }
    }

    private struct Head {
        let status: Int
        let size: Int
        let bodySize: Int

        /// - Returns: `nil` if the end of the head has not arrived.
        init?(_ bytes: [UInt8]) throws {
            let text = String(decoding: bytes.prefix(16_384), as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { return nil }
            let lines = text[..<end.lowerBound].split(separator: "\r\n").map { $0.lowercased() }
            let value = lines.first { $0.hasPrefix("content-length:") }?.split(separator: ":").last
            guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
                !lines.contains(where: { $0.hasPrefix("transfer-encoding:") })
            else { throw BenchmarkFailure("expected a response with a length; found \(text[..<end.lowerBound])") }
            self.status = status
            size = text[..<end.upperBound].utf8.count
            bodySize = value.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
        }
    }
}

extension LoopbackConnection {
    /// The path of a query's answer.
    static func target(of query: String) -> String {
        "/api/v1/query?q=" + (query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// Asks until the console has made its columns, and returns the number of records that fulfil the condition.
    func matchedRecords(_ query: String) throws -> Int {
        struct Answer: Decodable {
            let matchedRecords: Int
        }

        for _ in 0..<600 {
            let response = try request("GET", Self.target(of: query))
            switch response.status {
            case 200: return try JSONDecoder().decode(Answer.self, from: Data(response.body)).matchedRecords
            case 503: Thread.sleep(forTimeInterval: 0.1)
            default:
                let text = String(decoding: response.body.prefix(300), as: UTF8.self)
                throw BenchmarkFailure("\(query): status \(response.status) \(text)")
            }
        }
        throw BenchmarkFailure("\(query): not answered within a minute")
    }
}
