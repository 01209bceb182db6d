/// The names that the protobuf schema gives to a message's fields, for the paths of errors; `[]` marks a repeated one.
struct FieldNames: ExpressibleByDictionaryLiteral {
    private let names: [UInt32: String]

    init(dictionaryLiteral pairs: (UInt32, String)...) {
        names = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    init(_ names: [UInt32: String]) {
        self.names = names
    }

    subscript(number: UInt32) -> String? { names[number] }
}

extension OTLPDecodingError {
    /// The same error seen from the message around `field`.
    ///
    /// An index is found by reading the message again up to the field, so that only a failure pays for it.
    @inline(never)
    func within(_ field: ProtobufReader.Field, of names: FieldNames, in message: ProtobufReader) -> OTLPDecodingError {
        guard let name = names[field.number] else { return within("field_\(field.number)") }
        guard name.hasSuffix("[]") else { return within(name) }
        return within("\(name.dropLast(2))[\(message.count(of: field.number, before: field.offset))]")
    }
}

extension FieldNames {
    static let resource: FieldNames = [1: "attributes[]", 2: "dropped_attributes_count"]
    static let scope: FieldNames = [
        1: "name", 2: "version", 3: "attributes[]", 4: "dropped_attributes_count",
    ]
    static let keyValue: FieldNames = [1: "key", 2: "value"]
    static let anyValue: FieldNames = [
        1: "string_value", 2: "bool_value", 3: "int_value", 4: "double_value", 5: "array_value", 6: "kvlist_value",
        7: "bytes_value",
    ]
    static let values: FieldNames = [1: "values[]"]

    static let span: FieldNames = [
        1: "trace_id", 2: "span_id", 3: "trace_state", 4: "parent_span_id", 5: "name", 6: "kind",
        7: "start_time_unix_nano", 8: "end_time_unix_nano", 9: "attributes[]", 10: "dropped_attributes_count",
        11: "events[]", 12: "dropped_events_count", 13: "links[]", 14: "dropped_links_count", 15: "status",
        16: "flags",
    ]
    static let spanEvent: FieldNames = [
        1: "time_unix_nano", 2: "name", 3: "attributes[]", 4: "dropped_attributes_count",
    ]
    static let spanLink: FieldNames = [
        1: "trace_id", 2: "span_id", 3: "trace_state", 4: "attributes[]", 5: "dropped_attributes_count", 6: "flags",
    ]
    static let status: FieldNames = [2: "message", 3: "code"]

    static let logRecord: FieldNames = [
        1: "time_unix_nano", 2: "severity_number", 3: "severity_text", 5: "body", 6: "attributes[]",
        7: "dropped_attributes_count", 8: "flags", 9: "trace_id", 10: "span_id", 11: "observed_time_unix_nano",
        12: "event_name",
    ]

    static let metric: FieldNames = [
        1: "name", 2: "description", 3: "unit", 5: "gauge", 7: "sum", 9: "histogram", 10: "exponential_histogram",
        11: "summary",
    ]
    static let points: FieldNames = [1: "data_points[]", 2: "aggregation_temporality", 3: "is_monotonic"]
    static let numberPoint: FieldNames = [
        2: "start_time_unix_nano", 3: "time_unix_nano", 4: "as_double", 6: "as_int", 7: "attributes[]", 8: "flags",
    ]
    static let histogramPoint: FieldNames = [
        2: "start_time_unix_nano", 3: "time_unix_nano", 4: "count", 5: "sum", 6: "bucket_counts",
        7: "explicit_bounds", 9: "attributes[]", 10: "flags", 11: "min", 12: "max",
    ]
}
