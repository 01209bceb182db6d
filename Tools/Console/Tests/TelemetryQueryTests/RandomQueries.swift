import AstrolabeSeededRandomness

@testable import TelemetryQuery

/// Random numbers that a seed reproduces.
struct SeededNumbers: RandomNumberGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        // Not a multiple of the step, so that the numbers of two seeds are not those of one, shifted.
        var first = SeededGenerator(seed: (seed &+ 1) &* 0xD129_0D3C_8B5A_41F7)
        generator = SeededGenerator(seed: first.next())
    }

    mutating func next() -> UInt64 { generator.next() }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }
}

/// Random records, as a fleet of odd instrumentations would send them.
///
/// Weights are powers of two and numbers multiples of 1/4, so that sums are exact in any order.
struct RandomRecords {
    static let now: Int64 = 1_800_000_000_000_000_000
    static let texts: [QueryValue] = [
        .string("alpha"), .string("beta"), .string("gamma"), .string("500"), .string("404.0"), .string(""),
        .string("true"), .string("Grüße"), .string("/api/cart/17"), .string("a\"b\\c"), .string("-2.5e1"),
    ]
    static let odd: [QueryValue] =
        texts + [
            .bool(true), .bool(false), .int(500), .int(-7), .int(0), .int(.max), .int(.min), .double(2.5),
            .double(500), .double(-0.25), .double(.nan), .double(1e18), .double(0), .missing,
        ]

    static func record(using random: inout SeededNumbers) -> QueryRecord {
        var fields: [String: QueryValue] = [
            "name": random.pick(["GET", "POST /cart", "tap", "checkout"].map { .string($0) }),
            "duration": .int(Int64.random(in: 0..<4_000_000_000, using: &random) / 1_000 * 1_000),
        ]
        if random.chance(10) { fields["duration"] = .int(Int64.random(in: 0..<300_000_000_000_000, using: &random)) }
        if random.chance(80) { fields["status"] = random.pick([.string("ok"), .string("error")]) }
        if random.chance(60) {
            fields["http.response.status_code"] = random.pick([.int(200), .int(404), .int(500), .string("500")])
        } else if random.chance(50) {
            fields["http.status_code"] = random.pick([.int(200), .int(500), .double(404)])
        }
        if random.chance(70) { fields["odd"] = random.pick(odd) }
        if random.chance(50) { fields["text"] = random.pick(texts) }
        if random.chance(40) { fields["flag"] = .bool(random.chance(50)) }
        if random.chance(60) { fields["size"] = .double(Double(Int.random(in: -40...400, using: &random)) / 4) }
        if random.chance(10) { fields["rare"] = .int(Int64.random(in: 0...3, using: &random)) }
        if random.chance(90) { fields["resource.service.name"] = random.pick([.string("shop"), .string("app")]) }
        if random.chance(20) { fields["attribute.service.name"] = .string("own") }
        if random.chance(20) { fields["attribute.session.plan"] = .string("gold") }
        if random.chance(80) { fields["session.id"] = .string("s\(Int.random(in: 0..<6, using: &random))") }
        if random.chance(90) { fields["trace.id"] = .string("t\(Int.random(in: 0..<30, using: &random))") }
        if random.chance(60) { fields["user"] = .string("u\(Int.random(in: 0..<40, using: &random))") }
        let age = Int64.random(in: 0..<7_200_000_000_000, using: &random)
        return QueryRecord(
            time: now - age, adjustedCount: random.pick([1, 1, 1, 2, 8, 0]), fields: fields)
    }

    /// The fields of ``arrivedRecord(using:)`` that say when it arrived.
    static let arrivalFields = ["arrived", "delay"]

    /// A record that arrived up to an hour after it happened, if it is known when.
    static func arrivedRecord(using random: inout SeededNumbers) -> QueryRecord {
        var record = record(using: &random)
        guard random.chance(90) else { return record }
        let delay = Int64.random(in: 0..<60, using: &random) * 60_000_000_000
        record.fields["arrived"] = .int((record.time + delay) / 60_000_000_000 * 60_000_000_000)
        record.fields["delay"] = .int(delay)
        return record
    }
}

/// Looks up related spans among records as plainly as possible.
struct NaiveSpanRelations: RelatedRecords {
    let spans: [QueryRecord]

