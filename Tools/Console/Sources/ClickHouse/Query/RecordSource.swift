import AstrolabeSemantics
import ConsoleModel
import TelemetryQuery

/// The source of a dataset's records: a table, and the columns that have its fields.
struct RecordSource: Sendable {
    let dataset: Dataset
    /// Returns a table, or a statement in parentheses over the records whose `Timestamp` fulfils a condition.
    var table: @Sendable (_ near: String) -> String
    /// SQL of nanoseconds since 1970.
    var time: String
    /// SQL of the number of records that one stands for.
    var weight = "1."
    /// The fields that are no attributes, and attributes that the table has in columns. Those of scopes are not here.
    var fields: [String: SQLValue]
    /// The column with the attributes of the record; `nil` if it has none but those of its resource.
    var attributes: String?
    var scope = ScopeColumns.none
    /// True if a record is computed from others, which may be up to one day before or after the window.
    var needsMargin = false

    /// The facts about scopes that a table has.
    enum ScopeColumns {
        case none
        case nameAndVersion
        case all
    }

    /// All values that the table has in columns.
    var columns: [String: SQLValue] { scope == .none ? fields : fields.merging(Self.ofScopes) { own, _ in own } }

    private static let ofScopes = [
        "scope.name": SQLValue(sql: "nullIf(CAST(ScopeName AS String), '')", type: .text),
        "scope.version": SQLValue(sql: "nullIf(CAST(ScopeVersion AS String), '')", type: .text),
    ]

    static let spans = RecordSource(
        dataset: .spans,
        table: { "(SELECT * FROM \(OTelTable.traces.rawValue) WHERE \($0))" }, time: "toUnixTimestamp64Nano(Timestamp)",
        weight: adjustedCount,
        fields: [
            "name": SQLValue(sql: "CAST(SpanName AS String)", type: .text),
            "duration": SQLValue(sql: "toInt64(least(Duration, 9223372036854775807))", type: .int),
            "status": SQLValue(
                sql: "multiIf(StatusCode IN ('Error', 'STATUS_CODE_ERROR'), 'error', "
                    + "StatusCode IN ('Ok', 'STATUS_CODE_OK'), 'ok', 'unset')", type: .text),
            "kind": SQLValue(
                sql: "nullIf(nullIf(lower(replaceOne(CAST(SpanKind AS String), 'SPAN_KIND_', '')), ''), 'unspecified')",
                type: .text),
            "trace.id": SQLValue(sql: "nullIf(TraceId, '')", type: .text),
            "span.id": SQLValue(sql: "nullIf(SpanId, '')", type: .text),
            "parent.id": SQLValue(sql: "nullIf(ParentSpanId, '')", type: .text),
        ],
        attributes: "SpanAttributes", scope: .nameAndVersion)

    /// The frames of replays are stored as log records, but are none of what happened.
    static let isEvent = "EventName != '\(EventName.replay)'"

    static let events = RecordSource(
        dataset: .events,
        table: { "(SELECT * FROM \(OTelTable.logs.rawValue) WHERE \($0) AND \(isEvent))" },
        time: "toUnixTimestamp64Nano(Timestamp)",
        fields: [
            "name": SQLValue(
                sql: "nullIf(if(EventName = '', LogAttributes['event.name'], EventName), '')", type: .text),
            "severity": SQLValue(sql: "nullIf(toInt64(SeverityNumber), 0)", type: .int),
            "body": SQLValue(sql: "nullIf(Body, '')", type: .text, isOfAnyType: true),
            "trace.id": SQLValue(sql: "nullIf(TraceId, '')", type: .text),
            "span.id": SQLValue(sql: "nullIf(SpanId, '')", type: .text),
        ],
        attributes: "LogAttributes", scope: .all)

    /// `AdjustedCount` in SQL.
    private static let adjustedCount = """
        if(match(\(threshold), '^[0-9a-f]{1,14}$'), 72057594037927936. / toFloat64(72057594037927936 \
        - reinterpretAsUInt64(reverse(unhex(rightPad(\(threshold), 14, '0'))))), \
        if(SpanAttributes['astrolabe.recorder.trigger'] != '' \
        or SpanAttributes['astrolabe.sampling.kept_by'] = 'error', 0., 1.))
        """

    private static let threshold =
        #"trimRight(extract(TraceState, '(?:^|,)[ \t]*ot=(?:[^,;]*;)*?th:([^;,]*)'))"#

