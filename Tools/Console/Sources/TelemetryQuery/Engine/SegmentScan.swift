/// Evaluates expressions and conditions over the rows of one segment, a column at a time.
///
/// An expression has two views, codes and numbers. Whatever is decided for a value is decided once for each entry of a
/// dictionary.
struct SegmentScan {
    let segment: Segment
    /// The dataset of the segment's records. It decides which names are fields of theirs.
    let dataset: Dataset
    let related: (any RelatedRecords)?
    /// Says whether to stop computing values. The result is then wrong, and the caller must not use it. Other queries
    /// may go first while it is asked.
    var isOver: (() -> Bool)?

    var rowCount: Int { segment.rowCount }

    /// A code for each row. Code 0 is missing; two codes may have equal values.
    struct Codes {
        var codes: [UInt32]
        var values: [QueryValue]
    }

    /// A number for each row; NaN for a row without one.
    struct Numbers {
        var numbers: [Double]
        /// True if all numbers are whole.
        var isWhole: Bool
    }

    /// Bounds the time of a function of values: a regular expression over many long texts takes long.
    private func untilOver<Result>(
        _ fallback: Result, _ function: @escaping (QueryValue) -> Result,
    ) -> (QueryValue) -> Result {
        guard let isOver else { return function }
        var calls = 0
        var hasEnded = false
        return { value in
            calls += 1
            if calls % 64 == 0, !hasEnded { hasEnded = isOver() }
            return hasEnded ? fallback : function(value)
        }
    }

    /// Lets other queries go first. It is called between the parts of long work.
    func giveWay() { _ = isOver?() }

    /// The time of each row by the segment's clock; the least number for a row without one.
    var times: [Int64] {
        guard let part = segment.columns[segment.clock.column]?.first,
            case .integers(let vector, let min, _) = part.values
        else { return [] }
        return spread(segment.image.integers(vector, base: min), to: part.rows, missing: .min)
    }

    /// The adjusted count of each row, or `nil` if it is 1 for all.
    var weights: [Double]? {
        guard let part = segment.columns["adjusted_count"]?.first, case .doubles(let vector) = part.values else {
            return nil
        }
        return spread(segment.image.doubles(vector), to: part.rows, missing: 1)
    }

    private func parts(of name: String) -> [Segment.Part] {
        FieldNames.columns(for: name, in: dataset).flatMap { segment.columns[$0] ?? [] }
    }

    /// Puts the values of a list of rows at these rows.
    private func spread<Value>(_ values: [Value], to rows: SegmentImage.Vector?, missing: Value) -> [Value] {
        guard let rows else { return values }
        var result = Array(repeating: missing, count: rowCount)
        for (row, value) in zip(segment.image.codes(rows), values) { result[Int(row)] = value }
        return result
    }

    func codes(of expression: Expression) -> Codes {
        giveWay()
        switch expression {
        case .field(let name):
            if let (relation, field) = FieldNames.relation(of: name) {
                return keys(of: relation).mapped(
                    untilOver(.missing) { key in
                        key.text.flatMap { related?.values(of: field, in: relation, key: $0).first } ?? .missing
                    })
            }
            return codes(ofField: name)
        case .literal(let literal):
            return Codes(codes: Array(repeating: 1, count: rowCount), values: [.missing, literal.value])
        case .arithmetic, .bucket: return Codes(numbers(of: expression))
        case .coalesce(let values):
            return values.dropFirst().reduce(into: values.first.map(codes) ?? none) { result, value in
                result.fill(with: codes(of: value))
            }
        case .conditional(let condition, let yes, let no):
            switch mask(of: condition) {
            case .all: return codes(of: yes)
            case .none: return codes(of: no)
            case .some(let isYes): return codes(of: yes).chosen(where: isYes, otherwise: codes(of: no))
            }
        case .extract(let value, let pattern):
            guard let pattern = try? QueryPattern(pattern) else { return none }
            return codes(of: value).mapped(
                untilOver(.missing) { value in
                    value.text.flatMap(pattern.extract).map { .string($0) } ?? .missing
                })
        }
    }

    /// Whole numbers of a smaller range have a code each, whether they occur or not.
    private static let codesOfRange = 1_024

    private var none: Codes { Codes(codes: Array(repeating: 0, count: rowCount), values: [.missing]) }

    /// The keys of related records. Only the record's own column has them.
    private func keys(of relation: Relation) -> Codes {
        relation.keys.flatMap { segment.columns[$0] ?? [] }.reduce(into: none) { $0.fill(with: codes(of: $1)) }
    }

