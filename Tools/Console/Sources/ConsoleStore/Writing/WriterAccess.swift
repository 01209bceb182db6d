import ConsoleModel
import GRDB

/// Confines the writer to the database's serial writing queue.
final class WriterAccess: @unchecked Sendable {  // `writer` is touched on the pool's serial writing queue alone.
    private let pool: DatabasePool
    private var writer: BatchWriter?

    init(_ pool: DatabasePool) async throws {
        self.pool = pool
        try await pool.writeWithoutTransaction { [self] database in
            writer = try BatchWriter(database)
        }
    }

    /// Runs `body` in a transaction. After a failure, clears the writer's caches.
    func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (BatchWriter) throws -> Value
    ) async throws -> Value {
        try await pool.writeWithoutTransaction { [self] database in
            guard let writer else { throw StoreError.closed }
            do {
                var result: Value?
                try database.inTransaction(.immediate) {
                    result = try body(writer)
                    return .commit
                }
                guard let result else { throw StoreError.closed }
                return result
            } catch {
                writer.forget()
                throw error
            }
        }
    }

    /// Runs `body` on the writing queue. Clears the writer's caches, because `body` may delete anything.
    func maintain<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.writeWithoutTransaction { [self] database in
            defer { writer?.forget() }
            return try body(database)
        }
    }

    /// Finalizes the writer's statements, so that the database can close.
    func invalidate() {
        pool.writeWithoutTransaction { _ in writer = nil }
    }
}
