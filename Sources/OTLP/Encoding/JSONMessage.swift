import AstrolabeTelemetryModel

/// JSON, one object within the other.
struct JSONMessage: OTLPMessage {
    private(set) var bytes: [UInt8] = []

    mutating func object(_ write: (inout JSONMessage) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        write(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func array<Element>(_ elements: [Element], _ write: (inout JSONMessage, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        for element in elements {
            separate(after: "[")
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func member(_ name: String, _ write: (inout JSONMessage) -> Void) {
        separate(after: "{")
        bytes.append(jsonString: name)
        bytes.append(UInt8(ascii: ":"))
        write(&self)
    }

    /// Nothing within an object or an array ends with the byte that opens it.
    private mutating func separate(after opening: Unicode.Scalar) {
        if bytes.last != UInt8(ascii: opening) { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// A 64-bit integer is text, because JavaScript rounds it.
    private mutating func append(quoted number: some BinaryInteger) { append("\"\(number)\"") }

    private mutating func append(_ number: Double) {
        if number.isFinite { return append(number.description) }
        append(number.isNaN ? "\"NaN\"" : number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }

    private mutating func append(_ value: AttributeValue) {
        object { message in
            switch value {
            case .empty: break
            case .string(let text): message.member("stringValue") { $0.bytes.append(jsonString: text) }
            case .bool(let truth): message.member("boolValue") { $0.append(truth.description) }
            case .int(let number): message.member("intValue") { $0.append(quoted: number) }
            case .double(let number): message.member("doubleValue") { $0.append(number) }
            case .bytes(let content): message.member("bytesValue") { $0.append("\"\(Base64.encode(content))\"") }
            case .array(let values):
                message.member("arrayValue") { message in
                    message.object { $0.member("values") { $0.array(values) { $0.append($1) } } }
                }
            case .map(let members):
                message.member("kvlistValue") { $0.object { $0.member("values") { $0.append(members) } } }
            }
        }
    }

    private mutating func append(_ attributes: Attributes) {
        array(Array(attributes)) { message, pair in
            message.object {
                $0.member("key") { $0.bytes.append(jsonString: pair.key) }
                $0.member("value") { $0.append(pair.value) }
            }
        }
    }
}

extension JSONMessage {
    mutating func text(_ number: UInt32, _ name: String, _ value: String) {
        if !value.isEmpty { member(name) { $0.bytes.append(jsonString: value) } }
    }

    mutating func id(_ number: UInt32, _ name: String, _ value: TraceID) {
        if value.isValid { text(number, name, value.hex) }
    }

    mutating func id(_ number: UInt32, _ name: String, _ value: SpanID) {
        if value.isValid { text(number, name, value.hex) }
    }

    mutating func bool(_ number: UInt32, _ name: String, _ value: Bool) {
        if value { member(name) { $0.append("true") } }
    }

    mutating func uint32(_ number: UInt32, _ name: String, _ value: UInt32) {
        if value != 0 { member(name) { $0.append(value.description) } }
    }

    mutating func int32(_ number: UInt32, _ name: String, _ value: Int32) {
        if value != 0 { member(name) { $0.append(value.description) } }
    }

    mutating func sint32(_ number: UInt32, _ name: String, _ value: Int32) { int32(number, name, value) }

    mutating func fixed32(_ number: UInt32, _ name: String, _ value: UInt32) { uint32(number, name, value) }

    mutating func fixed64(_ number: UInt32, _ name: String, _ value: UInt64) {
        if value != 0 { member(name) { $0.append(quoted: value) } }
    }

    mutating func optional(_ number: UInt32, _ name: String, _ value: Int64?) {
        if let value { member(name) { $0.append(quoted: value) } }
    }

    mutating func optional(_ number: UInt32, _ name: String, _ value: Double?) {
        if let value { member(name) { $0.append(value) } }
    }

    mutating func varints(_ number: UInt32, _ name: String, _ values: [UInt64]) {
        if !values.isEmpty { member(name) { $0.array(values) { $0.append(quoted: $1) } } }
    }

    mutating func fixed64s(_ number: UInt32, _ name: String, _ values: [UInt64]) { varints(number, name, values) }

    mutating func doubles(_ number: UInt32, _ name: String, _ values: [Double]) {
        if !values.isEmpty { member(name) { $0.array(values) { $0.append($1) } } }
    }

    mutating func attributes(_ number: UInt32, _ name: String, _ attributes: Attributes) {
        if !attributes.isEmpty { member(name) { $0.append(attributes) } }
    }

    mutating func value(_ number: UInt32, _ name: String, _ value: AttributeValue) {
        if value != .empty { member(name) { $0.append(value) } }
    }

    mutating func message(_ number: UInt32, _ name: String, _ write: (inout JSONMessage) -> Void) {
        member(name) { $0.object(write) }
    }

    mutating func messages<Element>(
        _ number: UInt32, _ name: String, _ elements: [Element], _ write: (inout JSONMessage, Element) -> Void,
    ) {
        guard !elements.isEmpty else { return }
        member(name) { $0.array(elements) { message, element in message.object { write(&$0, element) } } }
    }
}

extension [UInt8] {
    /// Appends a text in quotes, with escapes for quotes, backslashes and control characters.
    package mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var plain = 0
        for (index, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            append(contentsOf: text[plain..<index])
            plain = index + 1
            append(UInt8(ascii: "\\"))
            switch byte {
            case 0x0A: append(UInt8(ascii: "n"))
            case 0x0D: append(UInt8(ascii: "r"))
            case 0x09: append(UInt8(ascii: "t"))
            case 0x22, 0x5C: append(byte)
            default: append(contentsOf: [0x75, 0x30, 0x30, Self.hexDigit(byte >> 4), Self.hexDigit(byte & 0xF)])
            }
        }
        append(contentsOf: text[plain...])
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }
}
