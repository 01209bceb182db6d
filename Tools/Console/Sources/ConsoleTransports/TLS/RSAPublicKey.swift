/// The public key of an RSA certificate.
enum RSAPublicKey {
    /// The object identifier rsaEncryption, 1.2.840.113549.1.1.1.
    private static let algorithm: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    /// Returns the length of the modulus in bits; `nil` for a key of another kind.
    ///
    /// - Parameter info: A SubjectPublicKeyInfo of RFC 5280: a sequence of the algorithm and a bit string. For RSA the
    ///   bit string has a sequence of the modulus and the exponent (RFC 8017).
    static func bits(_ info: [UInt8]) -> Int? {
        var outer = DERElements(info[...])
        guard let content = outer.next(.sequence) else { return nil }
        var fields = DERElements(content)
        guard let identifier = fields.next(.sequence) else { return nil }
        var name = DERElements(identifier)
        guard name.next(.objectIdentifier) == algorithm[...], let text = fields.next(.bitString) else { return nil }
        // The first byte is the number of unused bits.
        var wrapped = DERElements(text.dropFirst())
        guard let key = wrapped.next(.sequence) else { return nil }
        var numbers = DERElements(key)
        guard let modulus = numbers.next(.integer)?.drop(while: { $0 == 0 }), let first = modulus.first else {
            return nil
        }
        return modulus.count * 8 - first.leadingZeroBitCount
    }
}

/// Reads the elements of DER (ITU-T X.690) one after another.
private struct DERElements {
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case objectIdentifier = 0x06
        case sequence = 0x30
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Returns the content of the next element; `nil` if it is another one.
    mutating func next(_ tag: Tag) -> ArraySlice<UInt8>? {
        guard rest.popFirst() == tag.rawValue, let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let digits = rest.prefix(length - 0x80)
            guard digits.count <= 4 else { return nil }
            length = digits.reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(digits.count)
        }
        guard length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }
}
