import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

extension QueryRecord {
    /// A row of the dataset `spans`, without the fields of its resource and scope.
    init(_ span: SpanRecord, session: String?) {
        var fields = Self.fields(span.attributesText, of: .spans, session: session)
        fields["name"] = .string(span.name)
        fields["duration"] = .int(Int64(clamping: span.durationNano))
        fields["status"] = .string(span.status.name)
        fields["kind"] = span.kind.map { .string($0.name) } ?? .missing
        fields["trace.id"] = .string(span.traceID.hex)
        fields["span.id"] = .string(span.spanID.hex)
        fields["parent.id"] = span.parentSpanID.isValid ? .string(span.parentSpanID.hex) : .missing
        var weight = 1.0
        let isKeptByError = fields["astrolabe.sampling.kept_by"] == .string("error")
        if isKeptByError || !span.detailsText.isEmpty {
            let details = JSONText.attributes(in: span.detailsText) ?? [:]
            weight = AdjustedCount.of(
                traceState: details["state"]?.stringValue ?? "", isKeptByError: isKeptByError, )
        }
        self.init(time: Int64(clamping: span.startUnixNano), adjustedCount: weight, fields: fields)
    }

    /// A row of the dataset `events`, without the fields of its resource and scope.
    init(_ event: EventRecord, session: String?) {
        var fields = Self.fields(event.attributesText, of: .events, session: session)
        fields["name"] = event.name.isEmpty ? .missing : .string(event.name)
        fields["severity"] = event.severity == 0 ? .missing : .int(Int64(event.severity))
        fields["body"] = JSONText.value(in: event.bodyText).map { QueryValue($0) } ?? .missing
        fields["trace.id"] = event.traceID.isValid ? .string(event.traceID.hex) : .missing
        fields["span.id"] = event.spanID.isValid ? .string(event.spanID.hex) : .missing
        self.init(time: Int64(clamping: event.timeUnixNano), fields: fields)
    }

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

    /// Returns the attributes of a record as fields, beside others.
    static func fields(
        _ attributes: String, of dataset: Dataset, session: String?, origin: [String: QueryValue] = [:],
    ) -> [String: QueryValue] {
        var fields = origin
        // Few records have more fields, for which it would grow.
        fields.reserveCapacity(origin.count + 24)
        for attribute in JSONText.attributes(in: attributes) ?? [:] {
            fields[FieldNames.column(ofAttribute: attribute.key, in: dataset)] = QueryValue(attribute.value)
        }
        if let session { fields["session.id"] = .string(session) }
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
