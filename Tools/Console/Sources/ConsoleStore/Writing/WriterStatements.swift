import GRDB

/// The writer's prepared statements. Parameters are bound by position.
struct WriterStatements {
    let findResource: RawStatement
    let insertResource: RawStatement
    let touchResource: RawStatement
    let findScope: RawStatement
    let insertScope: RawStatement
    let touchScope: RawStatement
    let findSeries: RawStatement
    let insertSeries: RawStatement
    let touchSeries: RawStatement
    let findTrace: RawStatement
    let findTraceSessions: RawStatement
    let findUnclaimed: RawStatement
    let insertTrace: RawStatement
    let updateTrace: RawStatement
    let updateLead: RawStatement
    let insertTraceSession: RawStatement
    let findSession: RawStatement
    let insertSession: RawStatement
    let updateSession: RawStatement
    let updateOrigin: RawStatement
    let upsertScreen: RawStatement
    let upsertTrigger: RawStatement
    let upsertActivity: RawStatement
    let findSpan: RawStatement
    let insertSpan: RawStatement
    let countErrorChildren: RawStatement
    let findErrorSpan: RawStatement
    let findLog: RawStatement
    let insertLog: RawStatement
    let insertPoint: RawStatement
    let insertReplay: RawStatement
    let insertMilestone: RawStatement
    let insertArrival: RawStatement
    let moveArrival: RawStatement
    let findPhone: RawStatement
    let upsertPhone: RawStatement
    let insertPhoneHour: RawStatement
    let addPhoneArrivals: RawStatement
    let addPhoneDrops: RawStatement

