import AstrolabeSemantics
import TelemetryQuery

/// Where the records of a dataset are: a table, and the columns that have its fields.
struct RecordSource: Sendable {
    /// Returns a table, or a statement in parentheses over the records whose `Timestamp` fulfils a condition.
    var table: @Sendable (_ near: String) -> String
    /// SQL of nanoseconds since 1970.
    var time: String
    /// SQL of the number of records that one stands for.
    var weight = "1."
    /// The fields that are no attributes.
    var fields: [String: SQLValue]
    /// The column with the attributes of the record.
    var attributes: String
    /// Whether a record is computed from others, which may be up to one day before or after the window.
    var needsMargin = false

    static let spans = RecordSource(
        table: { "(SELECT * FROM \(OTelTable.traces.rawValue) WHERE \($0))" }, time: "toUnixTimestamp64Nano(Timestamp)",
        weight: adjustedCount,
        fields: [
            "name": SQLValue(sql: "CAST(SpanName AS String)", type: .text),
            "duration": SQLValue(sql: "toInt64(least(Duration, 9223372036854775807))", type: .int),
            "status": SQLValue(
                sql: "multiIf(StatusCode IN ('Error', 'STATUS_CODE_ERROR'), 'error', "
                    + "StatusCode IN ('Ok', 'STATUS_CODE_OK'), 'ok', 'unset')", type: .text, ),
            "kind": SQLValue(
                sql: "nullIf(nullIf(lower(replaceOne(CAST(SpanKind AS String), 'SPAN_KIND_', '')), ''), 'unspecified')",
                type: .text, ),
            "trace.id": SQLValue(sql: "nullIf(TraceId, '')", type: .text),
            "span.id": SQLValue(sql: "nullIf(SpanId, '')", type: .text),
            "parent.id": SQLValue(sql: "nullIf(ParentSpanId, '')", type: .text),
        ],
        attributes: "SpanAttributes", )

    /// The frames of replays are stored as log records, but are none of what happened.
    static let isEvent = "EventName != '\(EventName.replay)'"

    static let events = RecordSource(
        table: { "(SELECT * FROM \(OTelTable.logs.rawValue) WHERE \($0) AND \(isEvent))" },
        time: "toUnixTimestamp64Nano(Timestamp)",
        fields: [
            "name": SQLValue(
                sql: "nullIf(if(EventName = '', LogAttributes['event.name'], EventName), '')", type: .text, ),
            "severity": SQLValue(sql: "nullIf(toInt64(SeverityNumber), 0)", type: .int),
            "body": SQLValue(sql: "nullIf(Body, '')", type: .text),
            "trace.id": SQLValue(sql: "nullIf(TraceId, '')", type: .text),
            "span.id": SQLValue(sql: "nullIf(SpanId, '')", type: .text),
        ],
        attributes: "LogAttributes", )

    /// `AdjustedCount` in SQL.
    private static let adjustedCount = """
        if(match(\(threshold), '^[0-9a-f]{1,14}$'), 72057594037927936. / toFloat64(72057594037927936 \
        - reinterpretAsUInt64(reverse(unhex(rightPad(\(threshold), 14, '0'))))), \
        if(SpanAttributes['astrolabe.sampling.kept_by'] = 'error', 0., 1.))
        """

    private static let threshold =
        #"trimRight(extract(TraceState, '(?:^|,)[ \t]*ot=(?:[^,;]*;)*?th:([^;,]*)'))"#

    /// Returns the value of a field that is of no related record, under any of the names that may hold it.
    func value(of name: String, in statement: inout Statement) -> SQLValue {
        let columns = FieldNames.columns(for: name)
        if columns == [name], FieldNames.ofRecords.contains(name) {
            switch name {
            case "time": return SQLValue(sql: time, type: .int)
            // A record that stands for itself does not have the field.
            case "adjusted_count": return SQLValue(sql: "nullIf(\(weight), 1.)", type: .double)
            default: return fields[name] ?? .missing
            }
        }
        var parts: [SQLValue] = []
        for column in columns { parts.append(attribute(column, in: &statement)) }
        // A table of derived rows may have a field of any name.
        if let own = fields[name] { parts.insert(own, at: 0) }
        guard parts.count > 1 else { return parts.first ?? .missing }
        if parts[0].type != .text { return parts[0] }
        return SQLValue(sql: "coalesce(\(parts.map(\.sql).joined(separator: ", ")))", type: .text)
    }

    private func attribute(_ column: String, in statement: inout Statement) -> SQLValue {
        if column == "resource.service.name" {
            return SQLValue(sql: "nullIf(CAST(ServiceName AS String), '')", type: .text)
        }
        let isResource = column.hasPrefix("resource.")
        let map = isResource ? "ResourceAttributes" : attributes
        let key = statement.bind(isResource ? String(column.dropFirst(9)) : column)
        return SQLValue(sql: "if(mapContains(\(map), \(key)), \(map)[\(key)], NULL)", type: .text)
    }
}
