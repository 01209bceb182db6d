package import AstrolabeTelemetryModel

extension JSONText {
    /// Parses the output of `append(_: Attributes)`; `nil` if the text is invalid.
    package static func attributes(in text: String) -> Attributes? {
        var reader = JSONReader(text)
        guard case .map(let attributes)? = reader.value(depth: 0), reader.isAtEnd else { return nil }
        return attributes
    }

    /// Parses the output of `append(_: AttributeValue)`; `nil` if the text is invalid.
    package static func value(in text: String) -> AttributeValue? {
        var reader = JSONReader(text)
        // A value starts at depth 1. At depth 0, an object is a list of attributes, whose keys are not escaped.
        guard let value = reader.value(depth: 1), reader.isAtEnd else { return nil }
        return value
    }

    /// Parses what was written member by member and element by element; `nil` if the text is invalid.
    ///
    /// Members with the name "attributes" are a record's attributes. An integer beyond 2^63 is its digits as a string.
    package static func structure(in text: String) -> AttributeValue? {
        var reader = JSONReader(text)
        guard let value = reader.value(depth: 1, isStructure: true), reader.isAtEnd else { return nil }
        return value
    }
}

/// Reads the JSON of attributes back into values.
///
/// It reads what ``JSONText`` wrote and nothing else: no white space, no escapes but those, the tags of its types. The
/// decoder of OTLP/JSON (`JSONScanner`) reads what strangers send: it bounds memory and names the place of each fault.
private struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }

    /// - Parameter isStructure: Whether this is a part of a structure, and not of a record's attributes.
    mutating func value(depth: Int, isStructure: Bool = false) -> AttributeValue? {
        guard depth <= JSONText.depthLimit + 2, let byte = peek else { return nil }
        switch byte {
        case UInt8(ascii: "\""): return string().map(AttributeValue.string)
        case UInt8(ascii: "{"): return object(depth: depth, isStructure)
        case UInt8(ascii: "["): return array(depth: depth, isStructure)
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .empty : nil
        default: return number()
        }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }

    private mutating func array(depth: Int, _ isStructure: Bool) -> AttributeValue? {
        guard take(UInt8(ascii: "[")) else { return nil }
        var values: [AttributeValue] = []
        if take(UInt8(ascii: "]")) { return .array(values) }
        repeat {
            guard let value = value(depth: depth + 1, isStructure: isStructure) else { return nil }
            values.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .array(values) : nil
    }

    private mutating func object(depth: Int, _ isStructure: Bool) -> AttributeValue? {
        guard take(UInt8(ascii: "{")) else { return nil }
        var elements: [Attributes.Element] = []
        if take(UInt8(ascii: "}")) { return .map(Attributes()) }
        repeat {
            guard let key = string(), take(UInt8(ascii: ":")) else { return nil }
            let isInner = isStructure && key != "attributes"
            guard let value = value(depth: isStructure && !isInner ? 0 : depth + 1, isStructure: isInner) else {
                return nil
            }
            // A dollar sign may be a part of a character, so bytes are compared.
            let dollars = depth > 0 ? key.utf8.prefix(2).prefix { $0 == UInt8(ascii: "$") }.count : 0
            if dollars == 1 { return take(UInt8(ascii: "}")) ? tagged(key, value, isStructure) : nil }
            elements.append(
                .init(key: dollars == 2 ? String(decoding: key.utf8.dropFirst(), as: UTF8.self) : key, value: value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .map(Attributes(uniqueElements: elements)) : nil
    }

    private func tagged(_ tag: String, _ value: AttributeValue, _ isStructure: Bool) -> AttributeValue? {
        guard let text = value.stringValue else { return nil }
        switch tag {
        case "$int":
            return Int64(text).map(AttributeValue.int)
                ?? (isStructure ? .string(text) : Double(text).map(AttributeValue.double))
        case "$double": return Double(text).map(AttributeValue.double)
        case "$bytes":
            let digits = Array(text.utf8)
            guard digits.count.isMultiple(of: 2) else { return nil }
            var content: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[index...(index + 1)], as: UTF8.self)
                guard let byte = UInt8(pair, radix: 16) else { return nil }
                content.append(byte)
            }
            return .bytes(content)
        default: return nil
        }
    }

    private mutating func number() -> AttributeValue? {
        let start = position
        while let byte = peek, Self.isNumeric(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let integer = Int64(text) { return .int(integer) }
        return Double(text).map(AttributeValue.double)
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func string() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        let plain = bytes[start..<position]
        // Few texts have an escape.
        if take(UInt8(ascii: "\"")) { return String(decoding: plain, as: UTF8.self) }
        var content = Array(plain)
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                content.append(escaped)
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> UInt8? {
        guard let byte = peek else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return byte
        case UInt8(ascii: "u"):
            guard position + 4 <= bytes.count else { return nil }
            defer { position += 4 }
            return UInt8(String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
        default: return nil
        }
    }
}
