import AstrolabePlatform
package import HummingbirdCore
import Logging
package import NIOCore

extension HTTPServerBuilder {
    /// Builds an HTTP/1.1 server whose connections are limited in number, per address, and by how slowly they send.
    ///
    /// A client that waits for `100 Continue` gets it when a responder begins to read the body, or else the response.
    ///
    /// - Parameters:
    ///   - idleTimeout: The time after which a connection without a request is closed.
    ///   - prepare: Adds what comes before HTTP, such as TLS, to a new connection on its event loop.
    package static func guarded(
        by limits: ConnectionLimits, idleTimeout: TimeAmount,
        _ prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in },
    ) -> Self {
        let configuration = HTTP1Channel.Configuration.guarded(by: limits, idleTimeout: idleTimeout)
        return HTTPServerBuilder { responder in
            AcceptingChannel(
                http: HTTP1Channel(
                    responder: { (request: Request, writer: consuming ResponseWriter, channel: any Channel) in
                        try await responder(request.asking(on: channel), writer, channel)
                    }, configuration: configuration),
                prepare: prepare)
        }
    }
}

/// An accepted connection, which is closed if the server stops before it handles it.
///
/// SwiftNIO traps when a `NIOAsyncChannel` is dropped that was never closed, and drops those that arrive while the
/// server stops (apple/swift-nio#2637).
final class AcceptedConnection: ServerChildChannelValue {
    fileprivate let http: HTTP1Channel.Value
    private let isHandled = Locked(false)

    fileprivate init(_ http: HTTP1Channel.Value) {
        self.http = http
    }

    var channel: any Channel { http.channel }

    fileprivate func handle(_ body: (HTTP1Channel.Value) async -> Void) async {
        isHandled.withLock { $0 = true }
        await body(http)
    }

    deinit {
        guard !isHandled.withLock({ $0 }) else { return }
        Task { [http] in try? await http.executeThenClose { _, _ in } }
    }
}

private struct AcceptingChannel: ServerChildChannel {
    let http: HTTP1Channel
    let prepare: @Sendable (any Channel) throws -> Void

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        channel.eventLoop.makeCompletedFuture { try prepare(channel) }
            .flatMap { http.setup(channel: channel, logger: logger) }
            .map { AcceptedConnection($0) }
    }

    func handle(value: AcceptedConnection, logger: Logger) async {
        await value.handle { await http.handle(value: $0, logger: logger) }
    }
}