    func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        let trace = spans.filter { $0.value(ofColumn: "trace.id").text == key }
        func value(_ record: QueryRecord?) -> [QueryValue] {
            let columns = FieldNames.columns(for: field, in: .spans)
            return record.flatMap { record in
                columns.lazy.map { record.value(ofColumn: $0) }.first { !$0.isMissing }
            }.map { [$0] } ?? []
        }
        switch relation {
        case .session: return []
        case .parent: return value(spans.first { $0.value(ofColumn: "span.id").text == key })
        case .root:
            let roots = trace.filter { $0.value(ofColumn: "parent.id").isMissing }
            return value((roots.isEmpty ? trace : roots).min { $0.time < $1.time })
        case .any: return Set(trace.flatMap { value($0) }).sorted()
        }
    }
}

/// Sessions and traces of the random records.
struct RandomRelatedRecords: RelatedRecords {
    func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        let number = Int(key.dropFirst()) ?? 0
        switch (relation, field) {
        case (.session, "crashed"): return [.bool(number % 3 == 0)]
        case (.session, "model"): return number == 4 ? [] : [.string("iPhone\(number % 2)")]
        case (.any, "name"): return (0..<(number % 4)).map { .string(["tap", "GET", "checkout"][$0]) }
        case (.root, "name"): return [.string("root \(number % 5)")]
        default: return []
        }
    }
}

/// Random queries over these records.
struct RandomQuery {
    private var random: SeededNumbers
    /// True if the query is one that SQL can say.
    private let isPlain: Bool
    private let fields: [String]

    /// - Parameter fields: Further fields that queries ask for.
    init(seed: UInt64, isPlain: Bool = false, fields: [String] = []) {
        random = SeededNumbers(seed: seed)
        self.isPlain = isPlain
        self.fields = Self.fields + fields
    }

    private static let fields = [
        "name", "duration", "status", "http.response.status_code", "http.status_code", "odd", "text", "flag", "size",
        "rare", "service.name", "resource.service.name", "attribute.service.name", "attribute.session.plan",
        "attribute.http.status_code", "session.id", "session.crashed", "session.model", "root.name",
        "user", "absent", "trace.id", "time", "adjusted_count",
    ]
    private static let plainFields = SQLTranslation.fields.keys.sorted()
    private static let plainFunctions: [Calculation.Function] = [
        .count, .countDistinct, .sum, .avg, .min, .max, .rate, .ratio,
    ]

    mutating func query() -> Query {
        var query = Query()
        query.dataset = random.pick(Dataset.allCases)
        query.calculations = (0..<Int.random(in: 1...3, using: &random)).map { _ in calculation() }
        if random.chance(25) {
            query.derived = [DerivedField(name: "derived one", expression: expression(depth: 2))]
            if random.chance(50) {
                query.derived.append(
                    DerivedField(name: "second", expression: .coalesce([.field("derived one"), field()])))
            }
        }
        query.groups = (0..<random.pick([0, 1, 1, 2, 3])).map { _ in
            !query.derived.isEmpty && random.chance(50) ? .field("derived one") : expression(depth: 1)
        }
        if random.chance(70) { query.condition = condition(depth: 2) }
        if random.chance(10) {
            query.having = .leaf(
                HavingTerm(Calculation(.count), random.pick([.greater, .lessOrEqual]), Literal(.int(3))))
        }
        // A percentile of the engine may rank two near groups the other way round, so it never decides.
        if random.chance(50) || query.calculations[0].function.quantile != nil {
            query.order = [
                OrderTerm(
                    .calculation(random.pick([Calculation(.count), Calculation(.max, of: .field("duration"))])),
                    isDescending: random.chance(70))
            ]
            if let group = query.groups.last, random.chance(40) {
                query.order.insert(OrderTerm(.group(group), isDescending: random.chance(50)), at: 0)
            }
        }
        query.limit = random.pick([1, 2, 5, 50, 1_000])
        let now = RandomRecords.now
        query.time = random.pick([
            .last(nanoseconds: 3_600_000_000_000), .last(nanoseconds: 7_200_000_000_000),
            .last(nanoseconds: 61_000_000_000), .between(from: now - 5_000_000_000_000, to: now - 1_234_567_891_011),
        ])
        query.granularity = random.pick([
            .total, .total, .fixed(nanoseconds: 420_000_000_000), .fixed(nanoseconds: 3_600_000_000_000),
        ])
        query.comparison = random.pick([nil, nil, .previous, .earlier(nanoseconds: 1_000_000_000_000)])
        query.isRaw = random.chance(30)
        let isConcurrent = query.calculations.contains { $0.function == .concurrency }
        if fields.contains("arrived"), !isConcurrent, random.chance(30) { query.clock = .arrival }
        return query
    }

