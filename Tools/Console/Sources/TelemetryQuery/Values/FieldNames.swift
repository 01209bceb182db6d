/// Resolves the name of a field to the columns that may hold it.
package enum FieldNames {
    /// The fields that every record has or may have. They are not attributes.
    package static let ofRecords: Set<String> = [
        "time", "duration", "name", "status", "kind", "severity", "body", "trace.id", "span.id", "parent.id",
        "adjusted_count", "value",
    ]

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

    /// Returns the columns for `name`, in the order in which they are tried: the record's attribute before the
    /// resource's, and the current name of the semantic conventions before older ones.
    package static func columns(for name: String) -> [String] {
        if ofRecords.contains(name) { return [name] }
        if name.hasPrefix("resource.") {
            return allNames(of: String(name.dropFirst(9))).map { "resource." + $0 }
        }
        return allNames(of: name).flatMap { [$0, "resource." + $0] }
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
