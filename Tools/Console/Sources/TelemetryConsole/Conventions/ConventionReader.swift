import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// Adds the console's names to what apps with other SDKs send.
///
/// What they sent stays: attributes are added, a log record keeps its name in an attribute, and spans are not changed.
/// Whether records are looked at is decided once for each resource: those of Astrolabe and of services are not.
enum ConventionReader {
    static func read(_ groups: [ResourceGroup<LogRecordData>]) -> [ResourceGroup<LogRecordData>] {
        read(groups) { group in
            for scope in group.scopes.indices {
                let name = group.scopes[scope].scope.name
                for index in group.scopes[scope].records.indices { read(&group.scopes[scope].records[index], name) }
            }
        }
    }

    /// Returns the groups, and the events that their spans mean.
    static func read(
        _ groups: [ResourceGroup<SpanData>]
    ) -> (spans: [ResourceGroup<SpanData>], events: [ResourceGroup<LogRecordData>]) {
        var events: [ResourceGroup<LogRecordData>] = []
        let spans = read(groups) { group in
            var scopes: [ScopeGroup<LogRecordData>] = []
            for scope in group.scopes.indices {
                var found: [LogRecordData] = []
                let instrumentation = group.scopes[scope].scope
                for index in group.scopes[scope].records.indices {
                    addRecordNames(to: &group.scopes[scope].records[index].attributes)
                    if let event = event(of: group.scopes[scope].records[index], instrumentation.name) {
                        found.append(event)
                    }
                }
                if !found.isEmpty { scopes.append(ScopeGroup(scope: instrumentation, records: found)) }
            }
            if !scopes.isEmpty {
                events.append(ResourceGroup(resource: group.resource, schemaURL: group.schemaURL, scopes: scopes))
            }
        }
        return (spans, events)
    }

    static func read(_ groups: [ResourceGroup<MetricData>]) -> [ResourceGroup<MetricData>] {
        read(groups) { _ in }
    }

    /// Adds names to the resources of apps with another SDK, and calls `change` with their groups.
    private static func read<Record>(
        _ groups: [ResourceGroup<Record>], _ change: (inout ResourceGroup<Record>) -> Void,
    ) -> [ResourceGroup<Record>] {
        var groups = groups
        for index in groups.indices where isForeignApp(groups[index].resource) {
            addResourceNames(to: &groups[index].resource)
            change(&groups[index])
        }
        return groups
    }

    /// Returns true if a resource is an app with another SDK.
    static func isForeignApp(_ resource: Resource) -> Bool {
        var isApp = false
        for element in resource.attributes {
            switch element.key {
            case AttributeKey.telemetrySDKName:
                if element.value.stringValue == "astrolabe" { return false }
            case AttributeKey.telemetrySDKLanguage:
                if let language = element.value.stringValue, appLanguages.contains(language) { isApp = true }
            case AttributeKey.deviceModelIdentifier, AttributeKey.deviceModelName, "device.id": isApp = true
            default: break
            }
        }
        return isApp
    }

    private static let appLanguages: Set<String> = ["webjs", "swift", "android"]

    // MARK: Attributes

    private static let aliases = Dictionary(
        ConventionTable.recordAttributes.map { ($0.foreign, $0) }, uniquingKeysWith: { first, _ in first })
    private static let names = Dictionary(grouping: ConventionTable.events) { $0.key + "\u{0}" + $0.value }
    private static let keys = Set(ConventionTable.events.map(\.key)).subtracting([""])

    private static func addResourceNames(to resource: inout Resource) {
        let isBrowser = resource.attributes[AttributeKey.telemetrySDKLanguage]?.stringValue == "webjs"
        for row in ConventionTable.resourceAttributes {
            if case .constant = row.transform, !isBrowser { continue }
            add(row, to: &resource.attributes)
        }
    }

    private static func addRecordNames(to attributes: inout Attributes) {
        for index in attributes.indices {
            if let row = aliases[attributes[index].key] { add(row, to: &attributes) }
        }
    }

    private static func add(_ row: ConventionTable.AttributeRow, to attributes: inout Attributes) {
        guard let value = attributes[row.foreign], attributes[row.canonical] == nil else { return }
        switch row.transform {
        case .none: attributes[row.canonical] = value
        case .constant(let value): attributes[row.canonical] = value
        case .path: attributes[row.canonical] = value.stringValue.map { .string(path(of: $0)) }
        }
    }

    static func path(of url: String) -> String {
        var rest = url[...]
        if let scheme = rest.range(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
        }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return path.isEmpty ? "/" : String(path)
    }

    // MARK: Events

    private static func row(
        _ signal: ConventionTable.EventRow.Signal, name: String, scope: String, severity: Int32,
        _ attributes: Attributes,
    ) -> ConventionTable.EventRow? {
        func find(_ key: String, _ value: String) -> ConventionTable.EventRow? {
            names[key + "\u{0}" + value]?.first { row in
                row.signal == signal && (row.scope == nil || row.scope == scope)
                    && (severity == 0 || severity >= row.severity)
            }
        }
        if !name.isEmpty, let row = find("", name) { return row }
        for element in attributes where keys.contains(element.key) {
            if let value = element.value.stringValue, let row = find(element.key, value) { return row }
        }
        return nil
    }

    private static func read(_ record: inout LogRecordData, _ scope: String) {
        addRecordNames(to: &record.attributes)
        // A record of an export has been read before.
        guard record.attributes[ConventionTable.marker] == nil else { return }
        let found = row(
            .log, name: record.eventName, scope: scope, severity: record.severityNumber, record.attributes)
        guard let found else { return }
        if let row = ConventionTable.eventAttributes[record.eventName] { add(row, to: &record.attributes) }
        apply(found, from: record.attributes, to: &record.attributes)
        if !record.eventName.isEmpty { record.attributes[ConventionTable.originalName] = .string(record.eventName) }
        record.eventName = found.event
    }

    private static func apply(
        _ row: ConventionTable.EventRow, from source: Attributes, to attributes: inout Attributes,
    ) {
        for copy in row.copies where attributes[copy.canonical] == nil {
            if let value = source[copy.foreign] { attributes[copy.canonical] = value }
        }
        for element in row.constants where attributes[element.key] == nil { attributes[element.key] = element.value }
        attributes[ConventionTable.marker] = .string(row.source)
    }

    /// Returns the event that a span means. A span that comes twice makes one event.
    private static func event(of span: SpanData, _ scope: String) -> LogRecordData? {
        guard let row = row(.span, name: span.name, scope: scope, severity: 0, span.attributes) else { return nil }
        var attributes = span.attributes
        apply(row, from: span.attributes, to: &attributes)
        attributes[ConventionTable.originalName] = .string(span.name)
        if let duration = row.duration { attributes[duration] = .double(Double(span.durationNano) / 1e9) }
        attributes[AttributeKey.logRecordUID] = .string("\(span.context.traceID.hex)-\(span.context.spanID.hex)")
        return LogRecordData(
            timeUnixNano: span.startTimeUnixNano, eventName: row.event, attributes: attributes,
            traceID: span.context.traceID, spanID: span.context.spanID)
    }
}
