/// Makes the database and the tables that are missing, in numbered steps.
///
/// Each step may run twice, and several consoles may run it at the same time: it changes nothing that exists. The table
/// `astrolabe_migrations` has the numbers of the steps that are done. A Collector's tables are left as they are.
package struct SchemaMigrator: Sendable {
    private let client: ClickHouseClient

    package init(_ client: ClickHouseClient) { self.client = client }

    /// The number of the last step: 1 makes the Collector's tables, 2 that of issues.
    package static let version = 2

    private static let ledger = Statement(
        """
        CREATE TABLE IF NOT EXISTS astrolabe_migrations (version UInt32, applied DateTime DEFAULT now())
        ENGINE = ReplacingMergeTree ORDER BY version
        """)

    /// - Throws: `ClickHouseError.newerSchema` if a later console made the tables.
    package func run() async throws {
        var database = Statement("CREATE DATABASE IF NOT EXISTS ")
        database.text += database.bind(identifier: client.configuration.address.database)
        try await client.execute(database, inDatabase: false)
        try await client.execute(Self.ledger)
        let done = try await version()
        guard done <= Self.version else {
            throw ClickHouseError.newerSchema(found: done, supported: Self.version)
        }
        // All steps also run when they are done, because someone may have dropped a table.
        for table in OTelTable.allCases {
            try await client.execute(table.creation(retentionDays: client.configuration.retentionDays))
        }
        try await client.execute(OTelTable.traceTimesView)
        try await client.execute(IssueTable.creation(retentionDays: client.configuration.retentionDays))
        guard done < Self.version else { return }
        var note = Statement("INSERT INTO astrolabe_migrations (version) SELECT toUInt32(")
        note.text += note.bind(Int64(Self.version)) + ")"
        try await client.execute(note)
    }

    /// Returns the last step that is done, or 0.
    package func version() async throws -> Int {
        let rows = try await client.rows(Statement("SELECT toInt64(max(version)) FROM astrolabe_migrations")) {
            try $0.integer(Int64.self)
        }
        return rows.first.map { Int($0) } ?? 0
    }
}