    private func codes(ofField name: String) -> Codes {
        let parts = parts(of: name)
        guard let first = parts.first else { return none }
        var result = codes(of: first)
        for part in parts.dropFirst() { result.fill(with: codes(of: part)) }
        return result
    }

    func codes(of part: Segment.Part) -> Codes {
        switch part.values {
        case .codes(let vector, let dictionary):
            let codes = spread(segment.image.codes(vector), to: part.rows, missing: 0)
            return Codes(codes: codes, values: segment.values(of: dictionary))
        case .integers(let vector, let min, let max):
            var result: Codes
            if UInt64(bitPattern: max &- min) < Self.codesOfRange {
                result = Codes(
                    codes: segment.image.codes(vector).map { $0 &+ 1 },
                    values: [.missing] + (min...max).map { .int($0) })
            } else {
                result = Codes(integers: segment.image.integers(vector, base: min))
            }
            result.codes = spread(result.codes, to: part.rows, missing: 0)
            return result
        case .doubles(let vector):
            // NaN is a value here, unlike in the view of numbers.
            var result = Codes(doubles: segment.image.doubles(vector))
            result.codes = spread(result.codes, to: part.rows, missing: 0)
            return result
        }
    }

    func numbers(of expression: Expression) -> Numbers {
        giveWay()
        switch expression {
        case .field(let name) where FieldNames.relation(of: name) == nil: return numbers(ofField: name)
        case .literal(let literal):
            let number = literal.value.number ?? .nan
            return Numbers(numbers: Array(repeating: number, count: rowCount), isWhole: false)
        case .arithmetic(let left, let sign, let right):
            var numbers = numbers(of: left).numbers
            let others = self.numbers(of: right).numbers
            for index in numbers.indices {
                let result = sign.apply(numbers[index], others[index])
                numbers[index] = result.isFinite ? result : .nan
            }
            return Numbers(numbers: numbers, isWhole: false)
        case .bucket(let value, let size):
            var numbers = numbers(of: value).numbers
            let size = size.value.number ?? .nan
            for index in numbers.indices {
                let result = (numbers[index] / size).rounded(.down) * size
                numbers[index] = result.isFinite ? result : .nan
            }
            return Numbers(numbers: numbers, isWhole: false)
        default:
            let codes = codes(of: expression)
            let table = codes.values.map { $0.number ?? .nan }
            return Numbers(numbers: table.values(of: codes.codes), isWhole: false)
        }
    }

    private func numbers(ofField name: String) -> Numbers {
        let parts = parts(of: name)
        if parts.count > 1 {
            // A text hides a number that comes after it, so the values must be known.
            let codes = codes(ofField: name)
            let table = codes.values.map { $0.number ?? .nan }
            return Numbers(numbers: table.values(of: codes.codes), isWhole: false)
        }
        guard let part = parts.first else {
            return Numbers(numbers: Array(repeating: .nan, count: rowCount), isWhole: true)
        }
        switch part.values {
        case .integers(let vector, let min, _):
            let numbers = segment.image.numbers(vector, base: min)
            return Numbers(numbers: spread(numbers, to: part.rows, missing: .nan), isWhole: true)
        case .doubles(let vector):
            return Numbers(
                numbers: spread(segment.image.doubles(vector), to: part.rows, missing: .nan), isWhole: false)
        case .codes(_, let dictionary):
            let table = segment.values(of: dictionary).map { $0.number ?? .nan }
            return Numbers(numbers: table.values(of: codes(of: part).codes), isWhole: false)
        }
    }

    func mask(of condition: Condition) -> RowMask {
        switch condition {
        case .leaf(let term): return mask(of: term)
        case .not(let part): return mask(of: part).negated
        case .all(let parts):
            var result = RowMask.all
            for part in parts {
                if case .none = result { return .none }
                result = result.intersection(mask(of: part))
            }
            return result
        case .any(let parts):
            var result = RowMask.none
            for part in parts {
                if case .all = result { return .all }
                result = result.negated.intersection(mask(of: part).negated).negated
            }
            return result
        }
    }

