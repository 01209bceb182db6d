/// A record as the query engine sees it.
package struct QueryRecord: Sendable {
    /// Nanoseconds since 1970: a span's start, an event's time.
    package var time: Int64
    /// The number of records that this one stands for: see `AdjustedCount`.
    package var adjustedCount: Double
    /// The values by column: fields of the record, and attributes. Those of the resource begin with `resource.`, those
    /// of the scope with `scope.`: see ``FieldNames``.
    package var fields: [String: QueryValue]

    package init(time: Int64, adjustedCount: Double = 1, fields: [String: QueryValue]) {
        self.time = time
        self.adjustedCount = adjustedCount.isFinite && adjustedCount >= 0 ? adjustedCount : 1
        self.fields = fields
    }

    package init(_ record: ListedRecord) {
        let fields = record.fields.map { ($0.name, $0.value) }
        self.init(
            time: record.time, adjustedCount: record.adjustedCount,
            fields: Dictionary(fields) { first, _ in first })
    }

    /// The value of a column.
    func value(ofColumn name: String) -> QueryValue {
        switch name {
        case "time": .int(time)
        // A record that stands for itself does not have the field.
        case "adjusted_count": adjustedCount == 1 ? .missing : .double(adjustedCount)
        default: fields[name] ?? .missing
        }
    }

    /// The value of a field that is no relation, under any of the names that may hold it.
    func value(ofField name: String, in dataset: Dataset) -> QueryValue {
        FieldNames.columns(for: name, in: dataset).lazy.map { value(ofColumn: $0) }.first { !$0.isMissing } ?? .missing
    }
}

/// A record on its way into columns. A list of its fields costs less to make than a dictionary.
package struct ListedRecord: Sendable {
    package typealias Field = (name: String, value: QueryValue)

    /// Nanoseconds since 1970: a span's start, an event's time.
    package let time: Int64
    /// The number of records that this one stands for: see `AdjustedCount`.
    package let adjustedCount: Double
    /// Of several fields with one name, the first counts.
    package let fields: [Field]

    package init(time: Int64, adjustedCount: Double = 1, fields: [Field]) {
        self.time = time
        self.adjustedCount = adjustedCount.isFinite && adjustedCount >= 0 ? adjustedCount : 1
        self.fields = fields
    }

    package init(_ record: QueryRecord) {
        self.init(
            time: record.time, adjustedCount: record.adjustedCount,
            fields: record.fields.map { (name: $0.key, value: $0.value) })
    }

    /// The name of the service; empty if no field says it.
    var service: String { fields.first { $0.name == "resource.service.name" }?.value.text ?? "" }
}
