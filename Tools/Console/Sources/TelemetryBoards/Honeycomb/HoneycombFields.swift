import TelemetryQuery

/// The names that Honeycomb gives to the fields of OTLP records.
struct HoneycombFields {
    let dataset: Dataset
    /// The names that the query defines.
    var derived: Set<String> = []

    /// The durations of spans are milliseconds in Honeycomb and nanoseconds here.
    static let nanosecondsPerMillisecond = 1_000_000.0

    /// Returns the column of a field.
    ///
    /// - Throws: `HoneycombGap` if there is none.
    func column(_ name: String) throws(HoneycombGap) -> String {
        if derived.contains(name) { return name }
        // Honeycomb has the attributes of a record, its resource and its scope side by side.
        switch name {
        case "scope.name": return "library.name"
        case "scope.version": return "library.version"
        default: break
        }
        for prefix in [FieldNames.attributePrefix, FieldNames.resourcePrefix, FieldNames.scopePrefix] {
            if let key = FieldNames.rest(of: name, after: prefix) { return key }
        }
        if let (relation, field) = FieldNames.relation(of: name) {
            guard relation != .session else { return try sessionColumn(field) }
            return "\(relation.rawValue).\(try HoneycombFields(dataset: .spans).column(field))"
        }
        switch name {
        case "duration" where dataset == .spans: return "duration_ms"
        case "status": return "status_code"
        case "kind": return "span.kind"
        case "severity": return "severity_code"
        case "name": return dataset == .spans ? "name" : "event.name"
        case "trace.id": return "trace.trace_id"
        // The span of a log record is its parent in Honeycomb.
        case "span.id": return dataset == .spans ? "trace.span_id" : "trace.parent_id"
        case "parent.id": return "trace.parent_id"
        case "time", "adjusted_count", "value", "arrived", "delay":
            throw HoneycombGap(reason: "Honeycomb has no field \(name).")
        default: return FieldNames.current(name)
        }
    }

    /// Honeycomb has no sessions. An attribute of the device is on the device's own records, and on the first span of
    /// the traces that it began.
    private func sessionColumn(_ field: String) throws(HoneycombGap) -> String {
        guard field.contains(".") else {
            throw HoneycombGap(
                reason: "Honeycomb does not know the session of a record, so it has no session.\(field).")
        }
        let own = FieldNames.current(field)
        return dataset == .spans ? "root." + own : own
    }

    /// Returns true if a field is a number of nanoseconds here and of milliseconds there.
    func isDuration(_ name: String) -> Bool {
        let field = FieldNames.relation(of: name)?.field ?? name
        return field == "duration" && !derived.contains(name)
    }

    /// Returns the value that a literal has there if it is compared with the field.
    func value(_ literal: Literal, of name: String) throws(HoneycombGap) -> HoneycombValue {
        let field = FieldNames.relation(of: name)?.field ?? name
        if field == "status", case .string(let status) = literal.value {
            guard let code = ["unset", "ok", "error"].firstIndex(of: status) else {
                throw HoneycombGap(reason: "Expected the status unset, ok or error, found \(status).")
            }
            return .number(Double(code))
        }
        switch literal.value {
        case .string(let text): return .text(text)
        case .bool(let value): return .bool(value)
        default:
            guard let number = literal.value.number else {
                throw HoneycombGap(reason: "Honeycomb cannot compare with null.")
            }
            return .number(isDuration(name) ? number / Self.nanosecondsPerMillisecond : number)
        }
    }
}
