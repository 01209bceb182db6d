package import AstrolabePolicy

/// Hands delivery what the policy asks of it, in the order in which it asks: from any thread, and without a wait.
///
/// For a flush of an app that leaves the front or ends, the system is asked for time before the call returns: a moment
/// later the app may be suspended.
package final class DeliveryCommands: Sendable {
    private enum Order {
        /// Without the plan: one that has come since is not to be put back by one that had to wait.
        case reschedule
        /// `end` ends the work in the background that waits for the flush.
        case flush(FlushTrigger, end: AsyncStream<Never>.Continuation?)
    }

    private let delivery: DeliveryService
    private let background: BackgroundWork
    private let order: AsyncStream<Order>.Continuation

    package init(_ delivery: DeliveryService, background: BackgroundWork = .system) {
        self.delivery = delivery
        self.background = background
        let (orders, order) = AsyncStream.makeStream(of: Order.self)
        self.order = order
        Task(priority: .utility) {
            for await order in orders { await Self.carryOut(order, by: delivery) }
        }
    }

    deinit { order.finish() }

    package func reschedule() { order.yield(.reschedule) }

    package func flush(_ trigger: FlushTrigger) {
        switch trigger {
        case .enteredBackground, .terminating:
            let (ends, end) = AsyncStream.makeStream(of: Never.self)
            background {
                for await _ in ends {}
            } onExpire: { [delivery] in
                Task { await delivery.expire() }
            }
            if case .terminated = order.yield(.flush(trigger, end: end)) { end.finish() }
        case .networkReturned, .uploadsAllowed, .becameActive, .memoryCritical:
            order.yield(.flush(trigger, end: nil))
        }
    }

    private static func carryOut(_ order: Order, by delivery: DeliveryService) async {
        switch order {
        case .reschedule: await delivery.reschedule()
        case .flush(let trigger, let end):
            // Beside the orders that follow, for the next may be to wait for no network.
            Task {
                await delivery.flush(.conditions(trigger))
                end?.finish()
            }
        }
    }
}
