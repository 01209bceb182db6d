/// The kind of text that a run of bytes is.
enum UTF8Scan: Equatable {
    case ascii
    case unicode
    /// Not UTF-8; `offset` is where the first ill-formed sequence begins.
    case invalid(offset: Int)

    /// Checks bytes as RFC 3629 defines UTF-8: no overlong forms, no surrogates, nothing past U+10FFFF.
    init(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        var isASCII = true
        while position < bytes.count {
            if position + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                position += 8
            } else if bytes[position] < 0x80 {
                position += 1
            } else {
                let length = Self.sequenceLength(bytes, at: position)
                guard length > 0 else {
                    self = .invalid(offset: position)
                    return
                }
                isASCII = false
                position += length
            }
        }
        self = isASCII ? .ascii : .unicode
    }

    /// The length of the well-formed sequence of two to four bytes at `position`, or 0 (Unicode 16, table 3-7).
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        let secondByte: ClosedRange<UInt8>
        let length: Int
        switch bytes[position] {
        case 0xC2...0xDF: (length, secondByte) = (2, 0x80...0xBF)
        case 0xE0: (length, secondByte) = (3, 0xA0...0xBF)
        case 0xED: (length, secondByte) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, secondByte) = (3, 0x80...0xBF)
        case 0xF0: (length, secondByte) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, secondByte) = (4, 0x80...0xBF)
        case 0xF4: (length, secondByte) = (4, 0x80...0x8F)
        default: return 0
        }
        guard bytes.count - position >= length, secondByte.contains(bytes[position + 1]) else { return 0 }
        for index in 2..<max(length, 2) where bytes[position + index] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
