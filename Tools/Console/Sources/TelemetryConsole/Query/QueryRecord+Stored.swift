import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

extension ListedRecord {
    /// A row of the dataset `spans`, without the fields of its resource and scope.
    init(_ span: SpanRecord, session: String?, arrived: Int64?, names: inout ColumnNames) {
        let attributes = JSONText.attributes(in: span.attributesText) ?? [:]
        var fields = Self.list(atLeast: attributes.count + 10)
        fields.append(("name", .string(span.name)))
        fields.append(("duration", .int(Int64(clamping: span.durationNano))))
        fields.append(("status", .string(span.status.name)))
        if let kind = span.kind { fields.append(("kind", .string(kind.name))) }
        fields.append(("trace.id", .string(span.traceID.hex)))
        fields.append(("span.id", .string(span.spanID.hex)))
        if span.parentSpanID.isValid { fields.append(("parent.id", .string(span.parentSpanID.hex))) }
        let end = Int64(clamping: span.startUnixNano).clampedSum(Int64(clamping: span.durationNano))
        QueryRecord.addArrival(arrived, after: end) { fields.append(($0, $1)) }
        Self.append(attributes, session: session, named: &names, to: &fields)
        var weight = 1.0
        // The second is of versions before the flight recorder.
        let isKept =
            attributes["astrolabe.recorder.trigger"] != nil
            || attributes["astrolabe.sampling.kept_by"]?.stringValue == "error"
        if isKept || !span.detailsText.isEmpty {
            let details = JSONText.attributes(in: span.detailsText) ?? [:]
            weight = AdjustedCount.of(
                traceState: details["state"]?.stringValue ?? "", isKept: isKept)
        }
        self.init(time: Int64(clamping: span.startUnixNano), adjustedCount: weight, fields: fields)
    }

    /// A row of the dataset `events`, without the fields of its resource and scope.
    init(_ event: EventRecord, session: String?, arrived: Int64?, names: inout ColumnNames) {
        let attributes = JSONText.attributes(in: event.attributesText) ?? [:]
        var fields = Self.list(atLeast: attributes.count + 8)
        if !event.name.isEmpty { fields.append(("name", .string(event.name))) }
        if event.severity != 0 { fields.append(("severity", .int(Int64(event.severity)))) }
        if let body = JSONText.value(in: event.bodyText) { fields.append(("body", QueryValue(body))) }
        if event.traceID.isValid { fields.append(("trace.id", .string(event.traceID.hex))) }
        if event.spanID.isValid { fields.append(("span.id", .string(event.spanID.hex))) }
        QueryRecord.addArrival(arrived, after: Int64(clamping: event.timeUnixNano)) { fields.append(($0, $1)) }
        Self.append(attributes, session: session, named: &names, to: &fields)
        self.init(time: Int64(clamping: event.timeUnixNano), fields: fields)
    }

    /// A row of the dataset `metrics`: one point, without the fields of its resource and scope.
    init(_ point: StoredPoint, session: String?, arrived: Int64?, names: inout ColumnNames) {
        let attributes = JSONText.attributes(in: point.attributesText) ?? [:]
        var fields = Self.list(atLeast: attributes.count + 13)
        fields.append(("name", .string(point.name)))
        if !point.unit.isEmpty { fields.append(("unit", .string(point.unit))) }
        fields.append(("kind", .string(point.kind.name)))
        let numbers: [(name: String, number: Double?)] = [
            ("value", point.value), ("count", point.count), ("sum", point.sum), ("min", point.min), ("max", point.max),
            ("p50", point.median), ("p95", point.p95),
        ]
        for (name, number) in numbers {
            if let number { fields.append((name, .double(number))) }
        }
        QueryRecord.addArrival(arrived, after: point.timeUnixNano) { fields.append(($0, $1)) }
        Self.append(attributes, session: session, named: &names, to: &fields)
        self.init(time: point.timeUnixNano, fields: fields)
    }

    private static func list(atLeast count: Int) -> [Field] {
        var fields: [Field] = []
        fields.reserveCapacity(count)
        return fields
    }

    /// Appends the record's session, and its attributes with the names of their columns.
    private static func append(
        _ attributes: Attributes, session: String?, named names: inout ColumnNames, to fields: inout [Field],
    ) {
        if let session { fields.append(("session.id", .string(session))) }
        for attribute in attributes {
            fields.append((names.column(ofAttribute: attribute.key), QueryValue(attribute.value)))
        }
    }
}

extension QueryRecord {
    /// Returns the attributes of a resource as fields.
    static func resourceFields(_ origin: Origin) -> [String: QueryValue] {
        var fields: [String: QueryValue] = [:]
        for attribute in origin.attributes { fields["resource." + attribute.key] = QueryValue(attribute.value) }
        fields["resource.service.name"] = .string(origin.service)
        return fields
    }

    /// Returns the name, version and attributes of a scope as fields.
    static func scopeFields(_ scope: Scope) -> [String: QueryValue] {
        var fields: [String: QueryValue] = [:]
        if !scope.name.isEmpty { fields["scope.name"] = .string(scope.name) }
        if !scope.version.isEmpty { fields["scope.version"] = .string(scope.version) }
        for attribute in JSONText.attributes(in: scope.attributesText) ?? [:] {
            fields[FieldNames.column(ofScopeAttribute: attribute.key)] = QueryValue(attribute.value)
        }
        return fields
    }
}

extension QueryValue {
    /// Arrays, maps and bytes are JSON text.
    init(_ value: AttributeValue) {
        switch value {
        case .empty: self = .missing
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array, .map, .bytes:
            var text = JSONText()
            text.append(value)
            self = .string(text.string)
        }
    }
}

extension SpanRecord.StatusCode {
    fileprivate var name: String {
        switch self {
        case .unset: "unset"
        case .ok: "ok"
        case .error: "error"
        }
    }
}

extension SpanKind {
    fileprivate var name: String {
        switch self {
        case .internal: "internal"
        case .server: "server"
        case .client: "client"
        case .producer: "producer"
        case .consumer: "consumer"
        }
    }
}
