import AstrolabeSemantics
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
                    + "StatusCode IN ('Ok', 'STATUS_CODE_OK'), 'ok', 'unset')", type: .text, ),
            "kind": SQLValue(
                sql: "nullIf(nullIf(lower(replaceOne(CAST(SpanKind AS String), 'SPAN_KIND_', '')), ''), 'unspecified')",
                type: .text, ),
            "trace.id": SQLValue(sql: "nullIf(TraceId, '')", type: .text),
            "span.id": SQLValue(sql: "nullIf(SpanId, '')", type: .text),
            "parent.id": SQLValue(sql: "nullIf(ParentSpanId, '')", type: .text),
        ],
        attributes: "SpanAttributes", scope: .nameAndVersion, )

    /// The frames of replays are stored as log records, but are none of what happened.
    static let isEvent = "EventName != '\(EventName.replay)'"

    static let events = RecordSource(
        dataset: .events,
        table: { "(SELECT * FROM \(OTelTable.logs.rawValue) WHERE \($0) AND \(isEvent))" },
        time: "toUnixTimestamp64Nano(Timestamp)",
        fields: [
            "name": SQLValue(
                sql: "nullIf(if(EventName = '', LogAttributes['event.name'], EventName), '')", type: .text, ),
            "severity": SQLValue(sql: "nullIf(toInt64(SeverityNumber), 0)", type: .int),
            "body": SQLValue(sql: "nullIf(Body, '')", type: .text, isOfAnyType: true),
            "trace.id": SQLValue(sql: "nullIf(TraceId, '')", type: .text),
            "span.id": SQLValue(sql: "nullIf(SpanId, '')", type: .text),
        ],
        attributes: "LogAttributes", scope: .all, )

    /// `AdjustedCount` in SQL.
    private static let adjustedCount = """
        if(match(\(threshold), '^[0-9a-f]{1,14}$'), 72057594037927936. / toFloat64(72057594037927936 \
        - reinterpretAsUInt64(reverse(unhex(rightPad(\(threshold), 14, '0'))))), \
        if(SpanAttributes['astrolabe.sampling.kept_by'] = 'error', 0., 1.))
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
            isOfAnyType: parts.contains(where: \.isOfAnyType), )
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
            sql: "if(mapContains(\(map), \(bound)), \(map)[\(bound)], NULL)", type: .text, isOfAnyType: true, )
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
