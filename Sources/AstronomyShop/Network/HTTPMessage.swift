import Foundation

/// A request as it is to be sent, whatever sends it.
struct HTTPRequest: Sendable {
    var method: String
    var url: URL
    /// By name as spelled here; set each header under one spelling.
    var headers: [String: String] = [:]
    var body: Data?
}

/// A whole answer.
struct HTTPResponse: Sendable {
    let status: Int
    /// `Content-Length` as the server gave it: bytes on the wire, before any decompression.
    let announcedLength: Int?
    let contentType: String?
    /// Decompressed, and cut where the transport's limit for error bodies was reached.
    let body: Data
    let bodyIsCut: Bool

    var isSuccess: Bool { (200...299).contains(status) }
}