    /// Returns the value of a field that is of no related record, under any of the names that may hold it.
    ///
    /// - Throws: `QueryError` for an attribute that the table does not have.
    func value(of name: String, in statement: inout Statement) throws(QueryError) -> SQLValue {
        switch name {
        case "time": return SQLValue(sql: time, type: .int)
        // A record that stands for itself does not have the field.
        case "adjusted_count": return SQLValue(sql: "nullIf(\(weight), 1.)", type: .double)
        case FieldNames.arrived, FieldNames.delay:
            throw QueryError("The ClickHouse store does not keep when records arrived, so it has no \(name).")
        default: break
        }
        let own = columns[name]
        if dataset.ownFields.contains(name) { return own ?? .missing }
        if let own, name.hasPrefix(FieldNames.scopePrefix) { return own }
        var parts: [SQLValue] = []
        for column in FieldNames.columns(for: name, in: dataset) {
            let part = try attribute(column, in: &statement)
            if part.type != nil { parts.append(part) }
        }
        // The table may have an attribute in a column.
        if let own { parts.insert(own, at: 0) }
        guard parts.count > 1 else { return parts.first ?? .missing }
        if parts[0].type != .text { return parts[0] }
        return SQLValue(
            sql: "coalesce(\(parts.map(\.sql).joined(separator: ", ")))", type: .text,
            isOfAnyType: parts.contains(where: \.isOfAnyType))
    }

    private func attribute(_ column: String, in statement: inout Statement) throws(QueryError) -> SQLValue {
        if column == "resource.service.name" {
            return SQLValue(sql: "nullIf(CAST(ServiceName AS String), '')", type: .text)
        }
        let (place, key) = AttributePlace.of(column)
        guard let map = map(of: place) else {
            if place == .scope, scope == .nameAndVersion {
                throw QueryError(
                    "The ClickHouse store has no attributes of the scopes of spans, so it has no \(column).")
            }
            return .missing
        }
        let bound = statement.bind(key)
        return SQLValue(
            sql: "if(mapContains(\(map), \(bound)), \(map)[\(bound)], NULL)", type: .text, isOfAnyType: true)
    }

    /// The column with the attributes of a place; `nil` if the table has none.
    func map(of place: AttributePlace) -> String? {
        switch place {
        case .record: attributes
        case .resource: "ResourceAttributes"
        case .scope: scope == .all ? "ScopeAttributes" : nil
        }
    }
}

/// Of what an attribute is.
enum AttributePlace: CaseIterable {
    case record
    case resource
    case scope

    /// Returns the place and the key of the attribute in a column of the query engine: see ``FieldNames``.
    static func of(_ column: String) -> (place: AttributePlace, key: String) {
        if let key = FieldNames.rest(of: column, after: FieldNames.resourcePrefix) { return (.resource, key) }
        if let key = FieldNames.rest(of: column, after: FieldNames.scopePrefix) {
            return (.scope, FieldNames.rest(of: key, after: FieldNames.attributePrefix) ?? key)
        }
        return (.record, FieldNames.rest(of: column, after: FieldNames.attributePrefix) ?? column)
    }

    /// Returns the column of an attribute of a dataset's records.
    func column(of key: String, in dataset: Dataset) -> String {
        switch self {
        case .record: FieldNames.column(ofAttribute: key, in: dataset)
        case .resource: FieldNames.resourcePrefix + key
        case .scope: FieldNames.column(ofScopeAttribute: key)
        }
    }
}

extension RecordSource {
    /// Metric points: see `StoredPoint` for what each adds to its series.
    static let metrics: RecordSource = {
        func text(_ sql: String) -> SQLValue { SQLValue(sql: "nullIf(\(sql), '')", type: .text) }
        func number(_ sql: String) -> SQLValue { SQLValue(sql: "finite(\(sql))", type: .double) }
        var fields = ["name": text("MetricName"), "unit": text("MetricUnit"), "kind": text("pointKind")]
        for name in ["value", "count", "sum", "min", "max", "p50", "p95"] { fields[name] = number("of_\(name)") }
        return RecordSource(
            dataset: .metrics,
            table: { near in
                "(\(PointRows.tables.map { points($0.kind, $0.table, near) }.joined(separator: " UNION ALL ")))"
            },
            time: "toUnixTimestamp64Nano(Timestamp)", fields: fields, attributes: "Attributes", scope: .all,
            needsMargin: true)
    }()

    private static let missing = "CAST(NULL AS Nullable(Float64))"

