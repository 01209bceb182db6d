import Tracing

/// The operation of a database span, its `db.operation.name`.
enum DatabaseOperation: String {
    case select = "SELECT"
    case insert = "INSERT"
    case delete = "DELETE"
}

/// Runs one transaction in a client span after the semantic conventions for databases, named "SELECT cart_item".
///
/// The span starts before the transaction waits for its turn, and ends when it is committed or rolled back.
func withDatabaseSpan<Result>(
    _ operation: DatabaseOperation, _ table: String, _ transaction: () async throws -> Result,
) async throws -> Result {
    try await withSpan("\(operation.rawValue) \(table)", ofKind: .client) { span in
        span.attributes["db.system.name"] = "sqlite"
        span.attributes["db.operation.name"] = operation.rawValue
        span.attributes["db.collection.name"] = table
        return try await transaction()
    }
}
