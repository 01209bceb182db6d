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

    /// The encoded value. Tests that send many requests spend little time here.
    package var bytes: [UInt8] {
        get throws {
            var bytes: [UInt8] = []
            try append(to: &bytes)
            return bytes
        }
    }

    /// A number that JSON does not have.
    private struct UnsupportedNumber: Error {
        let number: Double
    }

    private func append(to bytes: inout [UInt8]) throws {
        switch self {
        case .string(let text): Self.append(text, to: &bytes)
        case .number(let number):
            guard number.isFinite else { throw UnsupportedNumber(number: number) }
            bytes += Array(number.description.utf8)
        case .integer(let number): bytes += Array(String(number).utf8)
        case .truth(let truth): bytes += Array((truth ? "true" : "false").utf8)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            var isFirst = true
            for (name, value) in members {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                Self.append(name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case ..<0x20: bytes += Array((byte < 16 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
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
