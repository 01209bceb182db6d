import ConsoleModel

/// The crashes and hangs that are assigned to issues: a table of the console beside those of the Collector.
///
/// A row is made from a log record of ``OTelTable/logs`` when its stack was symbolicated, so that queries and lists
/// read no stacks. Of several rows of a record, such as those of two consoles, the last counts. A row without a
/// fingerprint says that the record is to be symbolicated again.
enum IssueTable {
    static let name = "astrolabe_issues"

    static let columns = [
        "Timestamp", "Id", "Kind", "Fingerprint", "Title", "Place", "WantedBuilds", "SessionId", "Installation",
        "Version", "Screen", "Duration", "TraceId", "ServiceName", "ResourceAttributes", "LogAttributes",
    ]

    /// SQL of the rows that count.
    static let rows = "(SELECT * FROM \(name) FINAL WHERE Fingerprint != '')"

    static func creation(retentionDays: Int) -> Statement {
        var statement = Statement()
        let days = statement.bind(Int64(retentionDays))
        statement.text = """
            CREATE TABLE IF NOT EXISTS \(name) (
                Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)), Id Int64, Kind UInt8, Fingerprint String,
                Title String CODEC(ZSTD(1)), Place String CODEC(ZSTD(1)), WantedBuilds Array(String) CODEC(ZSTD(1)),
                SessionId String CODEC(ZSTD(1)), Installation String CODEC(ZSTD(1)), Version LowCardinality(String),
                Screen LowCardinality(String), Duration Nullable(Float64), TraceId String CODEC(ZSTD(1)),
                ServiceName LowCardinality(String),
                ResourceAttributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
                LogAttributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
                Written DateTime64(9) DEFAULT now64(9))
            ENGINE = ReplacingMergeTree(Written) PARTITION BY toDate(Timestamp) ORDER BY (Timestamp, Id)
            TTL toDateTime(Timestamp) + toIntervalDay(\(days)) SETTINGS ttl_only_drop_parts = 1
            """
        return statement
    }
}