    private mutating func field() -> Expression { .field(random.pick(isPlain ? Self.plainFields : fields)) }

    private mutating func calculation() -> Calculation {
        let function = random.pick(isPlain ? Self.plainFunctions : Calculation.Function.allCases)
        if function == .ratio { return Calculation(.ratio, where: condition(depth: 1)) }
        if function.takesOperand == false || (function == .rate && random.chance(50)) { return Calculation(function) }
        // Sums of very large numbers depend on the order, so those fields are left out here.
        let operand = random.pick(
            ["duration", "size", "rare", "http.response.status_code"] + (isPlain ? [] : ["session.model", "absent"]))
        if function == .countDistinct { return Calculation(function, of: expression(depth: 1)) }
        return Calculation(
            function,
            of: random.chance(80)
                ? .field(operand)
                : .arithmetic(.field(operand), random.pick([.plus, .times]), .literal(Literal(.int(4)))))
    }

    private mutating func expression(depth: Int) -> Expression {
        guard depth > 0, random.chance(45), !isPlain else { return field() }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            return .arithmetic(
                expression(depth: depth - 1), random.pick(ArithmeticOperator.allCases), expression(depth: depth - 1))
        case 1:
            return .bucket(
                expression(depth: depth - 1), random.pick([Literal(.int(100)), Literal(250, .ms)].compactMap(\.self)))
        case 2: return .coalesce([expression(depth: depth - 1), field(), .literal(Literal(.string("none")))])
        case 3: return .conditional(condition(depth: 1), then: expression(depth: depth - 1), else: field())
        case 4: return .extract(field(), pattern: random.pick(["([a-z]+)", "^.", "\\d+", "x|(a)", "(?i)GR(..)"]))
        default: return .literal(literal())
        }
    }

    private mutating func literal() -> Literal {
        if random.chance(10), let quantity = Literal(2.5, random.pick([.s, .ms, .kilobytes])) { return quantity }
        let finite = RandomRecords.odd.filter { value in
            if case .double(let double) = value { return double.isFinite }
            return !value.isMissing
        }
        return Literal(random.pick(finite))
    }

    /// A comparison of a field with values of its type.
    private mutating func plainTerm() -> Term {
        let comparison = random.pick([
            ComparisonOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .isNotIn,
            .exists, .doesNotExist,
        ])
        let name = random.pick(Self.plainFields)
        let count = [.exists, .doesNotExist].contains(comparison) ? 0 : [.isIn, .isNotIn].contains(comparison) ? 3 : 1
        let values: [QueryValue] =
            switch SQLTranslation.fields[name]?.type {
            case .bool: [.bool(true), .bool(false)]
            case .number where name == "duration": [.int(2_000_000_000), .double(1.5e9), .int(0), .int(.max)]
            case .number where name == "time": [.int(RandomRecords.now - 1_800_000_000_000), .double(1.8e18)]
            case .number: [.int(2), .double(2.0), .int(404), .double(-0.25), .int(500), .int(.min), .double(1e18)]
            default: RandomRecords.texts + ["ok", "shop", "own", "tap", "s3", "u7", "t12"].map { .string($0) }
            }
        return Term(.field(name), comparison, (0..<count).map { _ in Literal(random.pick(values)) })
    }

    private mutating func condition(depth: Int) -> Condition {
        if depth > 0, random.chance(50) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return .not(condition(depth: depth - 1))
            case 1: return .all([condition(depth: depth - 1), condition(depth: depth - 1)])
            default: return .any([condition(depth: depth - 1), condition(depth: depth - 1), condition(depth: 0)])
            }
        }
        if isPlain { return .leaf(plainTerm()) }
        let comparison = random.pick(ComparisonOperator.allCases)
        let subject = random.chance(15) ? .field("any.name") : expression(depth: random.chance(20) ? 1 : 0)
        switch comparison {
        case .exists, .doesNotExist: return .leaf(Term(subject, comparison))
        case .isIn, .isNotIn: return .leaf(Term(subject, comparison, [literal(), literal(), literal()]))
        case .matches, .doesNotMatch:
            return .leaf(
                Term(subject, comparison, [Literal(.string(random.pick(["a", "^[0-9.]+$", "(e|x)+", "t$"])))]))
        default: return .leaf(Term(subject, comparison, [literal()]))
        }
    }
}
