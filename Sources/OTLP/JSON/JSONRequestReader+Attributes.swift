import AstrolabeTelemetryModel

extension JSONRequestReader {
    /// Reads an array of `KeyValue`.
    mutating func attributes(depth: Int = 0) throws(OTLPDecodingError) -> AttributesBuilder {
        var attributes = AttributesBuilder()
        var array = try scanner.openArray()
        var index = 0
        while try scanner.nextElement(&array) {
            do {
                try keyValue(into: &attributes, depth: depth)
            } catch {
                throw error.within("[\(index)]")
            }
            index += 1
        }
        return attributes
    }

    private mutating func keyValue(into attributes: inout AttributesBuilder, depth: Int) throws(OTLPDecodingError) {
        var key = StringCache.Entry(text: "", bit: 1)
        var value = AttributeValue.empty
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "key": key = try keyEntry(scanner.string())
                case "value": value = try anyValue(depth: depth)
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        try attributes.set(key, to: value, at: scanner.position, &budget)
    }

    mutating func anyValue(depth: Int = 0) throws(OTLPDecodingError) -> AttributeValue {
        var value = AttributeValue.empty
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "stringValue": value = .string(try text())
                case "boolValue": value = .bool(try bool())
                case "intValue": value = .int(try int64())
                case "doubleValue": value = .double(try double())
                case "bytesValue": value = .bytes(try bytes())
                case "arrayValue": value = try list(depth: depth + 1)
                case "kvlistValue": value = try map(depth: depth + 1)
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return value
    }

    private mutating func list(depth: Int) throws(OTLPDecodingError) -> AttributeValue {
        try NestingLimit.checkAnyValue(depth, at: scanner.position)
        var list: [AttributeValue] = []
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "values":
                    try elements(into: &list) { (reader) throws(OTLPDecodingError) in
                        try reader.anyValue(depth: depth)
                    }
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return .array(list)
    }

    private mutating func map(depth: Int) throws(OTLPDecodingError) -> AttributeValue {
        try NestingLimit.checkAnyValue(depth, at: scanner.position)
        var map = AttributesBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "values": map = try attributes(depth: depth)
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return .map(map.finish(&budget))
    }

    private mutating func bytes() throws(OTLPDecodingError) -> [UInt8] {
        let raw = try scanner.string()
        try budget.chargeElements(raw.bytes.count, of: UInt8.self, at: raw.offset)
        let decoded = raw.hasEscapes ? Base64.decode(try JSONStringValue.resolveEscapes(raw)) : Base64.decode(raw.bytes)
        guard let decoded else { throw OTLPDecodingError(at: raw.offset, "expected base64") }
        return decoded
    }
}
