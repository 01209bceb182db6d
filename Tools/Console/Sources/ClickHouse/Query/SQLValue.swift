import TelemetryQuery

/// SQL of a value that may be NULL, with the one type that it has in every row.
///
/// The exporter stores all attributes as text, so most values are text. Comparisons and sums read numbers in texts, as
/// everywhere in queries.
struct SQLValue: Hashable {
    enum ValueType: String {
        case text = "String"
        /// A signed integer of 64 bits.
        case int = "Int64"
        case double = "Float64"
        case bool = "Bool"
    }

    var sql: String
    /// `nil` for a value that is always missing.
    var type: ValueType?
    /// True if the sender may have sent a number or a truth value, which the table has as text.
    var isOfAnyType: Bool

    static let missing = SQLValue(sql: "NULL", type: nil)

    init(sql: String, type: ValueType?, isOfAnyType: Bool = false) {
        self.sql = sql
        self.type = type
        self.isOfAnyType = isOfAnyType
    }

    /// Returns SQL in which the value has another name, such as that of its column.
    func named(_ name: String) -> SQLValue { SQLValue(sql: name, type: type, isOfAnyType: isOfAnyType) }

    init(_ literal: QueryValue, in statement: inout Statement) {
        switch literal {
        case .missing: self = .missing
        case .bool(let value): self.init(sql: value ? "true" : "false", type: .bool)
        case .int(let value): self.init(sql: statement.bind(value), type: .int)
        case .double(let value) where value.isFinite: self.init(sql: statement.bind(value), type: .double)
        case .double: self = .missing
        case .string(let value): self.init(sql: statement.bind(value), type: .text)
        }
    }

    /// The value as a number, missing if it is none. Text counts if it reads as a JSON number.
    var number: String {
        switch type {
        case .text: SQLValue.number(inText: sql)
        case .int: "toFloat64(\(sql))"
        case .double: sql
        case .bool, nil: "CAST(NULL AS Nullable(Float64))"
        }
    }

    /// The value as text.
    ///
    /// - Throws: `QueryError` for a decimal, because engines write decimals differently.
    func text() throws(QueryError) -> String {
        switch type {
        case .text: return sql
        case .int: return "toString(\(sql))"
        case .bool: return "multiIf(\(sql) IS NULL, NULL, \(sql), 'true', 'false')"
        case .double:
            throw QueryError("The ClickHouse store cannot search the digits of a decimal. Compare it with a number.")
        case nil: return "CAST(NULL AS Nullable(String))"
        }
    }

    /// The value as it identifies a group. Zero has no sign.
    var identity: String { type == .double ? "(\(sql) + 0.)" : sql }

    /// The column of a result.
    var column: String { "CAST(\(identity) AS Nullable(\((type ?? .text).rawValue)))" }

    static func number(inText text: String) -> String { "json_number(\(text))" }

    /// The functions that ``number`` and others use, for the start of a statement.
    static let functions: [String] = [
        #"t -> if(length(t) <= 40 AND match(t, '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$'), "#
            + "toFloat64OrNull(t), NULL) AS json_number_or_infinity",
        "t -> finite(json_number_or_infinity(t)) AS json_number",
        #"t -> if(match(t, '^-?(0|[1-9][0-9]*)$'), toInt64OrNull(t), NULL) AS json_integer"#,
        "x -> if(isFinite(x), x, NULL) AS finite",
        """
        (x, bits) -> if(x = 0, 0, if(x < 0, -1, 1) * toInt64(bitShiftRight(bitAnd(reinterpretAsUInt64(x), \
        9223372036854775807), 52 - bits) + 1)) AS bin
        """,
        "b -> reinterpretAsFloat64(bitShiftLeft(toUInt64(b), \(52 - LogLinearBins.percentiles.bits))) AS bound",
        """
        (b, whole) -> if(b = 0, 0., if(b < 0, -1., 1.) * if(isInfinite(bound(abs(b))), bound(abs(b) - 1), \
        if(whole AND bound(abs(b)) <= \(LogLinearBins.percentiles.wholeLimit), ceil(bound(abs(b) - 1)), \
        bound(abs(b) - 1) + (bound(abs(b)) - bound(abs(b) - 1)) / 2))) AS middle
        """,
        """
        (bins, q) -> arrayFirst((b, reached) -> reached >= q * arraySum(bins.2), bins.1, arrayCumSum(bins.2)) AS reached
        """,
    ]

    /// Settings with which numbers and missing related records are as the query language defines them.
    static let settings = "precise_float_parsing = 1, join_use_nulls = 1"
}
