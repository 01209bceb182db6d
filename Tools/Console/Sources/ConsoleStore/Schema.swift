import AstrolabeSemantics
import ConsoleModel

/// The database schema.
///
/// Every new row gets the next number of one sequence, `seq`, which all tables share. Traces and sessions get theirs
/// when they first appear. So "arrived before" is `<`, a cursor is one integer, and retention deletes a range. Ids are
/// stored as integers, times as nanoseconds since 1970, and attributes as one JSON object per row, readable with
/// `json_extract`.
///
/// A session's counts are sums, minimums and maximums, so they do not depend on the order of arrival. A record without
/// its own `session.id` ("unclaimed") belongs to every session of its trace. The table `traces` stores the sum of these
/// records, and a session adds it when it first appears in the trace.
///
/// Replay frames are stored apart from other events and counted only in `resources`: see `replays`.
///
/// A device consists of the resources with the same `app.installation.id`, found by an index.
enum Schema {
    /// The application id in the file header, "AstC".
    static let applicationID: Int64 = 0x4173_7443
    /// Each version has a file in `Tools/Console/Tests/Fixtures`, which later versions must open.
    static let version = 12

    /// The initial value of a minimum of times.
    static let never = Int64.max

    /// Returns SQL for the installation id of a row of `resources` with the alias `table`.
    static func installation(of table: String) -> String { installation(in: "\(table).attributes") }

    /// Returns an SQL condition for rows of `resources` with the alias `table` that have a valid installation id.
    static func isDevice(_ table: String) -> String {
        let id = installation(of: table)
        return "typeof(\(id)) = 'text' AND length(\(id)) BETWEEN 1 AND \(DeviceFacts.idLimit)"
    }

    private static func installation(in column: String) -> String {
        #"json_extract(\#(column), '$."\#(AttributeKey.appInstallationID)"')"#
    }

    /// The statements that upgrade version 1 to 2: the index of devices by installation.
    static let additionsOfVersion2: [String] = [
        "CREATE INDEX resources_by_installation ON resources (\(installation(in: "attributes")))",
        "CREATE INDEX sessions_by_resource ON sessions (resource)",
        "CREATE INDEX series_by_resource ON series (resource)",
        "CREATE INDEX arrivals_by_seq ON arrivals (last_seq)",
    ]

    /// The statements that upgrade version 4 to 5: the fields of OTLP that earlier versions did not store.
    ///
    /// A point's `integer` is its value if that is an integer, which `value` rounds beyond 2^53.
    static let additionsOfVersion5: [String] = [
        "ALTER TABLE resources ADD COLUMN schema_url TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE resources ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE scopes ADD COLUMN schema_url TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE scopes ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE spans ADD COLUMN flags INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE logs ADD COLUMN observed INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE logs ADD COLUMN flags INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE logs ADD COLUMN severity_text TEXT",
        "ALTER TABLE logs ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE series ADD COLUMN metadata TEXT",
        "ALTER TABLE points ADD COLUMN integer INTEGER",
        "ALTER TABLE points ADD COLUMN exemplars TEXT",
        "DROP INDEX IF EXISTS series_by_name",
        "CREATE INDEX series_by_metric ON series (name, unit, kind, session)",
    ]

    /// Returns an SQL condition for rows of `spans` with the alias `table` that are failures of their own.
    ///
    /// An error span with a child that is an error span too reports the child's failure on the way up.
    static func isFailure(_ table: String) -> String {
        """
        \(table).status = 2 AND NOT EXISTS (SELECT 1 FROM spans c WHERE c.trace = \(table).trace
            AND c.parent = \(table).span AND c.span <> \(table).span AND c.status = 2)
        """
    }

    /// The statements that upgrade version 5 to 6: failures are counted, not error spans, and logs are found by time.
    static let additionsOfVersion6: [String] = [
        "CREATE INDEX spans_of_errors ON spans (trace, parent) WHERE status = 2",
        """
        CREATE TABLE passed_on AS SELECT trace, session FROM spans s
        WHERE status = 2 AND NOT (\(isFailure("s")))
        """,
        "CREATE INDEX passed_on_by_trace ON passed_on (trace, session)",
        "CREATE INDEX passed_on_by_session ON passed_on (session)",
        """
        UPDATE traces SET errors = errors - (SELECT count(*) FROM passed_on p WHERE p.trace = id),
            unclaimed_errors = unclaimed_errors
                - (SELECT count(*) FROM passed_on p WHERE p.trace = id AND p.session = 0)
        WHERE id IN (SELECT trace FROM passed_on)
        """,
        """
        UPDATE sessions SET errors = max(0, errors
            - (SELECT count(*) FROM passed_on p WHERE p.session = id)
            - (SELECT count(*) FROM passed_on p JOIN session_traces st ON st.trace = p.trace
                WHERE p.session = 0 AND st.session = id))
        """,
        "DROP TABLE passed_on",
        "CREATE INDEX logs_by_time ON logs (time, seq)",
        "CREATE INDEX logs_by_severity ON logs (time, seq) WHERE severity >= 13",
        "CREATE INDEX logs_by_resource ON logs (resource, time, seq)",
    ]

