/// Resolves the name of a field to the columns that may hold it.
///
/// A column has the name under which a query asks for it. So an attribute whose key means something else in a query is
/// in a column `attribute.…`: see ``column(ofAttribute:in:)``.
package enum FieldNames {
    package static let attributePrefix = "attribute."
    package static let resourcePrefix = "resource."
    package static let scopePrefix = "scope."
    /// The minute in which the console received a record, in nanoseconds since 1970.
    package static let arrived = "arrived"
    /// The nanoseconds from the end of a record to its arrival.
    package static let delay = "delay"

    /// The name of a service is that of the resource. A span may have an attribute of this key, as that of its peer.
    private static let service = "service.name"

    /// The fields of a session that are not attributes of its resource.
    package static let ofSessions = [
        "crashed", "crashes", "hung", "hangs", "errors", "failed_requests", "requests", "screens", "spans", "events",
        "converted", "abandoned", "order_value", "start", "duration", "promoted", "trigger",
    ]

    /// Returns the column of an attribute of a dataset's records.
    ///
    /// That is the key, or `attribute.` and the key. The prefix is there if the key alone is a field of the records, or
    /// asks for a related record, a resource or a scope.
    package static func column(ofAttribute key: String, in dataset: Dataset) -> String {
        isTaken(key, in: dataset) ? attributePrefix + key : key
    }

    /// Returns the name with `attribute.` of what a column holds, or `nil` if it is no attribute of a record.
    static func attributeName(ofColumn column: String, in dataset: Dataset) -> String? {
        if column.hasPrefix(attributePrefix) { return column }
        return isTaken(column, in: dataset) ? nil : attributePrefix + column
    }

    /// Returns the column of an attribute of a scope. The scope's own name and version are `scope.name` and
    /// `scope.version`.
    package static func column(ofScopeAttribute key: String) -> String {
        key == "name" || key == "version" || key.hasPrefix(attributePrefix)
            ? scopePrefix + attributePrefix + key : scopePrefix + key
    }

    private static func isTaken(_ key: String, in dataset: Dataset) -> Bool {
        if dataset.ownFields.contains(key) { return true }
        // Of most keys the first letter decides.
        return switch key.utf8.first {
        case nil: true
        case UInt8(ascii: "a"): key.hasPrefix(attributePrefix) || relation(of: key) != nil
        case UInt8(ascii: "r"): key.hasPrefix(resourcePrefix) || relation(of: key) != nil
        case UInt8(ascii: "s"): key == service || key.hasPrefix(scopePrefix) || relation(of: key) != nil
        case UInt8(ascii: "p"): relation(of: key) != nil
        default: false
        }
    }

    /// The relation that a name such as `session.crashed` asks for, and the field in it.
    package static func relation(of name: String) -> (relation: Relation, field: String)? {
        for relation in Relation.allCases {
            let prefix = relation.rawValue + "."
            guard name.hasPrefix(prefix), name.count > prefix.count else { continue }
            let field = String(name.dropFirst(prefix.count))
            // These are the keys themselves, attributes of the record.
            if relation == .session, field == "id" || field == "previous_id" { return nil }
            if relation == .parent, field == "id" { return nil }
            return (relation, field)
        }
        return nil
    }

    /// Returns the columns for a name that asks for no related record, in the order in which they are tried.
    ///
    /// The record's attribute comes before the resource's, and the current name of the semantic conventions before
    /// older ones.
    package static func columns(for name: String, in dataset: Dataset) -> [String] {
        if dataset.ownFields.contains(name) || name.hasPrefix(scopePrefix) { return [name] }
        if name == service { return [resourcePrefix + name] }
        if let key = rest(of: name, after: attributePrefix) {
            return allNames(of: key).map { column(ofAttribute: $0, in: dataset) }
        }
        if let key = rest(of: name, after: resourcePrefix) { return allNames(of: key).map { resourcePrefix + $0 } }
        return allNames(of: name).flatMap { [$0, resourcePrefix + $0] }
    }

    /// Returns the rest of a name behind a prefix, or `nil` if it does not begin with it.
    package static func rest(of name: String, after prefix: String) -> String? {
        name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }

    /// Returns the current name of an attribute of the semantic conventions.
    package static func current(_ name: String) -> String { renamed[name] ?? name }

    private static func allNames(of name: String) -> [String] {
        let current = current(name)
        return [current] + (older[current] ?? [])
    }

    private static let older = Dictionary(grouping: renamed.sorted { $0.key < $1.key }, by: \.value)
        .mapValues { $0.map(\.key) }

    /// Attributes that a later version of the semantic conventions renamed without a change of meaning.
    package static let renamed: [String: String] = [
        "http.method": "http.request.method",
        "http.status_code": "http.response.status_code",
        "http.url": "url.full",
        "http.scheme": "url.scheme",
        "http.client_ip": "client.address",
        "http.user_agent": "user_agent.original",
        "http.resend_count": "http.request.resend_count",
        "http.request_content_length": "http.request.body.size",
        "http.response_content_length": "http.response.body.size",
        "net.peer.name": "server.address",
        "net.peer.port": "server.port",
        "net.sock.peer.addr": "network.peer.address",
        "net.sock.peer.port": "network.peer.port",
        "net.protocol.name": "network.protocol.name",
        "net.protocol.version": "network.protocol.version",
        "net.host.connection.type": "network.connection.type",
        "net.host.connection.subtype": "network.connection.subtype",
        "net.host.carrier.name": "network.carrier.name",
        "db.system": "db.system.name",
        "db.name": "db.namespace",
        "db.statement": "db.query.text",
        "db.operation": "db.operation.name",
        "db.sql.table": "db.collection.name",
        "messaging.operation": "messaging.operation.type",
        "code.function": "code.function.name",
        "code.filepath": "code.file.path",
        "code.lineno": "code.line.number",
        "deployment.environment": "deployment.environment.name",
        "enduser.id": "user.id",
    ]
}

