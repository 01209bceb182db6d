import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

extension HTTP1Channel.Configuration {
    static func guarded(by limits: ConnectionLimits, idleTimeout: TimeAmount) -> Self {
        let table = ConnectionTable(limits)
        var configuration = HTTP1Channel.Configuration(idleTimeout: idleTimeout)
        configuration.additionalChannelHandlers = { [ConnectionGuard(table)] }
        configuration.httpDecoder = DecoderConfiguration(
            maxHeaderFieldSize: 32 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 200,
        )
        return configuration
    }
}

/// Closes a connection that keeps others out, and answers `Expect: 100-continue`.
///
/// Such a connection is one of too many, or one that sends too slowly. Or it is still sending a request that was
/// answered, or its client has left before the response.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let table: ConnectionTable
    private let limits: ConnectionLimits
    private var id: Int?
    private var watch: TransferWatch?
    private var check: Scheduled<Void>?
    /// True if a request has begun whose end has not arrived.
    private var isReceiving = false
    private var isResponding = false
    /// True if the client waits with the body until it is asked for it.
    private var isBodyAwaited = false
    /// True if the server stops reading after this response.
    private var closes = false
    private var isDraining = false

    init(_ table: ConnectionTable) {
        self.table = table
        limits = table.limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard watch == nil else { return }
        watch = TransferWatch(limits, now: context.eventLoop.now)
        id = table.admit(context.channel)
        scheduleCheck(context)
    }

    private func leave() {
        check?.cancel()
        check = nil
        if let id { table.close(id) }
        id = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isReceiving = true
            isResponding = true
            isBodyAwaited = head.headerFields.expectContinue
            closes = head.headerFields[.connection]?.lowercased() == "close"
            watch?.begin(now: context.eventLoop.now)
            change(.receiving, context)
            scheduleCheck(context)
        case .body(let buffer):
            isBodyAwaited = false
            if watch?.receive(buffer.readableBytes) == true { context.close(promise: nil) }
        case .end:
            isBodyAwaited = false
            isReceiving = false
            watch?.end()
            change(isResponding ? .responding : .idle, context)
            if isDraining { context.close(promise: nil) }
        }
        if !isDraining { context.fireChannelRead(data) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The server no longer reads. The client may not read its response before it has sent its whole request.
        if isDraining { context.read() }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        if isBodyAwaited {
            isBodyAwaited = false
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        promise?.succeed(())
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if isBodyAwaited, case .head(var head) = part {
            // The client may send the body after this response, or another request. Only a new connection tells.
            isBodyAwaited = false
            closes = true
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            return
        }
        context.write(data, promise: promise)
        guard case .end = part else { return }
        isResponding = false
        if !isReceiving {
            change(.idle, context)
        } else if closes {
            isDraining = true
            watch?.drain(now: context.eventLoop.now)
            scheduleCheck(context)
            context.flush()
            context.read()
        }
    }

    /// A client that has closed its side before the response has left. What is being done for it can end.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if case .inputClosed? = event as? ChannelEvent, isResponding, !isReceiving { context.close(promise: nil) }
    }

    private func change(_ activity: ConnectionRoster.Activity, _ context: ChannelHandlerContext) {
        if let id { table.change(id, to: activity, now: context.eventLoop.now) }
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        check?.cancel()
        guard let moment = watch?.nextCheck else { return }
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: moment) { [weak self] in
            guard let self else { return }
            if watch?.isOverdue(now: context.eventLoop.now) == true { refuse(context) } else { scheduleCheck(context) }
        }
    }

    /// Tells a client whose request did not arrive in time, and closes.
    private func refuse(_ context: ChannelHandlerContext) {
        if isReceiving, isResponding {
            let head = HTTPResponse(
                status: .requestTimeout, headerFields: [.connection: "close", .contentLength: "0"],
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        context.close(promise: nil)
    }
}
