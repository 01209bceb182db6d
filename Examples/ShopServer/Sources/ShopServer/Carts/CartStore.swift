import Foundation
import GRDB
import ShopAPI

/// Carts in SQLite. Every change is one transaction, so of two changes at once neither is lost.
///
/// A cart ends an hour after it was last changed; reading does not prolong it. Carts that have ended are treated as
/// absent, and are deleted when any cart changes next.
struct CartStore: Sendable {
    /// A change that would pass a limit; nothing was changed.
    enum Refusal: Error, Hashable {
        case tooManyOfOne(limit: Int)
        case tooManyLines(limit: Int)
        case tooManyCarts(limit: Int)
    }

    let database: any DatabaseWriter
    let limits: ShopBackend.Limits
    let lifetime: Duration
    let now: @Sendable () -> Date

    /// The lines of a cart, in the order in which they were first added; none if there is no cart.
    func items(of userId: String) async throws -> [CartItem] {
        let time = now().milliseconds
        return try await withDatabaseSpan(.select, "cart_item") {
            try await database.read { database in try Self.items(of: userId, at: time, in: database) }
        }
    }

    /// Adds a quantity, which may be negative, and removes a line that comes to 0 or less.
    ///
    /// - Returns: the lines after the change.
    /// - Throws: ``Refusal``.
    func add(_ item: CartItem, to userId: String) async throws -> [CartItem] {
        let time = now().milliseconds
        return try await withDatabaseSpan(.insert, "cart_item") {
            try await database.write { database in
                try Self.deleteEnded(at: time, in: database)
                let present = try Int.fetchOne(
                    database, sql: "SELECT quantity FROM cart_item WHERE user_id = ? AND product_id = ?",
                    arguments: [userId, item.productId],
                )
                let (sum, overflows) = (present ?? 0).addingReportingOverflow(item.quantity)
                guard !overflows, sum <= limits.quantityOfOneProduct else {
                    throw Refusal.tooManyOfOne(limit: limits.quantityOfOneProduct)
                }
                if sum > 0 {
                    try touch(userId, at: time, in: database)
                    if present == nil { try checkLineCount(of: userId, in: database) }
                    try database.execute(
                        sql: """
                            INSERT INTO cart_item (user_id, product_id, quantity) VALUES (?, ?, ?)
                            ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = excluded.quantity
                            """,
                        arguments: [userId, item.productId, sum],
                    )
                } else if present != nil {
                    try touch(userId, at: time, in: database)
                    try Self.remove(productId: item.productId, from: userId, in: database)
                }
                return try Self.items(of: userId, at: time, in: database)
            }
        }
    }

    /// Deletes a cart, if there is one.
    func empty(_ userId: String) async throws {
        try await withDatabaseSpan(.delete, "cart") {
            try await database.write { database in
                try database.execute(sql: "DELETE FROM cart WHERE user_id = ?", arguments: [userId])
            }
        }
    }

    /// Takes ordered quantities out of a cart, within the transaction that stores the order. What was added after the
    /// order was read stays.
    static func take(_ items: [CartItem], from userId: String, in database: Database) throws {
        for item in items {
            let present = try Int.fetchOne(
                database, sql: "SELECT quantity FROM cart_item WHERE user_id = ? AND product_id = ?",
                arguments: [userId, item.productId],
            )
            guard let present else { continue }
            if present > item.quantity {
                try database.execute(
                    sql: "UPDATE cart_item SET quantity = ? WHERE user_id = ? AND product_id = ?",
                    arguments: [present - item.quantity, userId, item.productId],
                )
            } else {
                try remove(productId: item.productId, from: userId, in: database)
            }
        }
    }

    /// The number of carts that have not ended.
    func count() async throws -> Int {
        let time = now().milliseconds
        return try await database.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM cart WHERE expires_at > ?", arguments: [time]) ?? 0
        }
    }

    private func touch(_ userId: String, at time: Int64, in database: Database) throws {
        let isNew = try Bool.fetchOne(
            database, sql: "SELECT NOT EXISTS (SELECT 1 FROM cart WHERE user_id = ?)", arguments: [userId],
        )
        if isNew == true {
            let carts = try Int.fetchOne(database, sql: "SELECT count(*) FROM cart") ?? 0
            guard carts < limits.carts else { throw Refusal.tooManyCarts(limit: limits.carts) }
        }
        try database.execute(
            sql: """
                INSERT INTO cart (user_id, expires_at) VALUES (?, ?)
                ON CONFLICT (user_id) DO UPDATE SET expires_at = excluded.expires_at
                """,
            arguments: [userId, time + Int64(lifetime / .milliseconds(1))],
        )
    }

    private func checkLineCount(of userId: String, in database: Database) throws {
        let lines = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM cart_item WHERE user_id = ?", arguments: [userId],
        )
        guard lines ?? 0 < limits.productsInCart else { throw Refusal.tooManyLines(limit: limits.productsInCart) }
    }

    private static func items(of userId: String, at time: Int64, in database: Database) throws -> [CartItem] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT product_id, quantity FROM cart_item JOIN cart USING (user_id)
                WHERE user_id = ? AND expires_at > ? ORDER BY position
                """,
            arguments: [userId, time],
        ).map { row in CartItem(productId: row[0], quantity: row[1]) }
    }

    /// Removes a line, and the cart with its last line.
    private static func remove(productId: String, from userId: String, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM cart_item WHERE user_id = ? AND product_id = ?", arguments: [userId, productId],
        )
        try database.execute(
            sql: """
                DELETE FROM cart WHERE user_id = ? AND NOT EXISTS (SELECT 1 FROM cart_item WHERE user_id = ?)
                """,
            arguments: [userId, userId],
        )
    }

    private static func deleteEnded(at time: Int64, in database: Database) throws {
        try database.execute(sql: "DELETE FROM cart WHERE expires_at <= ?", arguments: [time])
    }
}

extension Date {
    /// Whole milliseconds since 1970, as the database has them.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
