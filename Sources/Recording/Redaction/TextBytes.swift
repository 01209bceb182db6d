/// The bytes of a text, as redaction reads them.
extension UnsafeBufferPointer<UInt8> {
    /// Returns true if these bytes occur at `index`. False for an index out of range.
    @inline(__always)
    func hasBytes(_ pattern: StaticString, at index: Int) -> Bool {
        let length = pattern.utf8CodeUnitCount
        guard index >= 0, index + length <= count else { return false }
        for offset in 0..<length where self[index + offset] != pattern.utf8Start[offset] { return false }
        return true
    }

    /// Returns true if `pattern`, which is lower-case ASCII, occurs at `index` in either case.
    @inline(__always)
    func matches(_ pattern: StaticString, at index: Int) -> Bool {
        let length = pattern.utf8CodeUnitCount
        guard index + length <= count else { return false }
        for offset in 0..<length where self[index + offset].lowercase != pattern.utf8Start[offset] { return false }
        return true
    }

    /// The ranges that begin where `end` finds the end of one, from the first byte on. They do not overlap.
    @inline(__always)
    func ranges(_ end: (_ start: Int) -> Int?) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index < count {
            if let end = end(index) {
                ranges.append(index..<end)
                index = end
            } else {
                index += 1
            }
        }
        return ranges
    }

    /// The text of a range, with its ASCII letters in lower case.
    func lowercased(_ range: Range<Int>) -> String {
        String(decoding: self[range].map(\.lowercase), as: UTF8.self)
    }
}

extension UInt8 {
    @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }
    @inline(__always) var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    @inline(__always) var isWord: Bool { isDigit || isLetter }
    @inline(__always) var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }
    /// A space or a control character.
    @inline(__always) var isBlank: Bool { self <= 0x20 }
    @inline(__always) var isQuote: Bool { self == 0x22 || self == 0x27 || self == 0x60 }
    @inline(__always) var isUppercase: Bool { self &- 0x41 < 26 }
    @inline(__always) var isLowercase: Bool { self &- 0x61 < 26 }
    /// An ASCII letter in lower case, any other byte as it is.
    @inline(__always) var lowercase: UInt8 { isUppercase ? self | 0x20 : self }
}