    init(_ database: Database) throws {
        func prepare(_ sql: String) throws -> RawStatement { try RawStatement(database, sql) }

        findResource = try prepare("SELECT id FROM resources WHERE hash_high = ? AND hash_low = ?")
        insertResource = try prepare(
            """
            INSERT INTO resources (id, hash_high, hash_low, service, lane, attributes, last_seq, schema_url, dropped)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?1, ?7, ?8)
            """
        )
        touchResource = try prepare(
            """
            UPDATE resources SET spans = spans + ?2, logs = logs + ?3, points = points + ?4, last_seq = ?5,
                replays = replays + ?6
            WHERE id = ?1
            """
        )
        findScope = try prepare("SELECT id FROM scopes WHERE hash_high = ? AND hash_low = ?")
        insertScope = try prepare(
            """
            INSERT INTO scopes (id, hash_high, hash_low, name, version, attributes, last_seq, schema_url, dropped)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?1, ?7, ?8)
            """
        )
        touchScope = try prepare("UPDATE scopes SET last_seq = ?2 WHERE id = ?1")
        findSeries = try prepare("SELECT id FROM series WHERE hash_high = ? AND hash_low = ?")
        insertSeries = try prepare(
            """
            INSERT INTO series (id, hash_high, hash_low, name, description, unit, kind, temporality, monotonic,
                resource, scope, session, attributes, last_seq, metadata)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?1, ?14)
            """
        )
        touchSeries = try prepare("UPDATE series SET last_seq = ?2 WHERE id = ?1")
        findTrace = try prepare("SELECT id FROM traces WHERE high = ? AND low = ?")
        findTraceSessions = try prepare("SELECT session FROM session_traces WHERE trace = ?")
        findUnclaimed = try prepare(
            """
            SELECT unclaimed_spans, unclaimed_events, unclaimed_errors, unclaimed_crashes FROM traces WHERE id = ?
            """
        )
        insertTrace = try prepare(
            """
            INSERT INTO traces (id, first_start, last_end, spans, logs, errors, unclaimed_spans, unclaimed_events,
                unclaimed_errors, unclaimed_crashes, last_seq, lead_rank, lead_start, lead_span, lead_seq, high, low)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        updateTrace = try prepare(
            """
            UPDATE traces SET first_start = min(first_start, ?2), last_end = max(last_end, ?3), spans = spans + ?4,
                logs = logs + ?5, errors = errors + ?6, unclaimed_spans = unclaimed_spans + ?7,
                unclaimed_events = unclaimed_events + ?8, unclaimed_errors = unclaimed_errors + ?9,
                unclaimed_crashes = unclaimed_crashes + ?10, last_seq = ?11
            WHERE id = ?1
            """
        )
        updateLead = try prepare(
            """
            UPDATE traces SET lead_rank = ?2, lead_start = ?3, lead_span = ?4, lead_seq = ?5
            WHERE id = ?1 AND (?2, ?3, ?4) < (lead_rank, lead_start, lead_span)
            """
        )
        insertTraceSession = try prepare("INSERT OR IGNORE INTO session_traces (trace, session) VALUES (?, ?)")
        findSession = try prepare("SELECT id FROM sessions WHERE name = ?")
        insertSession = try prepare(
            """
            INSERT INTO sessions (id, first_any, last_any, first_device, last_device, spans, events, errors, crashes,
                points, requests, failed_requests, device_requests, device_failed_requests, traces, last_seq,
                resource_rank, resource_time, resource_tie, resource, name)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        updateSession = try prepare(
            """
            UPDATE sessions SET first_any = min(first_any, ?2), last_any = max(last_any, ?3),
                first_device = min(first_device, ?4), last_device = max(last_device, ?5), spans = spans + ?6,
                events = events + ?7, errors = errors + ?8, crashes = crashes + ?9, points = points + ?10,
                requests = requests + ?11, failed_requests = failed_requests + ?12,
                device_requests = device_requests + ?13, device_failed_requests = device_failed_requests + ?14,
                traces = traces + ?15, last_seq = ?16
            WHERE id = ?1
            """
        )
        updateOrigin = try prepare(
            """
            UPDATE sessions SET resource_rank = ?2, resource_time = ?3, resource_tie = ?4, resource = ?5
            WHERE id = ?1 AND (resource_rank, resource_time, resource_tie) < (?2, ?3, ?4)
            """
        )
        func upsertFirstTime(_ table: String) throws -> RawStatement {
            try prepare(
                """
                INSERT INTO \(table) (session, name, first_time) VALUES (?1, ?2, ?3)
                ON CONFLICT DO UPDATE SET first_time = min(first_time, ?3)
                """
            )
        }
        upsertScreen = try upsertFirstTime("session_screens")
        upsertTrigger = try upsertFirstTime("session_triggers")
        upsertActivity = try prepare(
            """
            INSERT INTO session_activity (session, bucket, records, errors) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET records = records + ?3, errors = errors + ?4
            """
        )
        // The parameters are those of the insertion, and 17 is whether the sender says when the span was.
        findSpan = try prepare(
            """
            SELECT parent = ?4 AND status = ?10 AND name = ?13 AND attributes IS ?14 AND flags = ?16
                AND (NOT ?17 OR (start = ?11 AND duration = ?12 AND more IS ?15))
            FROM spans s WHERE trace = ?2 AND span = ?3 AND kind = ?8 AND (resource = ?6
                OR (SELECT service FROM resources WHERE id = s.resource)
                    = (SELECT service FROM resources WHERE id = ?6))
            """
        )
        insertSpan = try prepare(
            """
            INSERT INTO spans (seq, trace, span, parent, session, resource, scope, kind, category, status,
                start, duration, name, attributes, more, flags)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        countErrorChildren = try prepare(
            "SELECT count(*) FROM spans WHERE trace = ?1 AND parent = ?2 AND span <> ?2 AND status = 2"
        )
        findErrorSpan = try prepare("SELECT session FROM spans WHERE trace = ? AND span = ? AND status = 2")
        findLog = try prepare("SELECT seq FROM logs WHERE uid_high = ? AND uid_low = ?")
        insertLog = try prepare(
            """
            INSERT OR IGNORE INTO logs (seq, uid_high, uid_low, trace, span, session, resource, scope, category,
                severity, time, name, body, attributes, observed, flags, severity_text, dropped, sent, original)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insertPoint = try prepare(
            """
            INSERT OR IGNORE INTO points (seq, series, time, start, value, count, histogram, integer, exemplars)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insertReplay = try prepare(
            """
            INSERT OR IGNORE INTO replays (seq, uid_high, uid_low, session, resource, scope, recording, sequence,
                is_key, time, frame, attributes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insertMilestone = try prepare(
            "INSERT INTO milestones (seq, kind, trace, session, amount) VALUES (?, ?, ?, ?, ?)")
        insertArrival = try prepare("INSERT OR REPLACE INTO arrivals (last_seq, minute, age) VALUES (?1, ?2, ?3)")
        moveArrival = try prepare(
            """
            UPDATE arrivals SET last_seq = ?1 WHERE last_seq = (SELECT max(last_seq) FROM arrivals)
                AND minute = ?2 AND age = ?3
            """
        )
        let phone = """
            first_report, last_report, received, ledger_time, created, delivered, pending, not_sent, lost, left_out,
            lost_before, baseline, held_from
            """
        findPhone = try prepare("SELECT \(phone) FROM phones WHERE id = ?")
        upsertPhone = try prepare(
            """
            INSERT OR REPLACE INTO phones (id, service, \(phone), last_seq)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insertPhoneHour = try prepare("INSERT OR IGNORE INTO phone_hours (hour, phone) VALUES (?, ?)")
        addPhoneArrivals = try prepare(
            """
            INSERT INTO phone_arrivals (service, slot, arrival, is_evidence, records) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET records = records + ?5
            """
        )
        addPhoneDrops = try prepare(
            """
            INSERT INTO phone_drops (service, slot, records) VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET records = records + ?3
            """
        )
    }
}
