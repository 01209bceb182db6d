package import NIOCore

/// Carries statements to ClickHouse's HTTP interface, so that this module needs no HTTP client and no TLS.
package protocol ClickHouseTransport: Sendable {
    /// Sends a request and passes on the body of a response with status 200.
    ///
    /// - Parameter part: Takes a part of the body. An error ends the request, and is thrown on.
    /// - Returns: The response, if its status is not 200; otherwise `nil`.
    /// - Throws: `ClickHouseError.timedOut`, `ClickHouseError.unreachable` or `CancellationError`.
    func send(
        _ request: ClickHouseRequest, part: (ByteBuffer) throws -> Void,
    ) async throws -> ClickHouseRejection?
}

/// A request to ClickHouse's HTTP interface, by POST.
package struct ClickHouseRequest: Sendable {
    package let url: String
    package let headers: [(name: String, value: String)]
    package let body: ByteBuffer
    package let timeout: Duration
}

/// A response of ClickHouse, or of a proxy before it, that is not 200.
package struct ClickHouseRejection: Sendable {
    /// The header with the number of ClickHouse's exception.
    package static let codeHeader = "X-ClickHouse-Exception-Code"
    /// The largest part of a response's body that is read for its error, in bytes.
    package static let bodyLimit = 64 << 10

    let status: Int
    let code: Int?
    let body: String

    /// - Parameters:
    ///   - code: The value of `codeHeader`; `nil` if the response does not have it.
    ///   - body: The text of the response.
    package init(status: Int, code: String?, body: String) {
        self.status = status
        self.code = code.flatMap { Int($0) }
        self.body = body
    }
}
