import AstrolabeTelemetryModel
import AstrolabeWire

/// The bytes are no `ExportProfilesServiceRequest`.
struct ProfileError: Error, CustomStringConvertible {
    let description: String
}

/// Reads the messages of profiles, field by field.
enum ProfileMessage {
    /// Calls `take` for each field.
    static func read(
        _ bytes: UnsafeRawBufferPointer,
        _ take: (UInt32, WireReader.Value) throws(ProfileError) -> Void,
    ) throws(ProfileError) {
        var reader = WireReader(bytes)
        while let (field, value) = reader.next() { try take(field, value) }
        guard reader.isIntact else {
            throw ProfileError(description: "expected a request of OTLP's profiles in protobuf")
        }
    }

    /// The numbers of a repeated field, packed or not.
    static func numbers(_ value: WireReader.Value) throws(ProfileError) -> [UInt64] {
        switch value {
        case .varint(let number), .fixed64(let number): return [number]
        case .fixed32(let number): return [UInt64(number)]
        case .bytes(let packed):
            var numbers: [UInt64] = []
            var (number, shift) = (UInt64(0), UInt64(0))
            for byte in packed {
                guard shift < 70 else { throw ProfileError(description: "expected a number of at most 10 bytes") }
                number |= shift < 64 ? UInt64(byte & 0x7F) << shift : 0
                shift += 7
                guard byte < 0x80 else { continue }
                numbers.append(number)
                (number, shift) = (0, 0)
            }
            guard shift == 0 else { throw ProfileError(description: "expected the end of a number") }
            return numbers
        }
    }

    /// Lowercase hexadecimal digits; empty for more bytes than an id has.
    static func hex(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.count <= 16 else { return "" }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the number of values of 8 bytes in a repeated field.
    static func fixedCount(_ value: WireReader.Value) -> Int {
        switch value {
        case .fixed64: 1
        case .bytes(let packed): packed.count / 8
        case .varint, .fixed32: 0
        }
    }

    /// A pair of key and value, of which either may be an index of the dictionary. `nil` without a key.
    ///
    /// - Parameters:
    ///   - key: The field with the key's text.
    ///   - keyIndex: The field with the index of the key's text.
    static func attribute(
        _ bytes: UnsafeRawBufferPointer, key: UInt32? = 1, keyIndex: UInt32 = 3, in dictionary: ProfileDictionary,
    ) throws(ProfileError) -> (String, AttributeValue)? {
        var name = ""
        var found = AttributeValue.empty
        try read(bytes) { field, value in
            switch (field, value) {
            case (key, .bytes(let text)): name = String(decoding: text.prefix(500), as: UTF8.self)
            case (keyIndex, .varint(let index)): name = dictionary.string(index)
            case (2, .bytes(let content)): found = anyValue(content, in: dictionary)
            default: break
            }
        }
        return name.isEmpty ? nil : (name, found)
    }

    /// The pairs of a `Resource` or `InstrumentationScope`, which are in the field `field`.
    static func attributes(
        _ bytes: UnsafeRawBufferPointer, field pairs: UInt32, in dictionary: ProfileDictionary,
    ) throws(ProfileError) -> Attributes {
        var attributes: Attributes = [:]
        try read(bytes) { field, value throws(ProfileError) in
            guard field == pairs, case .bytes(let pair) = value,
                let (key, value) = try attribute(pair, in: dictionary)
            else { return }
            attributes[key] = value
        }
        return attributes
    }

    private static func anyValue(
        _ bytes: UnsafeRawBufferPointer, in dictionary: ProfileDictionary,
    ) -> AttributeValue {
        var reader = WireReader(bytes)
        // `string_value_strindex`, which only profiles have.
        if case (8, .varint(let index))? = reader.next() { return .string(dictionary.string(index)) }
        return AttributeValue(wire: bytes) ?? .empty
    }
}
