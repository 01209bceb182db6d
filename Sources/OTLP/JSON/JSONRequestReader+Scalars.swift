import AstrolabeTelemetryModel

extension JSONRequestReader {
    /// The name of the next member that has a value, in `lowerCamelCase`; `nil` at the end of the object.
    mutating func nextField(_ object: inout JSONScanner.Container) throws(OTLPDecodingError) -> String? {
        while let raw = try scanner.nextKey(&object) {
            let name = try keyEntry(raw).text
            if scanner.take(literal: "null") { continue }
            return name.utf8.contains(UInt8(ascii: "_")) ? name.camelCased : name
        }
        return nil
    }

    /// Reads an array into `array`, instead of what it held; `read` may leave an element out.
    mutating func elements<Element>(
        into array: inout [Element], _ read: (inout JSONRequestReader) throws(OTLPDecodingError) -> Element?,
    ) throws(OTLPDecodingError) {
        array = []
        var container = try scanner.openArray()
        var index = 0
        while try scanner.nextElement(&container) {
            do {
                if let element = try read(&self) {
                    try budget.append(element, to: &array, at: scanner.position)
                }
            } catch {
                throw error.within("[\(index)]")
            }
            index += 1
        }
    }

    mutating func text() throws(OTLPDecodingError) -> String {
        let raw = try scanner.string()
        guard !raw.hasEscapes else { return try resolved(raw) }
        return try values.entry(for: raw.bytes, at: raw.offset, &budget).text
    }

    mutating func keyEntry(_ raw: JSONScanner.RawString) throws(OTLPDecodingError) -> StringCache.Entry {
        guard !raw.hasEscapes else { return StringCache.Entry(text: try resolved(raw), bit: .max) }
        return try keys.entry(for: raw.bytes, at: raw.offset, &budget)
    }

