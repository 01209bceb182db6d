import AstrolabeTelemetryModel

/// Reads log records from ``OTelTable/logs``, each with its resource.
enum LogTableRows {
    static let columns = OTelTable.logs.columns.map { "`\($0.name)`" }.joined(separator: ", ")

    static func select(where condition: String, order: String = "Timestamp", limit: Int) -> String {
        """
        SELECT \(columns) FROM \(OTelTable.logs.rawValue) WHERE \(condition) ORDER BY \(order) LIMIT \(limit)
        """
    }

    @Sendable static func group(_ reader: inout RowBinaryReader) throws -> ResourceGroup<LogRecordData> {
        let time = UInt64(clamping: try reader.integer(Int64.self))
        let trace = TraceID(hex: try reader.string()) ?? .invalid
        let span = SpanID(hex: try reader.string()) ?? .invalid
        let flags = TraceFlags(rawValue: try reader.integer())
        let severityText = try reader.string()
        let severity = Int32(try reader.integer(UInt8.self))
        _ = try reader.string()
        let body = try reader.string()
        let schema = try reader.string()
        let resource = Resource(attributes: try reader.attributes())
        let scopeSchema = try reader.string()
        let name = try reader.string()
        let version = try reader.string()
        let scope = InstrumentationScope(name: name, version: version, attributes: try reader.attributes())
        let attributes = try reader.attributes()
        var eventName = try reader.string()
        // An older exporter has the name of an event among the attributes.
        if eventName.isEmpty { eventName = attributes["event.name"]?.stringValue ?? "" }
        let data = LogRecordData(
            timeUnixNano: time, observedTimeUnixNano: time, severityNumber: severity, severityText: severityText,
            eventName: eventName, body: body.isEmpty ? .empty : .string(body), attributes: attributes, flags: flags,
            traceID: trace, spanID: span)
        return ResourceGroup(
            resource: resource, schemaURL: schema,
            scopes: [ScopeGroup(scope: scope, schemaURL: scopeSchema, records: [data])])
    }
}