    /// Returns SQL for the arrival of the record with a sequence number, in nanoseconds since 1970; 0 if unknown.
    private static func arrival(of seq: String) -> String {
        "ifnull((SELECT minute * 60000000000 FROM arrivals WHERE last_seq >= \(seq) ORDER BY last_seq LIMIT 1), 0)"
    }

    /// The statements that upgrade version 8 to 9.
    ///
    /// Spans with one id are distinguished by service and kind, and equal log records are kept. A record without a time
    /// has that of its arrival.
    ///
    /// A log record's `sent` is the sender's time if that is not `time`. Its `original` is the number of the first of
    /// several equal records of one request.
    static let additionsOfVersion9: [String] = [
        "DROP INDEX IF EXISTS spans_by_trace",
        "CREATE INDEX spans_by_trace ON spans (trace, span)",
        "ALTER TABLE logs ADD COLUMN sent INTEGER",
        "ALTER TABLE logs ADD COLUMN original INTEGER",
        "CREATE INDEX logs_by_original ON logs (original) WHERE original IS NOT NULL",
        "UPDATE logs SET time = \(arrival(of: "seq")), observed = \(arrival(of: "seq")), sent = 0 WHERE time = 0",
        """
        UPDATE traces SET first_start = \(arrival(of: "lead_seq")), last_end = max(last_end, \(arrival(of: "lead_seq")))
        WHERE first_start = \(never) AND spans > 0
        """,
    ]

    /// The statements that upgrade version 9 to 10: records grow old by a clock of their own, see `AgeClock`.
    ///
    /// If the clock was ever set back, or is behind the last arrival, all records count as arrived at the newest time,
    /// so that none of them goes too early.
    static let additionsOfVersion10: [String] = [
        "ALTER TABLE arrivals RENAME TO arrivals_by_minute",
        "DROP INDEX IF EXISTS arrivals_by_seq",
        """
        CREATE TABLE arrivals (last_seq INTEGER PRIMARY KEY, minute INTEGER NOT NULL, age INTEGER NOT NULL)
        """,
        """
        INSERT OR REPLACE INTO arrivals SELECT last_seq, minute,
            CASE WHEN max(minute) OVER () <= CAST(strftime('%s', 'now') AS INTEGER) / 60
                AND NOT EXISTS (SELECT 1 FROM (
                    SELECT minute, lag(minute) OVER (ORDER BY last_seq) AS earlier FROM arrivals_by_minute)
                    WHERE earlier > minute)
                THEN minute ELSE max(minute) OVER () END
        FROM arrivals_by_minute
        """,
        "DROP TABLE arrivals_by_minute",
    ]

    /// The statements that upgrade version 10 to 11: why the flight recorder sent records of a session.
    static let additionsOfVersion11: [String] = [
        """
        CREATE TABLE session_triggers (
            session INTEGER NOT NULL, name TEXT NOT NULL, first_time INTEGER NOT NULL,
            PRIMARY KEY (session, name)) WITHOUT ROWID
        """
    ]

