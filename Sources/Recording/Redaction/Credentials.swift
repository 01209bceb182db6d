/// What follows `Bearer` and `Basic`, wherever in a text.
enum Credentials {
    /// Credentials are long; a shorter word is prose, as in "basic plan".
    private static let minimumLength = 8

    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in text.indices where index == 0 || !text[index - 1].isWord {
            let name = text.matches("bearer", at: index) ? 6 : (text.matches("basic", at: index) ? 5 : 0)
            guard name > 0 else { continue }
            var start = index + name
            while start < text.count, text[start].isBlank { start += 1 }
            var end = start
            while end < text.count, !endsToken(text[end]) { end += 1 }
            if start > index + name, end - start >= minimumLength { ranges.append(start..<end) }
        }
        return ranges
    }

    /// Whether what stands before the blank at `index` is the name of a scheme.
    @inline(__always)
    static func isName(before index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index >= 5 else { return false }
        switch text[index - 1] | 0x20 {
        case UInt8(ascii: "c"): return text.matches("basic", at: index - 5)
        case UInt8(ascii: "r"): return index >= 6 && text.matches("bearer", at: index - 6)
        default: return false
        }
    }

    private static func endsToken(_ byte: UInt8) -> Bool {
        byte.isBlank || byte.isQuote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }
}