extension Dataset {
    /// The fields of records that are not attributes. An attribute of the same key does not hide them, and they do not
    /// hide it: see ``FieldNames/column(ofAttribute:in:)``.
    package var ownFields: Set<String> {
        switch self {
        case .spans: Self.ofSpans
        case .events: Self.ofEvents
        case .sessions: Self.ofSessions
        case .issues: Self.ofIssues
        case .metrics: Self.ofMetrics
        }
    }

    private static let ofAll: Set<String> = ["time", "adjusted_count", FieldNames.arrived, FieldNames.delay]
    private static let ofSpans = ofAll.union([
        "name", "duration", "status", "kind", "trace.id", "span.id", "parent.id",
    ])
    private static let ofEvents = ofAll.union(["name", "severity", "body", "trace.id", "span.id"])
    private static let ofSessions = ofAll.union(FieldNames.ofSessions).union(["device.id"])
    private static let ofIssues = ofAll.union([
        "name", "kind", "type", "fingerprint", "title", "place", "duration", "trace.id", "device.id",
    ])
    private static let ofMetrics = ofAll.union([
        "name", "unit", "kind", "value", "count", "sum", "min", "max", "p50", "p95",
    ])
}

/// Another record whose fields a record can be asked for.
package enum Relation: String, CaseIterable, Sendable {
    case session
    case root
    case parent
    case any

    /// The fields of a record that identify the related record. The first that is not missing does.
    package var keys: [String] {
        switch self {
        // A backend's span has no session of its own. Its trace has.
        case .session: ["session.id", "trace.id"]
        case .root, .any: ["trace.id"]
        case .parent: ["parent.id"]
        }
    }
}

/// Looks up related records while a query runs.
///
/// The engine asks once for each distinct key in a segment, not once for each record.
package protocol RelatedRecords: Sendable {
    /// Returns the values of `field` in the related record: one at most, or those of all spans of the trace for `any`.
    ///
    /// - Parameter key: The value of one of ``Relation/keys``.
    func values(of field: String, in relation: Relation, key: String) -> [QueryValue]
}
