import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

extension Request {
    /// Reads the body, and no more of it than the limit.
    ///
    /// - Parameter what: What the body is, for the message if it is too large.
    /// - Throws: `APIFailure` with status 413.
    func bytes(atMost limit: Int, of what: String) async throws -> Data {
        var bytes = Data()
        for try await part in body {
            guard bytes.count + part.readableBytes <= limit else {
                throw APIFailure(.contentTooLarge, "expected \(what) of at most \(limit) bytes")
            }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }
}