    private static func points(_ kind: MetricKind, _ table: OTelTable, _ near: String) -> String {
        let rows = PointRows(table: table)
        var values = ["value", "count", "sum", "min", "max", "p50", "p95"].map { ($0, missing) }
        func set(_ name: String, _ sql: String) {
            values = values.map { $0.0 == name ? (name, "CAST(\(sql) AS Nullable(Float64))") : $0 }
        }
        var inner = "*, TimeUnix AS Timestamp"
        switch kind {
        case .gauge: set("value", "Value")
        case .sum:
            set("value", "increment")
            return select(kind, values, from: PointSQL.increments(of: rows, where: near, columns: inner))
        case .histogram, .exponentialHistogram:
            let run = PointSQL.run(rows)
            inner += ", \(rows.isCumulative) AS isCumulative, \(PointSQL.countsInFull) AS isFull"
            inner += ", \(PointSQL.before("toFloat64(Count)", run)) AS countBefore"
            inner += ", \(PointSQL.before("Sum", run)) AS sumBefore"
            inner += ", NOT isCumulative AND Count > 0 AND (Min != 0 OR Max != 0 OR Sum = 0) AS hasEnds"
            inner += ", \(kind == .histogram ? PointSQL.buckets : PointSQL.exponentialBuckets) AS buckets"
            // The first point of a run counts in full, or is where counting begins.
            let count = "toFloat64(Count)"
            set("count", "\(count) - if(isCumulative, ifNull(countBefore, if(isFull, 0., \(count))), 0.)")
            set("sum", "Sum - if(isCumulative, ifNull(sumBefore, if(isFull, 0., Sum)), 0.)")
            set("min", "if(hasEnds, Min, NULL)")
            set("max", "if(hasEnds, Max, NULL)")
            for (name, share) in [("p50", 0.5), ("p95", 0.95)] {
                let value = "bucket_quantile(buckets.1, buckets.2, buckets.3, \(share))"
                let clamped = "if(hasEnds, greatest(least(\(value), Max), Min), \(value))"
                set(name, "if(isCumulative OR empty(buckets.3), NULL, finite(\(clamped)))")
            }
        case .summary:
            set("count", "Count")
            set("sum", "Sum")
            for (name, share) in [("p50", 0.5), ("p95", 0.95)] {
                let index = "indexOf(`ValueAtQuantiles.Quantile`, \(share))"
                set(name, "if(\(index) = 0, NULL, `ValueAtQuantiles.Value`[\(index)])")
            }
        }
        return select(kind, values, from: "SELECT \(inner) FROM \(table.rawValue) WHERE \(near)")
    }

    private static func select(_ kind: MetricKind, _ values: [(String, String)], from points: String) -> String {
        """
        SELECT Timestamp, MetricName, MetricUnit, '\(kind.name)' AS pointKind, Attributes, ResourceAttributes, \
        ServiceName, ScopeName, ScopeVersion, ScopeAttributes, \
        \(values.map { "\($0.1) AS of_\($0.0)" }.joined(separator: ", ")) FROM (\(points))
        """
    }
}

extension RecordSource {
    /// SQL of the session that a span or log record names, or an empty text.
    static func session(attributes: String) -> String {
        let key = AttributeKey.sessionID
        return "if(\(attributes)['\(key)'] != '', \(attributes)['\(key)'], ResourceAttributes['\(key)'])"
    }

    /// SQL of whether a resource is that of a device: see ``OriginSide``.
    static let isDevice: String = {
        let keys = [
            AttributeKey.deviceModelIdentifier, AttributeKey.deviceModelName, AttributeKey.deviceManufacturer,
            AttributeKey.appInstallationID,
        ]
        let systems = OriginSide.mobileSystems.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let tests =
            keys.map { "mapContains(ResourceAttributes, '\($0)')" }
            + ["lower(ResourceAttributes['\(AttributeKey.osName)']) IN (\(systems))"]
        return "(\(tests.joined(separator: " OR ")))"
    }()

    private static let failed = "StatusCode IN ('Error', 'STATUS_CODE_ERROR')"

