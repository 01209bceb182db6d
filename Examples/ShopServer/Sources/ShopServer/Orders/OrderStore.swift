import Foundation
import GRDB
import ShopAPI

/// Placed orders in SQLite, the newest ``ShopBackend/Limits/orders`` of them.
struct OrderStore: Sendable {
    let database: any DatabaseWriter
    let limit: Int
    let now: @Sendable () -> Date

    /// Stores an order and takes its items out of the session's cart, in one transaction.
    func place(_ order: CheckoutResponse, total: Money, charged: Bool, for userId: String) async throws {
        let time = now().milliseconds
        try await withDatabaseSpan(.insert, "placed_order") {
            try await database.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO placed_order (order_id, tracking_id, user_id, placed_at, currency_code,
                            shipping_units, shipping_nanos, total_units, total_nanos, charged)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        order.orderId, order.shippingTrackingId, userId, time, total.currencyCode,
                        order.shippingCost.units, order.shippingCost.nanos, total.units, total.nanos, charged,
                    ],
                )
                for line in order.items {
                    try database.execute(
                        sql: """
                            INSERT INTO order_item (order_id, product_id, quantity, cost_units, cost_nanos)
                            VALUES (?, ?, ?, ?, ?)
                            """,
                        arguments: [
                            order.orderId, line.item.productId, line.item.quantity, line.cost.units, line.cost.nanos,
                        ],
                    )
                }
                let ordered = order.items.map { CartItem(productId: $0.item.productId, quantity: $0.item.quantity) }
                try CartStore.take(ordered, from: userId, in: database)
                try database.execute(
                    sql: "DELETE FROM placed_order WHERE position <= (SELECT max(position) FROM placed_order) - ?",
                    arguments: [limit],
                )
            }
        }
    }

    /// The number of stored orders.
    func count() async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM placed_order") ?? 0
        }
    }
}
