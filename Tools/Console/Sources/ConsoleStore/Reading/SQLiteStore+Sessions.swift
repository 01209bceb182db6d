import AstrolabeTelemetryModel
package import ConsoleModel

extension SQLiteStore {
    /// Returns sessions, newest first. Without search words, this reads only the index of start times.
    package func sessions(_ query: SessionQuery = SessionQuery()) async throws(StoreError) -> Page<SessionSummary> {
        try await search(.sessions, query) { database, query, entries, limit in
            try SessionReader(database: database).page(query, among: entries, within: limit)
        }
    }

    /// Returns the session with a `session.id`.
    package func session(_ id: String) async throws(StoreError) -> SessionSummary? {
        try await read { database in
            try SessionReader(database: database).session(id)
        }
    }
}
