package import Policy

/// Hands delivery what the policy asks of it, in the order in which it asks: from any thread, and without a wait.
package final class DeliveryOrders: Sendable {
    private enum Order {
        /// Without the plan: one that has come since is not to be put back by one that had to wait.
        case waitAnew
        case flush(FlushTrigger)
    }

    private let order: AsyncStream<Order>.Continuation

    package init(_ delivery: DeliveryService) {
        let (orders, order) = AsyncStream.makeStream(of: Order.self)
        self.order = order
        Task(priority: .utility) {
            for await order in orders { await Self.carryOut(order, by: delivery) }
        }
    }

    deinit { order.finish() }

    package func waitAnew() { order.yield(.waitAnew) }

    package func flush(_ trigger: FlushTrigger) { order.yield(.flush(trigger)) }

    private static func carryOut(_ order: Order, by delivery: DeliveryService) async {
        switch order {
        case .waitAnew: await delivery.waitAnew()
        case .flush(let trigger) where trigger == .enteredBackground || trigger == .terminating:
            BackgroundWork.system { await delivery.flush(.conditions(trigger)) }
        case .flush(let trigger): Task { await delivery.flush(.conditions(trigger)) }
        }
    }
}
