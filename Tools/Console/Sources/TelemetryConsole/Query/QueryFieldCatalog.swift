import TelemetryQuery

/// The fields that completion offers: those of the newest records, and those of their sessions.
struct QueryFieldCatalog: QueryCatalog {
    let columns: ColumnCatalog

    func fields(of dataset: Dataset, prefix: String) -> [String] {
        for relation in [Relation.root, .parent, .any] where dataset == .spans {
            let start = relation.rawValue + "."
            guard prefix.hasPrefix(start) else { continue }
            return columns.fields(of: dataset, prefix: String(prefix.dropFirst(start.count))).map { start + $0 }
        }
        let own = columns.fields(of: dataset, prefix: prefix)
        let related = FieldNames.ofSessions.map { "session." + $0 }.filter { $0.hasPrefix(prefix) }
        guard prefix.hasPrefix("session.") else { return own + related }
        let attributes = columns.fields(of: dataset, prefix: FieldNames.resourcePrefix + prefix.dropFirst(8))
        return own + related + attributes.compactMap { Self.sessionField($0) }
    }

    /// Returns the name by which records ask for an attribute of their session's resource, or `nil` for another column.
    /// A fact of the session goes before an attribute of the same name.
    private static func sessionField(_ column: String) -> String? {
        guard let key = FieldNames.rest(of: column, after: FieldNames.resourcePrefix) else { return nil }
        let isPlain =
            FieldNames.columns(for: key, in: .sessions).contains(column)
            && FieldNames.relation(of: "session." + key) != nil
        return "session." + (isPlain ? key : column)
    }

    func values(of field: String, in dataset: Dataset, prefix: String) -> [QueryValue] {
        let own = columns.values(of: field, in: dataset, prefix: prefix)
        guard own.isEmpty, let (relation, name) = FieldNames.relation(of: field) else { return own }
        guard relation == .session else {
            return dataset == .spans ? columns.values(of: name, in: dataset, prefix: prefix) : []
        }
        if QueryRecord.sessionFlags.contains(name) { return [.bool(true), .bool(false)] }
        let isOfResource = name.hasPrefix(FieldNames.resourcePrefix)
        return columns.values(
            of: isOfResource ? name : FieldNames.resourcePrefix + name, in: dataset, prefix: prefix)
    }
}