    /// Sessions, computed when a query runs as the embedded store keeps them.
    ///
    /// A record that names no session, such as a backend's, belongs to every session of its trace. It is counted, but
    /// tells nothing of the session's time, device, screens and requests.
    ///
    /// - Parameter milestones: The names of the records that a session is judged by.
    static func sessions(_ milestones: ConversionEvents, in statement: inout Statement) -> RecordSource {
        let facts = facts(milestones, in: &statement).joined(separator: ", ")
        func fact(_ sql: String, _ type: SQLValue.ValueType) -> SQLValue { SQLValue(sql: sql, type: type) }
        return RecordSource(
            dataset: .sessions,
            table: { near in "(SELECT session, \(facts) FROM (\(members(near))) GROUP BY session)" },
            time: "start",
            fields: [
                "session.id": fact("session", .text),
                "device.id": fact("nullIf(ResourceAttributes['\(AttributeKey.appInstallationID)'], '')", .text),
                "start": fact("start", .int), "duration": fact("greatest(end - start, 0)", .int),
                "crashed": fact("crashes > 0", .bool), "crashes": fact("toInt64(crashes)", .int),
                "hung": fact("hangs > 0", .bool), "hangs": fact("toInt64(hangs)", .int),
                "requests": fact("toInt64(requests)", .int),
                "failed_requests": fact("toInt64(failed_requests)", .int),
                "errors": fact("toInt64(errors)", .int), "spans": fact("toInt64(spans)", .int),
                "events": fact("toInt64(events)", .int), "screens": fact("toInt64(screens)", .int),
                "converted": fact("converted", .bool), "abandoned": fact("abandoned", .bool),
                "order_value": fact("order_value", .double),
                "promoted": fact("notEmpty(triggers)", .bool),
                "trigger": fact("nullIf(first_trigger, '')", .text),
            ],
            needsMargin: true)
    }

    /// SQL of the facts about one session, from its ``members(_:)``.
    private static func facts(_ milestones: ConversionEvents, in statement: inout Statement) -> [String] {
        let conversions = milestones.conversions.map { statement.bind($0) }.joined(separator: ", ")
        let checkouts = milestones.checkouts.map { statement.bind($0) }.joined(separator: ", ")
        let amounts =
            milestones.amounts.map { SQLValue.number(inText: "attributes[\(statement.bind($0))]") }
            + ["CAST(NULL AS Nullable(Float64))"]
        let amount = "coalesce(\(amounts.joined(separator: ", ")))"
        let screen = "attributes['\(AttributeKey.appScreenName)']"
        let httpStatus =
            "toInt64OrZero(coalesce("
            + [AttributeKey.httpResponseStatusCode, AttributeKey.httpStatusCode]
            .map { "nullIf(attributes['\($0)'], '')" }.joined(separator: ", ") + ", ''))"
        let isConverted = "countIf(name IN (\(conversions))) > 0"
        let isCheckout = "countIf(name IN (\(checkouts)) OR (isOwn AND \(screen) IN (\(checkouts)))) > 0"
        let trigger = "attributes['\(AttributeKey.astrolabeRecorderTrigger)']"
        let isPromoted = "isOwn AND \(trigger) != '' AND name != '\(EventName.recorderPromotion)'"
        // Of the device's own records, or of all own ones if none is a device's.
        func own(_ function: String, _ arguments: String = "", where test: String = "true") -> String {
            func result(_ condition: String) -> String {
                "\(function)If(\(arguments.isEmpty ? "" : "\(arguments), ")\(test) AND \(condition))"
            }
            return "if(countIf(isOwn AND isDevice) > 0, \(result("isOwn AND isDevice")), \(result("isOwn")))"
        }
        return [
            "\(own("min", "began")) AS start", "\(own("max", "ended")) AS end",
            "countIf(name = '\(EventName.appCrash)' AND isEvent) AS crashes",
            "countIf(name = '\(EventName.hang)') AS hangs",
            "countIf(isError) AS errors", "countIf(isSpan) AS spans", "countIf(isEvent) AS events",
            "\(own("count", where: "isRequest")) AS requests",
            "\(own("count", where: "isRequest AND (hasFailed OR \(httpStatus) >= 400)")) AS failed_requests",
            "uniqExactIf(\(screen), isOwn AND \(screen) != '') AS screens",
            "\(isConverted) AS converted", "(\(isCheckout)) AND NOT (\(isConverted)) AS abandoned",
            "coalesce(sumIf(\(amount), isOwn AND name IN (\(conversions))), "
                + "sumIf(\(amount), NOT isOwn AND name IN (\(conversions)))) AS order_value",
            "groupUniqArrayIf(\(trigger), \(isPromoted)) AS triggers",
            "argMinIf(\(trigger), (began, \(trigger)), \(isPromoted)) AS first_trigger",
            "argMaxIf(resource, (isDevice, ended), isOwn) AS ResourceAttributes",
            "argMaxIf(service, (isDevice, ended), isOwn) AS ServiceName",
        ]
    }

