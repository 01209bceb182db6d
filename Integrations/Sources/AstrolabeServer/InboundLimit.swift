import NIOCore

/// Closes a connection if more than 1 MiB arrives after a request.
///
/// The client itself reads informational responses and chunk extensions without an end until its timeout. The limit
/// counts the bytes of the connection, those of TLS included, since something was last sent.
final class InboundLimit: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// 16 times what is kept of a body.
    static let bytes = 1 << 20

    private var received = 0

    /// Adds a limit to a connection, before the parts that decode what arrives.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(InboundLimit(), position: .first)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        guard received <= Self.bytes else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        received = 0
        context.write(data, promise: promise)
    }
}
