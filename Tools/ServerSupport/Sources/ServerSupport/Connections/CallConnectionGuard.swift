package import NIOCore

/// Closes a connection with several calls at once, as ``ConnectionGuard`` does for HTTP/1.1: one of too many, or one on
/// which no call begins.
///
/// It is the first handler of the connection's pipeline. Each call has a ``CallGuard``.
package final class CallConnectionGuard: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    let limits: ConnectionLimits
    private let table: ConnectionTable
    private var id: Int?
    private var firstCall: Scheduled<Void>?
    private var receiving = 0
    private var responding = 0

    package init(_ table: ConnectionTable) {
        self.table = table
        limits = table.limits
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard id == nil else { return }
        id = table.admit(context.channel)
        let channel = context.channel
        firstCall = context.eventLoop.scheduleTask(in: limits.firstRequestTime) { channel.close(promise: nil) }
    }

    private func leave() {
        firstCall?.cancel()
        if let id { table.close(id) }
        id = nil
    }

    /// Notes a change of one call. A call that has not begun, or has ended, is idle.
    func change(from old: ConnectionRoster.Activity, to new: ConnectionRoster.Activity, now: NIODeadline) {
        guard old != new else { return }
        firstCall?.cancel()
        count(old, -1)
        count(new, 1)
        guard let id else { return }
        table.change(id, to: responding > 0 ? .responding : receiving > 0 ? .receiving : .idle, now: now)
    }

    private func count(_ activity: ConnectionRoster.Activity, _ change: Int) {
        switch activity {
        case .idle: break
        case .receiving: receiving += change
        case .responding: responding += change
        }
    }
}