    private func mask(of term: Term) -> RowMask {
        giveWay()
        let matcher = TermMatcher(term.comparison, term.values)
        if case .field(let name) = term.subject {
            if let (relation, field) = FieldNames.relation(of: name), relation == .any {
                return anyMask(field, relation, matcher)
            }
            if FieldNames.relation(of: name) == nil {
                let parts = parts(of: name)
                if parts.isEmpty { return matcher.matches(.missing) ? .all : .none }
                if parts.count == 1 { return mask(of: parts[0], matcher) }
            }
        }
        return codes(of: term.subject).mask(untilOver(false, matcher.matches))
    }

    /// Some span of the trace fulfils the comparison. A negation asks that none does what it negates.
    private func anyMask(_ field: String, _ relation: Relation, _ matcher: TermMatcher) -> RowMask {
        keys(of: relation).mask(
            untilOver(false) { key in
                let values = key.text.flatMap { related?.values(of: field, in: relation, key: $0) } ?? []
                return (values.isEmpty ? [.missing] : values).contains { matcher.matches($0) != matcher.isNegated }
                    != matcher.isNegated
            })
    }

    private func mask(of part: Segment.Part, _ matcher: TermMatcher) -> RowMask {
        switch part.values {
        case .codes(let vector, let dictionary):
            // Decided by the dictionary alone, if it has nothing or nothing else.
            let table = segment.values(of: dictionary).map(untilOver(false, matcher.matches))
            if let same = table.first, table.allSatisfy({ $0 == same }) { return same ? .all : .none }
            let codes = spread(segment.image.codes(vector), to: part.rows, missing: 0)
            return .some(table.values(of: codes))
        case .integers(let vector, let min, let max):
            guard let range = matcher.wholeRange else {
                return codes(of: part).mask(untilOver(false, matcher.matches))
            }
            let ifMissing = matcher.matches(.missing)
            if range.isEmpty || range.upperBound < min || range.lowerBound > max, ifMissing == matcher.isNegated {
                return matcher.isNegated ? .all : .none
            }
            if range.lowerBound <= min, range.upperBound >= max, part.rows == nil {
                return matcher.isNegated ? .none : .all
            }
            let (isNegated, isEmpty, low) = (matcher.isNegated, range.isEmpty, range.lowerBound)
            let length = UInt64(bitPattern: range.upperBound &- low)
            let holds = segment.image.integers(vector, base: min).map {
                (!isEmpty && UInt64(bitPattern: $0 &- low) <= length) != isNegated
            }
            return .some(spread(holds, to: part.rows, missing: ifMissing))
        case .doubles(let vector):
            let holds = segment.image.doubles(vector).map { matcher.matches(.double($0)) }
            return .some(spread(holds, to: part.rows, missing: matcher.matches(.missing)))
        }
    }
}

extension TermMatcher {
    /// The whole numbers for which the operator, without its negation, holds; `nil` if they are not one range.
    ///
    /// An empty range is `isEmpty`.
    fileprivate var wholeRange: WholeRange? {
        guard literals.count == 1 else { return comparison == .exists ? WholeRange(.min, .max) : nil }
        var number: QueryValue?
        switch literals[0] {
        case .int, .double: number = literals[0]
        case .string(let text): number = QueryValue.number(in: text)
        case .missing, .bool: number = nil
        }
        guard let number else { return comparison == .equal || comparison.isOrder ? .empty : nil }
        switch number {
        case .int(let value): return range(floor: value, isWhole: true)
        case .double(let value):
            if value.isNaN { return .empty }
            let floor = value.rounded(.down)
            guard floor >= -0x1p63, floor < 0x1p63 else { return nil }
            return range(floor: Int64(floor), isWhole: floor == value)
        default: return nil
        }
    }

    private func range(floor: Int64, isWhole: Bool) -> WholeRange? {
        switch comparison {
        case .equal: return isWhole ? WholeRange(floor, floor) : .empty
        case .lessOrEqual: return WholeRange(.min, floor)
        case .less: return isWhole ? (floor == .min ? .empty : WholeRange(.min, floor - 1)) : WholeRange(.min, floor)
        case .greater: return floor == .max ? .empty : WholeRange(floor + 1, .max)
        case .greaterOrEqual:
            return isWhole ? WholeRange(floor, .max) : (floor == .max ? .empty : WholeRange(floor + 1, .max))
        default: return nil
        }
    }

    fileprivate struct WholeRange {
        static let empty = WholeRange(1, 0)

        let lowerBound: Int64
        let upperBound: Int64

        init(_ lowerBound: Int64, _ upperBound: Int64) {
            self.lowerBound = lowerBound
            self.upperBound = upperBound
        }

        var isEmpty: Bool { lowerBound > upperBound }
    }
}
