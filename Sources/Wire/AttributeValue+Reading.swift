package import AstrolabeTelemetryModel

extension Attributes {
    /// Reads pairs that ``write(as:to:)`` wrote; `nil` if the bytes are something else.
    package init?(wire bytes: UnsafeRawBufferPointer) {
        self.init(wire: bytes, depth: 0)
    }

    /// Reads the pairs in the fields of this number of a message; those that are no pairs are left out.
    package init(wire bytes: UnsafeRawBufferPointer, field: UInt32) {
        var elements: [Element] = []
        var reader = WireReader(bytes)
        while let next = reader.next() {
            guard next.field == field, case .bytes(let pair) = next.value,
                let element = Self.pair(pair, depth: 0)
            else { continue }
            elements.append(element)
        }
        self.init(elements: elements)
    }

    /// Reads the value of one key, without the others, from the fields of this number of a message.
    package static func value(
        of key: String, wire bytes: UnsafeRawBufferPointer, field: UInt32,
    ) -> AttributeValue? {
        var reader = WireReader(bytes)
        while let next = reader.next() {
            guard next.field == field, case .bytes(let pair) = next.value else { continue }
            var parts = WireReader(pair)
            guard case (KeyValueField.key, .bytes(let name))? = parts.next(), name.elementsEqual(key.utf8) else {
                continue
            }
            return Self.pair(pair, depth: 0)?.value
        }
        return nil
    }

    /// Returns true if the bytes are one pair.
    package static func isPair(wire bytes: UnsafeRawBufferPointer) -> Bool { pair(bytes, depth: 0) != nil }

    fileprivate init?(wire bytes: UnsafeRawBufferPointer, depth: Int) {
        var elements: [Element] = []
        var reader = WireReader(bytes)
        while let (_, value) = reader.next() {
            guard case .bytes(let pair) = value, let element = Self.pair(pair, depth: depth) else { return nil }
            elements.append(element)
        }
        guard reader.isIntact else { return nil }
        self.init(elements: elements)
    }

    private static func pair(_ bytes: UnsafeRawBufferPointer, depth: Int) -> Element? {
        var reader = WireReader(bytes)
        var key = ""
        var value = AttributeValue.empty
        while let field = reader.next() {
            switch field {
            case (KeyValueField.key, .bytes(let text)): key = String(decoding: text, as: UTF8.self)
            case (KeyValueField.value, .bytes(let content)):
                guard let read = AttributeValue(wire: content, depth: depth) else { return nil }
                value = read
            default: return nil
            }
        }
        return reader.isIntact ? Element(key: key, value: value) : nil
    }
}

extension AttributeValue {
    /// Lists and maps nest at most this deep, so that damaged bytes cannot exhaust the stack.
    private static let nestingLimit = 32

    /// Reads an `AnyValue`; `nil` if the bytes are something else.
    package init?(wire bytes: UnsafeRawBufferPointer) {
        self.init(wire: bytes, depth: 0)
    }

    fileprivate init?(wire bytes: UnsafeRawBufferPointer, depth: Int) {
        guard depth <= Self.nestingLimit else { return nil }
        var reader = WireReader(bytes)
        self = .empty
        while let field = reader.next() {
            switch field {
            case (AnyValueField.string, .bytes(let text)): self = .string(String(decoding: text, as: UTF8.self))
            case (AnyValueField.bool, .varint(let number)): self = .bool(number != 0)
            case (AnyValueField.int, .varint(let number)): self = .int(Int64(bitPattern: number))
            case (AnyValueField.double, .fixed64(let bits)): self = .double(Double(bitPattern: bits))
            case (AnyValueField.bytes, .bytes(let content)): self = .bytes(Array(content))
            case (AnyValueField.array, .bytes(let content)):
                guard let list = Self.list(content, depth: depth + 1) else { return nil }
                self = .array(list)
            case (AnyValueField.map, .bytes(let content)):
                guard let map = Attributes(wire: content, depth: depth + 1) else { return nil }
                self = .map(map)
            default: return nil
            }
        }
        guard reader.isIntact else { return nil }
    }

    private static func list(_ bytes: UnsafeRawBufferPointer, depth: Int) -> [AttributeValue]? {
        var reader = WireReader(bytes)
        var list: [AttributeValue] = []
        while let field = reader.next() {
            guard case (ListField.values, .bytes(let content)) = field,
                let element = AttributeValue(wire: content, depth: depth)
            else { return nil }
            list.append(element)
        }
        return reader.isIntact ? list : nil
    }
}
