import HTTPTypes
import HummingbirdCore
import NIOCore

/// The event by which a responder asks for the body of a request. ``ConnectionGuard`` sends `100 Continue` for it.
struct BodyWanted: Sendable {}

extension HTTPFields {
    /// True if the client waits with the body until it is asked for it (RFC 9110, section 10.1.1).
    var expectContinue: Bool { self[.expect]?.lowercased() == "100-continue" }
}

extension Request {
    /// Returns the request with a body that asks the client for itself when a responder begins to read it.
    func asking(on channel: any Channel) -> Request {
        guard headers.expectContinue else { return self }
        var request = self
        request.body = RequestBody(asyncSequence: AwaitedBody(body: body, channel: channel))
        return request
    }
}

private struct AwaitedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let channel: any Channel

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator
        /// `nil` when the client has been asked.
        var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            channel?.triggerUserOutboundEvent(BodyWanted(), promise: nil)
            channel = nil
            return try await body.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), channel: channel)
    }
}
