import AstrolabeOTLP
package import AstrolabeTelemetryModel

/// A buffer for writing JSON.
///
/// Attributes keep their types: integers have no decimal point, doubles always have a decimal point or an exponent. A
/// type that JSON does not have is an object with one key that starts with `$`, such as `{"$bytes": "0aff"}` or
/// `{"$double": "NaN"}`. Integers beyond 2^53, which a browser would round, are `{"$int": "…"}`. Keys of maps that
/// start with `$` get a second `$`.
package struct JSONText: Sendable {
    package var bytes: [UInt8]

    package init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The maximum magnitude of integers that a JSON parser with doubles reads exactly.
    package static let exactLimit: Int64 = 1 << 53

    /// The maximum depth. Deeper arrays and maps are written as `null`.
    static let depthLimit = 32
}

extension JSONText {
    package mutating func append(raw text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends text that is already JSON.
    package mutating func append(json text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func append(_ value: some BinaryInteger) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { buffer in
            var index = buffer.count
            var rest = UInt64(value.magnitude)
            repeat {
                index -= 1
                buffer[index] = UInt8(0x30 + rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                index -= 1
                buffer[index] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: buffer[index...])
        }
    }

    /// Appends a number of things, also one that a browser would round.
    package mutating func append(exact count: UInt64) {
        guard count > UInt64(Self.exactLimit) else { return append(count) }
        append(raw: #"{"$int":""#)
        append(count)
        append(raw: #""}"#)
    }

    /// Appends a quoted string.
    package mutating func append(_ text: String) {
        bytes.append(jsonString: text)
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x57 + nibble
    }
}

extension JSONText {
    package mutating func append(_ attributes: Attributes) {
        append(members: attributes, depth: 0, isTop: true)
    }

    package mutating func append(_ value: AttributeValue) {
        append(value, depth: 0)
    }

    /// - Parameter isTop: Whether these are a record's attributes, whose keys are written as they are.
    private mutating func append(members attributes: Attributes, depth: Int, isTop: Bool = false) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for element in attributes {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(!isTop && element.key.utf8.first == UInt8(ascii: "$") ? "$" + element.key : element.key)
            bytes.append(UInt8(ascii: ":"))
            append(element.value, depth: depth + 1)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func append(_ value: AttributeValue, depth: Int) {
        guard depth <= Self.depthLimit else { return append(raw: "null") }
        switch value {
        case .empty: append(raw: "null")
        case .string(let text): append(text)
        case .bool(true): append(raw: "true")
        case .bool(false): append(raw: "false")
        case .int(let number) where number.magnitude <= Self.exactLimit.magnitude: append(number)
        case .int(let number):
            append(raw: #"{"$int":""#)
            append(number)
            append(raw: #""}"#)
        case .double(let number) where number.isFinite: append(json: number.description)
        case .double(let number):
            append(raw: #"{"$double":"#)
            append(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
            append(raw: "}")
        case .bytes(let content):
            append(raw: #"{"$bytes":""#)
            for byte in content {
                bytes.append(Self.hexDigit(byte >> 4))
                bytes.append(Self.hexDigit(byte & 0xF))
            }
            append(raw: #""}"#)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "]"))
        case .map(let values): append(members: values, depth: depth)
        }
    }
}
