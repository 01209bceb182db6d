import Foundation

/// The request line and the headers.
package struct HTTPHead: Sendable {
    package let method: String
    package let path: String
    /// By lowercase names.
    package let headers: [String: String]

    /// Parses a request line and header lines; `nil` if they are invalid.
    init?(_ text: String) {
        let lines = text.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        method = String(words[0])
        path = String(words[1])
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[line[..<colon].lowercased()] = value
        }
        self.headers = headers
    }

    var contentLength: Int { headers["content-length"].flatMap { Int($0) } ?? 0 }
    var expectsContinue: Bool { headers["expect"]?.lowercased() == "100-continue" }
}

/// A complete request.
package struct HTTPRequest: Sendable {
    package let head: HTTPHead
    package let body: [UInt8]

    package var path: String { head.path }
}

/// Splits the bytes of a connection into heads and bodies.
struct HTTPReader {
    private let connection: Int32
    private var buffer: [UInt8] = []

    init(_ connection: Int32) {
        self.connection = connection
    }

    /// `nil` at the end of the connection or for invalid HTTP.
    mutating func nextHead() -> HTTPHead? {
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = buffer.firstRange(of: blank) {
                let head = HTTPHead(String(decoding: buffer[..<end.lowerBound], as: UTF8.self))
                buffer.removeFirst(end.upperBound)
                return head
            }
            guard buffer.count < 65_536, let more = LocalSocket.receive(from: connection) else { return nil }
            buffer += more
        }
    }

    /// Returns the next `length` bytes, at most 16 MiB; `nil` if they do not arrive.
    mutating func body(of length: Int) -> [UInt8]? {
        guard 0...(1 << 24) ~= length else { return nil }
        while buffer.count < length {
            guard let more = LocalSocket.receive(from: connection) else { return nil }
            buffer += more
        }
        defer { buffer.removeFirst(length) }
        return Array(buffer.prefix(length))
    }
}
