/// A value of any type that OTLP's `AnyValue` knows.
///
///     let quantity: AttributeValue = 3
///     let tags: AttributeValue = ["telescopes", "travel"]
///     let product: AttributeValue = ["id": "OLJCESPC7Z", "price": ["amount": 101.96, "currency": "USD"]]
public enum AttributeValue: Hashable, Sendable {
    /// An `AnyValue` with no value set.
    case empty
    /// A text.
    case string(String)
    /// A truth value.
    case bool(Bool)
    /// A signed 64-bit integer.
    case int(Int64)
    /// A floating-point number.
    case double(Double)
    /// Raw bytes.
    case bytes([UInt8])
    /// Values in order.
    case array([AttributeValue])
    /// Values by key.
    case map(Attributes)
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(arrayLiteral elements: AttributeValue...) { self = .array(elements) }
    public init(dictionaryLiteral entries: (String, AttributeValue)...) {
        self = .map(Attributes(elements: entries.map { Attributes.Element(key: $0.0, value: $0.1) }))
    }
}

extension AttributeValue {
    package init(_ value: String) { self = .string(value) }
    package init(_ value: Bool) { self = .bool(value) }
    package init(_ value: some BinaryInteger) { self = .int(Int64(clamping: value)) }
    package init(_ value: Double) { self = .double(value) }
    package init(_ value: [String]) { self = .array(value.map(AttributeValue.string)) }

    /// The text, where this is a string.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number, where this is an integer.
    public var intValue: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The number, where this is a double or an integer.
    public var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }

    /// The truth value, where this is one.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }
}

extension AttributeValue: CustomStringConvertible {
    /// The value as a person would read it; bytes are lower-case hexadecimal.
    public var description: String {
        switch self {
        case .empty: ""
        case .string(let value): value
        case .bool(let value): String(value)
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .bytes(let value): value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        case .array(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .map(let values): "{" + values.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }
}
