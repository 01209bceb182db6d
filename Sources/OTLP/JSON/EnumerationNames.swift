/// The names of an enumeration's values in the protobuf schema.
struct EnumerationNames: Sendable {
    /// One of the names, for errors.
    let example: String
    private let numbers: [String: Int32]

    private init(_ names: KeyValuePairs<String, Int32>, prefix: String) {
        numbers = Dictionary(names.map { (prefix + $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        example = prefix + (names.last?.key ?? "")
    }

    subscript(name: String) -> Int32? { numbers[name] }

    static let spanKind = EnumerationNames(
        ["UNSPECIFIED": 0, "INTERNAL": 1, "SERVER": 2, "PRODUCER": 4, "CONSUMER": 5, "CLIENT": 3],
        prefix: "SPAN_KIND_",
    )

    static let statusCode = EnumerationNames(["UNSET": 0, "OK": 1, "ERROR": 2], prefix: "STATUS_CODE_")

    static let temporality = EnumerationNames(
        ["UNSPECIFIED": 0, "DELTA": 1, "CUMULATIVE": 2], prefix: "AGGREGATION_TEMPORALITY_",
    )

    static let severity = EnumerationNames(
        [
            "UNSPECIFIED": 0,
            "TRACE": 1, "TRACE2": 2, "TRACE3": 3, "TRACE4": 4,
            "DEBUG": 5, "DEBUG2": 6, "DEBUG3": 7, "DEBUG4": 8,
            "INFO": 9, "INFO2": 10, "INFO3": 11, "INFO4": 12,
            "WARN": 13, "WARN2": 14, "WARN3": 15, "WARN4": 16,
            "ERROR": 17, "ERROR2": 18, "ERROR3": 19, "ERROR4": 20,
            "FATAL": 21, "FATAL2": 22, "FATAL3": 23, "FATAL4": 24,
        ], prefix: "SEVERITY_NUMBER_",
    )
}