    /// The statements that create version 1.
    static let statements: [String] = [
        """
        CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID
        """,
        """
        CREATE TABLE arrivals (minute INTEGER PRIMARY KEY, last_seq INTEGER NOT NULL)
        """,
        """
        CREATE TABLE resources (
            id INTEGER PRIMARY KEY, hash_high INTEGER NOT NULL, hash_low INTEGER NOT NULL, service TEXT NOT NULL,
            lane INTEGER NOT NULL, attributes TEXT NOT NULL, spans INTEGER NOT NULL DEFAULT 0,
            logs INTEGER NOT NULL DEFAULT 0, points INTEGER NOT NULL DEFAULT 0, last_seq INTEGER NOT NULL,
            UNIQUE (hash_high, hash_low))
        """,
        """
        CREATE TABLE scopes (
            id INTEGER PRIMARY KEY, hash_high INTEGER NOT NULL, hash_low INTEGER NOT NULL, name TEXT NOT NULL,
            version TEXT NOT NULL, attributes TEXT NOT NULL, last_seq INTEGER NOT NULL, UNIQUE (hash_high, hash_low))
        """,
        """
        CREATE TABLE traces (
            id INTEGER PRIMARY KEY, high INTEGER NOT NULL, low INTEGER NOT NULL, first_start INTEGER NOT NULL,
            last_end INTEGER NOT NULL, spans INTEGER NOT NULL, logs INTEGER NOT NULL, errors INTEGER NOT NULL,
            lead_rank INTEGER NOT NULL, lead_start INTEGER NOT NULL, lead_span INTEGER NOT NULL,
            lead_seq INTEGER NOT NULL, unclaimed_spans INTEGER NOT NULL, unclaimed_events INTEGER NOT NULL,
            unclaimed_errors INTEGER NOT NULL, unclaimed_crashes INTEGER NOT NULL, last_seq INTEGER NOT NULL,
            UNIQUE (high, low))
        """,
        "CREATE INDEX traces_by_start ON traces (first_start, id)",
        """
        CREATE TABLE spans (
            seq INTEGER PRIMARY KEY, trace INTEGER NOT NULL, span INTEGER NOT NULL, parent INTEGER NOT NULL,
            session INTEGER NOT NULL, resource INTEGER NOT NULL, scope INTEGER NOT NULL, kind INTEGER NOT NULL,
            category INTEGER NOT NULL, status INTEGER NOT NULL, start INTEGER NOT NULL, duration INTEGER NOT NULL,
            name TEXT NOT NULL, attributes TEXT, more TEXT)
        """,
        "CREATE UNIQUE INDEX spans_by_trace ON spans (trace, span)",
        """
        CREATE TABLE logs (
            seq INTEGER PRIMARY KEY, uid_high INTEGER NOT NULL, uid_low INTEGER NOT NULL, trace INTEGER NOT NULL,
            span INTEGER NOT NULL, session INTEGER NOT NULL, resource INTEGER NOT NULL, scope INTEGER NOT NULL,
            category INTEGER NOT NULL, severity INTEGER NOT NULL, time INTEGER NOT NULL, name TEXT NOT NULL,
            body TEXT, attributes TEXT)
        """,
        "CREATE UNIQUE INDEX logs_by_uid ON logs (uid_high, uid_low)",
        "CREATE INDEX logs_by_session ON logs (session) WHERE session <> 0",
        "CREATE INDEX logs_by_trace ON logs (trace) WHERE trace <> 0",
        """
        CREATE TABLE series (
            id INTEGER PRIMARY KEY, hash_high INTEGER NOT NULL, hash_low INTEGER NOT NULL, name TEXT NOT NULL,
            description TEXT NOT NULL, unit TEXT NOT NULL, kind INTEGER NOT NULL, temporality INTEGER NOT NULL,
            monotonic INTEGER NOT NULL, resource INTEGER NOT NULL, scope INTEGER NOT NULL, session INTEGER NOT NULL,
            attributes TEXT, last_seq INTEGER NOT NULL, UNIQUE (hash_high, hash_low))
        """,
        "CREATE INDEX series_by_name ON series (name)",
        """
        CREATE TABLE points (
            seq INTEGER PRIMARY KEY, series INTEGER NOT NULL, time INTEGER NOT NULL, start INTEGER NOT NULL,
            value REAL, count INTEGER, histogram TEXT)
        """,
        "CREATE UNIQUE INDEX points_by_series ON points (series, time)",
        """
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, first_any INTEGER NOT NULL, last_any INTEGER NOT NULL,
            first_device INTEGER NOT NULL, last_device INTEGER NOT NULL, spans INTEGER NOT NULL,
            events INTEGER NOT NULL, errors INTEGER NOT NULL, crashes INTEGER NOT NULL, points INTEGER NOT NULL,
            requests INTEGER NOT NULL, failed_requests INTEGER NOT NULL, device_requests INTEGER NOT NULL,
            device_failed_requests INTEGER NOT NULL, traces INTEGER NOT NULL, resource INTEGER NOT NULL,
            resource_rank INTEGER NOT NULL, resource_time INTEGER NOT NULL, resource_tie INTEGER NOT NULL,
            last_seq INTEGER NOT NULL,
            started INTEGER AS (CASE WHEN first_device < \(never) THEN first_device ELSE first_any END))
        """,
        "CREATE INDEX sessions_by_start ON sessions (started, id)",
        """
        CREATE TABLE session_traces (
            trace INTEGER NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (trace, session)) WITHOUT ROWID
        """,
        "CREATE INDEX session_traces_by_session ON session_traces (session, trace)",
        """
        CREATE TABLE session_screens (
            session INTEGER NOT NULL, name TEXT NOT NULL, first_time INTEGER NOT NULL,
            PRIMARY KEY (session, name)) WITHOUT ROWID
        """,
        """
        CREATE TABLE session_activity (
            session INTEGER NOT NULL, bucket INTEGER NOT NULL, records INTEGER NOT NULL, errors INTEGER NOT NULL,
            PRIMARY KEY (session, bucket)) WITHOUT ROWID
        """,
    ]
}
