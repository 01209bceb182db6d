/// The value of a field in one record.
///
/// Arrays and maps of OpenTelemetry are JSON text. Equality is identity, as `by` and `count_distinct` need it: `2` is
/// `2.0`, `"2"` is not, and NaN is itself. What a condition compares is defined by ``ValueComparison``.
package enum QueryValue: Sendable {
    case missing
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
}

extension QueryValue: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.missing, .missing): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right || (left.isNaN && right.isNaN)
        case (.int(let int), .double(let double)), (.double(let double), .int(let int)): Int64(exactly: double) == int
        case (.string(let left), .string(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .missing: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value):
            if let int = Int64(exactly: value) {
                hasher.combine(int)
            } else {
                hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
            }
        case .string(let value): hasher.combine(value)
        }
    }
}

extension QueryValue: Comparable {
    /// Orders values of all types: missing, false, true, numbers, NaN, text.
    package static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): !left && right
        case (.string(let left), .string(let right)): left < right
        default:
            left.rank != right.rank
                ? left.rank < right.rank : ValueComparison.orderOfNumbers(left, right) == .ascending
        }
    }

    private var rank: Int {
        switch self {
        case .missing: 0
        case .bool: 1
        case .int: 2
        case .double(let value): value.isNaN ? 3 : 2
        case .string: 4
        }
    }
}

extension QueryValue {
    package var isMissing: Bool {
        if case .missing = self { true } else { false }
    }

    /// The value as text, as `contains` and `extract` see it. A whole number has no decimal point.
    package var text: String? {
        switch self {
        case .missing: nil
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): Int64(exactly: value).map { String($0) } ?? "\(value)"
        case .string(let value): value
        }
    }

    /// The value as a number, as `sum` and arithmetic see it. Text counts if it reads as a JSON number.
    package var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value.isNaN ? nil : value
        case .string(let value): Self.number(in: value)?.number
        case .missing, .bool: nil
        }
    }

    /// Reads all of `text` as a JSON number. Returns `nil` for `""`, `" 5"`, `"+5"`, `"007"`, `"0x10"` and `"inf"`.
    package static func number(in text: String) -> QueryValue? {
        let bytes = text.utf8
        guard let first = bytes.first, first == 0x2D || (0x30...0x39).contains(first), bytes.count <= 40 else {
            return nil
        }
        var rest = bytes[...]
        if first == 0x2D { rest = rest.dropFirst() }
        let whole = rest.prefix { (0x30...0x39).contains($0) }
        guard !whole.isEmpty, whole.count == 1 || whole.first != 0x30 else { return nil }
        rest = rest.dropFirst(whole.count)
        if rest.isEmpty, let int = Int64(text) { return .int(int) }
        if rest.first == 0x2E {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        if rest.first == 0x65 || rest.first == 0x45 {
            rest = rest.dropFirst()
            if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
            guard !rest.isEmpty, rest.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(rest.count)
        }
        guard rest.isEmpty, let double = Double(text), double.isFinite else { return nil }
        return .double(double)
    }
}
