import Foundation

/// A JSON value written as Swift literals.
package enum JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case string(String)
    case number(Double)
    case integer(Int)
    case truth(Bool)
    case array([JSON])
    case object([String: JSON])

    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .truth(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral pairs: (String, JSON)...) { self = .object(Dictionary(uniqueKeysWithValues: pairs)) }

    package var bytes: [UInt8] {
        get throws { Array(try JSONSerialization.data(withJSONObject: plain)) }
    }

    /// The encoded value with sorted keys, so that equal values have equal bytes.
    package var sortedBytes: [UInt8] {
        get throws { Array(try JSONSerialization.data(withJSONObject: plain, options: .sortedKeys)) }
    }

    private var plain: Any {
        switch self {
        case .string(let value): value
        case .number(let value): value
        case .integer(let value): value
        case .truth(let value): value
        case .array(let values): values.map(\.plain)
        case .object(let values): values.mapValues(\.plain)
        }
    }
}

/// A JSON response, read by path: `response["sessions"][0]["id"].text`.
package struct JSONResponse: @unchecked Sendable {  // The objects of JSONSerialization are never mutated.
    private let value: Any?

    package init(_ bytes: [UInt8]) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    private init(value: Any?) {
        self.value = value
    }

    package subscript(name: String) -> JSONResponse { JSONResponse(value: (value as? [String: Any])?[name]) }

    package subscript(index: Int) -> JSONResponse {
        guard let values = value as? [Any], values.indices.contains(index) else { return JSONResponse(value: nil) }
        return JSONResponse(value: values[index])
    }

    package var text: String? { value as? String }
    package var double: Double? { (value as? NSNumber)?.doubleValue }
    package var int: Int? { (value as? NSNumber)?.intValue }
    package var bool: Bool? { (value as? NSNumber)?.boolValue }
    package var elements: [JSONResponse] { (value as? [Any])?.map { JSONResponse(value: $0) } ?? [] }
    package var isMissing: Bool { value == nil || value is NSNull }
}
