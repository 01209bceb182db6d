import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

extension JSONText {
    /// The largest number of values of all series and heatmaps in one answer.
    private static let longestAnswer = 500_000

    /// - Parameter part: The parameter that has the error, if it is not the query.
    init(_ error: QueryError, in part: String? = nil) {
        self.init()
        object { text in
            text.member("error", error.description)
            text.member(optional: "part", part)
            switch error.place {
            case .column(let column, let length):
                text.member("column", column)
                text.member("length", length)
            case .path(let path): text.member("path", path)
            case .query: break
            }
            if !error.suggestions.isEmpty {
                text.member("suggestions") { $0.array(error.suggestions) { $0.append($1) } }
            }
        }
    }

    /// - Throws: `QueryError` if the answer is too long.
    mutating func append(_ answer: QuerySource.Answer) throws(QueryError) {
        let result = answer.result
        let size = result.rows.reduce(0) { $0 + $1.values.size + ($1.comparison?.size ?? 0) }
        guard size <= Self.longestAnswer else {
            throw QueryError(
                "The answer has \(size) values. The limit is \(Self.longestAnswer). Lower limit, or ask for longer steps."
            )
        }
        object { text in
            text.member("query", answer.query.description)
            text.append(result.window)
            if let window = result.comparisonWindow {
                text.member("comparison") { text in
                    text.object { text in
                        text.append(window)
                        if let records = result.comparedRecords { text.member("matchedRecords", records) }
                        guard let earlier = answer.completeness?.comparison else { return }
                        let time = answer.completeness?.comparedAsOf
                        if let time { text.member("asOfUs", time / 1_000) }
                        text.append(earlier, isAsOfNow: time == nil)
                    }
                }
            }
            if let completeness = answer.completeness { text.append(completeness.window) }
            text.member(optional: "completenessUnknown", answer.completenessUnknown)
            text.member("columns") { text in
                text.array(result.groups.map { Column($0) } + result.calculations.map { Column($0) }) { $0.append($1) }
            }
            text.member("rows") { $0.array(result.rows) { $0.append($1) } }
            text.member("matchedRecords", result.matchedRecords)
            text.member("warnings") { $0.array(answer.warnings) { $0.append($1) } }
            if !answer.omissions.isEmpty { text.member("incomplete", true) }
        }
    }

    /// Appends the start and end of a window, microseconds since 1970.
    mutating func append(boundsOf window: TimeWindow) {
        member("fromUs", window.start / 1_000)
        member("toUs", window.end / 1_000)
    }

    /// Appends the members of a window.
    mutating func append(_ window: TimeWindow) {
        append(boundsOf: window)
        if let step = window.step {
            member("stepNs", step)
            member("stepsUs") { text in
                text.array(0..<window.stepCount) { $0.append(window.bounds(ofStep: $1).start / 1_000) }
            }
        }
    }

    private mutating func append(_ column: Column) {
        object { text in
            text.member("name", column.name)
            text.member("isGroup", column.isGroup)
            text.member(optional: "unit", column.unit)
        }
    }

    private mutating func append(_ row: ResultRow) {
        object { text in
            if row.isOther { text.member("other", true) }
            text.member("key") { $0.array(row.key) { $0.append($1) } }
            text.append(row.values)
            if let comparison = row.comparison {
                text.member("comparison") { text in text.object { $0.append(comparison) } }
            }
        }
    }

    private mutating func append(_ values: ResultValues) {
        member("values") { $0.array(values.totals) { $0.append($1) } }
        if !values.series.isEmpty {
            member("series") { text in
                text.array(values.series) { text, step in text.array(step) { $0.append($1) } }
            }
        }
    }

    private mutating func append(_ value: ResultValue) {
        switch value {
        case .missing: append(raw: "null")
        case .number(let number): append(result: number)
        case .heatmap(let bins):
            array(bins) { text, bin in
                text.object { text in
                    text.member("low") { $0.append(result: bin.low) }
                    text.member("high") { $0.append(result: bin.high) }
                    text.member("count") { $0.append(result: bin.count) }
                }
            }
        }
    }

    mutating func append(_ value: QueryValue) {
        switch value {
        case .missing: append(raw: "null")
        case .bool(let value): append(AttributeValue.bool(value))
        case .int(let value): append(AttributeValue.int(value))
        case .double(let value): append(result: value)
        case .string(let value): append(value)
        }
    }

    /// Appends a number, a whole one without a decimal point.
    mutating func append(result number: Double) {
        if let whole = Int64(exactly: number), whole.magnitude <= Self.exactLimit.magnitude {
            append(whole)
        } else {
            append(AttributeValue.double(number))
        }
    }
}

/// A column of the answer.
private struct Column {
    let name: String
    let isGroup: Bool
    /// The unit in UCUM, if it is known.
    let unit: String?

    init(_ group: Expression) {
        name = group.description
        isGroup = true
        unit = group.unit
    }

    init(_ calculation: Calculation) {
        name = calculation.description
        isGroup = false
        unit = calculation.unit
    }
}

extension Calculation {
    /// The unit in UCUM, if it is known.
    var unit: String? {
        switch function {
        case .count, .countDistinct, .ratio, .concurrency: "1"
        case .rate: operand == nil ? "1/s" : nil
        default: operand?.unit
        }
    }
}

extension Expression {
    /// The unit in UCUM, if it is known.
    var unit: String? {
        switch self {
        case .field("time"), .field("duration"), .field("start"), .field("session.start"),
            .field("session.duration"), .field(FieldNames.arrived), .field(FieldNames.delay):
            "ns"
        case .field(let name) where Self.fieldsInSeconds.contains(name): "s"
        case .bucket(let value, _): value.unit
        default: nil
        }
    }

    /// The attributes of hangs, late frames and runs that are a number of seconds.
    private static let fieldsInSeconds: Set<String> = [
        AttributeKey.astrolabeHangDuration, AttributeKey.astrolabeHangProcessorTime,
        AttributeKey.astrolabeHangThreshold, AttributeKey.astrolabeHangSampleInterval, AttributeKey.appJankPeriod,
        AttributeKey.appJankThreshold, AttributeKey.astrolabeJankLongest, AttributeKey.astrolabeRunDuration,
        AttributeKey.astrolabeRunUncollected, AttributeKey.astrolabeCrashUptime,
    ]
}

extension ResultValues {
    /// The number of values.
    fileprivate var size: Int { totals.size + series.reduce(0) { $0 + $1.size } }
}

extension [ResultValue] {
    fileprivate var size: Int {
        reduce(0) { size, value in
            if case .heatmap(let bins) = value { size + bins.count } else { size + 1 }
        }
    }
}