    private mutating func resolved(_ raw: JSONScanner.RawString) throws(OTLPDecodingError) -> String {
        let bytes = try JSONStringValue.resolveEscapes(raw)
        try budget.chargeString(length: bytes.count, at: raw.offset)
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func bool() throws(OTLPDecodingError) -> Bool {
        if scanner.take(literal: "true") { return true }
        if scanner.take(literal: "false") { return false }
        throw scanner.unexpected("true or false")
    }

    mutating func uint64() throws(OTLPDecodingError) -> UInt64 {
        let (text, offset) = try numberText()
        let (isNegative, magnitude) = try JSONNumber.integer(text, at: offset)
        guard !isNegative || magnitude == 0 else {
            throw OTLPDecodingError(at: offset, "expected a number that is not negative")
        }
        return magnitude
    }

    mutating func int64() throws(OTLPDecodingError) -> Int64 {
        let (text, offset) = try numberText()
        let (isNegative, magnitude) = try JSONNumber.integer(text, at: offset)
        if isNegative, magnitude == Int64.min.magnitude { return .min }
        guard let value = Int64(exactly: magnitude) else {
            throw OTLPDecodingError(at: offset, "expected a number from -2^63 to 2^63 - 1")
        }
        return isNegative ? -value : value
    }

    mutating func uint32() throws(OTLPDecodingError) -> UInt32 {
        let offset = scanner.position
        guard let value = UInt32(exactly: try uint64()) else {
            throw OTLPDecodingError(at: offset, "expected a number of at most 32 bits")
        }
        return value
    }

    mutating func int32() throws(OTLPDecodingError) -> Int32 {
        let offset = scanner.position
        guard let value = Int32(exactly: try int64()) else {
            throw OTLPDecodingError(at: offset, "expected a number from -2^31 to 2^31 - 1")
        }
        return value
    }

    mutating func double() throws(OTLPDecodingError) -> Double {
        if scanner.peek() == UInt8(ascii: "\"") {
            var probe = scanner
            let raw = try probe.string()
            let special: Double? =
                if raw.bytes.elementsEqual("NaN".utf8) {
                    .nan
                } else if raw.bytes.elementsEqual("Infinity".utf8) {
                    .infinity
                } else if raw.bytes.elementsEqual("-Infinity".utf8) {
                    -.infinity
                } else {
                    nil
                }
            if let special {
                scanner = probe
                return special
            }
        }
        let (text, offset) = try numberText()
        return try JSONNumber.double(text, at: offset)
    }

    /// An enumeration's number, given as such or by the name of a value.
    mutating func enumeration(_ names: EnumerationNames) throws(OTLPDecodingError) -> Int32 {
        guard scanner.peek() == UInt8(ascii: "\"") else {
            let offset = scanner.position
            guard let value = Int32(exactly: try int64()) else {
                throw OTLPDecodingError(at: offset, "expected a number of at most 32 bits")
            }
            return value
        }
        let raw = try scanner.string()
        let name = raw.hasEscapes ? try resolved(raw) : String(decoding: raw.bytes.prefix(64), as: UTF8.self)
        guard let value = names[name] else {
            throw OTLPDecodingError(at: raw.offset, "expected a number or a name such as \(names.example)")
        }
        return value
    }

    mutating func traceID() throws(OTLPDecodingError) -> TraceID {
        let raw = try scanner.string()
        guard raw.bytes.count > 0 else { return .invalid }
        guard raw.bytes.count == 32 else { throw Self.badIdentifier(raw, digits: 32) }
        return TraceID(high: try hex(raw, 0..<16), low: try hex(raw, 16..<32))
    }

    mutating func spanID() throws(OTLPDecodingError) -> SpanID {
        let raw = try scanner.string()
        guard raw.bytes.count > 0 else { return .invalid }
        guard raw.bytes.count == 16 else { throw Self.badIdentifier(raw, digits: 16) }
        return SpanID(try hex(raw, 0..<16))
    }

    private func hex(_ raw: JSONScanner.RawString, _ range: Range<Int>) throws(OTLPDecodingError) -> UInt64 {
        var value: UInt64 = 0
        for index in range {
            guard let digit = HexDigit.value(raw.bytes[index]) else {
                throw OTLPDecodingError(at: raw.offset + index, "expected a hex digit")
            }
            value = value << 4 | UInt64(digit)
        }
        return value
    }

    private static func badIdentifier(_ raw: JSONScanner.RawString, digits: Int) -> OTLPDecodingError {
        OTLPDecodingError(
            at: raw.offset,
            "expected \(digits) hex digits (OTLP writes ids in hex, not base64), got \(raw.bytes.count) character(s)",
        )
    }

    /// The text of a number, which may stand in quotes.
    private mutating func numberText() throws(OTLPDecodingError) -> (UnsafeRawBufferPointer, offset: Int) {
        guard scanner.peek() == UInt8(ascii: "\"") else {
            let offset = scanner.position
            return (try scanner.number(), offset)
        }
        let raw = try scanner.string()
        var inner = scanner.scanner(within: raw)
        let text = try inner.number()
        guard text.count == raw.bytes.count else {
            throw OTLPDecodingError(at: raw.offset, "expected nothing but a number between the quotes")
        }
        return (text, raw.offset)
    }
}

extension OTLPDecodingError {
    /// The same error seen from the object around a member. A name that is no identifier might be anyone's secret.
    @inline(never)
    func within(member name: String) -> OTLPDecodingError {
        let isIdentifier =
            name.utf8.count <= 40
            && name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        return within(isIdentifier ? name : "(unknown)")
    }
}

extension String {
    /// `trace_id` as `traceId`, the form that the schema's names take in JSON.
    fileprivate var camelCased: String {
        var name = ""
        var startsWord = false
        for character in self {
            if character == "_" {
                startsWord = true
            } else {
                name += startsWord ? character.uppercased() : String(character)
                startsWord = false
            }
        }
        return name
    }
}
