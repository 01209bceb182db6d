package import NIOCore

/// Watches one call of a connection that carries several at once: how slowly its request arrives, and whether the
/// connection may be closed for others.
///
/// All methods must be called on the connection's event loop.
package final class CallGuard {
    private let connection: CallConnectionGuard
    private let eventLoop: any EventLoop
    private let onOverdue: () -> Void
    private var watch: TransferWatch
    private var check: Scheduled<Void>?
    private var activity = ConnectionRoster.Activity.idle

    /// Begins a call of `connection`.
    ///
    /// - Parameter onOverdue: Called when the request arrives too slowly, and again when the client does not end the
    ///   call after its response.
    package init(_ connection: CallConnectionGuard, eventLoop: any EventLoop, onOverdue: @escaping () -> Void) {
        self.connection = connection
        self.eventLoop = eventLoop
        self.onOverdue = onOverdue
        watch = TransferWatch(connection.limits, now: eventLoop.now)
        watch.begin(now: eventLoop.now)
        change(to: .receiving)
        scheduleCheck()
    }

    /// - Returns: Whether the client has sent too much of a request that is discarded.
    package func receive(_ bytes: Int) -> Bool { watch.receive(bytes) }

    /// Notes that the request is complete.
    package func requestEnded() {
        guard activity == .receiving else { return }
        watch.end()
        change(to: .responding)
        scheduleCheck()
    }

    /// Notes that the response is written. The rest of the request, if any, is discarded for a limited time.
    package func responseEnded() {
        watch.drain(now: eventLoop.now)
        change(to: .idle)
        scheduleCheck()
    }

    /// Ends the call. Further calls have no effect.
    package func end() {
        check?.cancel()
        check = nil
        change(to: .idle)
    }

    private func change(to next: ConnectionRoster.Activity) {
        connection.change(from: activity, to: next, now: eventLoop.now)
        activity = next
    }

    private func scheduleCheck() {
        check?.cancel()
        check = watch.nextCheck.map { moment in
            eventLoop.assumeIsolated().scheduleTask(deadline: moment) { [weak self] in
                guard let self else { return }
                if watch.isOverdue(now: eventLoop.now) { onOverdue() } else { scheduleCheck() }
            }
        }
    }
}