    /// A statement of the spans, log records and replay frames of each session.
    private static func members(_ near: String) -> String {
        let spans = """
            SELECT \(session(attributes: "SpanAttributes")) AS own, TraceId AS trace, \
            toUnixTimestamp64Nano(Timestamp) AS began, began + toInt64(Duration) AS ended, \
            true AS isSpan, false AS isEvent, CAST(SpanName AS String) AS name, (\(failed)) AS hasFailed, \
            (\(isFailure(near))) AS isError, SpanAttributes AS attributes, (\(isRequest)) AS isRequest, \
            ResourceAttributes AS resource, CAST(ServiceName AS String) AS service, \(isDevice) AS isDevice \
            FROM \(OTelTable.traces.rawValue) WHERE \(near)
            """
        let uncounted = "('\(EventName.appCrash)', '\(EventName.replay)')"
        let logs = """
            SELECT \(session(attributes: "LogAttributes")) AS own, TraceId AS trace, \
            toUnixTimestamp64Nano(Timestamp) AS began, began AS ended, \
            false AS isSpan, (\(isEvent)) AS isEvent, \
            if(EventName = '', LogAttributes['event.name'], EventName) AS name, false AS hasFailed, \
            (SeverityNumber >= 17 AND name NOT IN \(uncounted)) AS isError, LogAttributes AS attributes, \
            false AS isRequest, \
            ResourceAttributes AS resource, CAST(ServiceName AS String) AS service, \(isDevice) AS isDevice \
            FROM \(OTelTable.logs.rawValue) WHERE \(near) AND (own != '' OR \(isEvent))
            """
        let ofTraces = """
            SELECT TraceId AS key, groupUniqArray(session) AS sessions \
            FROM (\(RelatedSQL.sessionsInTraces(near))) GROUP BY key
            """
        return """
            SELECT *, arrayJoin(if(own = '', sessions, [own])) AS session, own != '' AS isOwn \
            FROM (\(spans) UNION ALL \(logs)) AS members LEFT ANY JOIN (\(ofTraces)) AS traces \
            ON members.trace = traces.key
            """
    }

    private static let isRequest: String = {
        let tests = [AttributeKey.httpRequestMethod, AttributeKey.httpMethod]
            .map { "mapContains(SpanAttributes, '\($0)')" }
        return "SpanKind IN ('Client', 'SPAN_KIND_CLIENT') AND (\(tests.joined(separator: " OR ")))"
    }()

    /// SQL of whether a span is a failure of its own. One with a child that failed reports the child's on the way up.
    private static func isFailure(_ near: String) -> String {
        """
        \(failed) AND (TraceId, SpanId) NOT IN (SELECT TraceId, ParentSpanId FROM \(OTelTable.traces.rawValue) \
        WHERE \(near) AND \(failed) AND ParentSpanId != SpanId)
        """
    }
}

extension RecordSource {
    /// Crashes and hangs that are assigned to issues.
    static let issues: RecordSource = {
        func text(_ sql: String) -> SQLValue { SQLValue(sql: "nullIf(toString(\(sql)), '')", type: .text) }
        func kind(_ name: (IssueKind) -> String) -> String {
            "if(Kind = \(IssueKind.crash.rawValue), '\(name(.crash))', '\(name(.hang))')"
        }
        func attribute(_ key: String) -> String { "nullIf(LogAttributes['\(key)'], '')" }
        return RecordSource(
            dataset: .issues,
            table: { "(SELECT * FROM \(IssueTable.rows) WHERE \($0))" }, time: "toUnixTimestamp64Nano(Timestamp)",
            fields: [
                "name": text(kind(\.eventName)), "kind": text(kind(\.name)),
                "type": SQLValue(
                    sql: "coalesce(\(attribute(AttributeKey.exceptionType)), "
                        + "\(attribute(AttributeKey.astrolabeCrashSignal)), \(kind(\.name)))", type: .text),
                "fingerprint": text("Fingerprint"), "title": SQLValue(sql: "toNullable(Title)", type: .text),
                "place": text("Place"), AttributeKey.serviceVersion: text("Version"),
                AttributeKey.appScreenName: text("Screen"), AttributeKey.sessionID: text("SessionId"),
                "duration": SQLValue(sql: "toInt64(Duration * 1e9)", type: .int), "trace.id": text("TraceId"),
                "device.id": text("Installation"),
            ],
            attributes: "LogAttributes")
    }()
}
