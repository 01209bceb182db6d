/// Credentials after `Bearer`, `Basic` and `Token`, wherever in a text.
enum Credentials {
    /// Credentials are long; a shorter word is prose, as in "basic plan".
    private static let minimumLength = 8
    /// `Token` is a word of many sentences, so that only a long one with a digit follows it.
    private static let minimumTokenLength = 16

    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in text.indices where index == 0 || !text[index - 1].isWord {
            let isToken = text.matches("token", at: index)
            let name = text.matches("bearer", at: index) ? 6 : (isToken || text.matches("basic", at: index) ? 5 : 0)
            guard name > 0 else { continue }
            var start = index + name
            while start < text.count, text[start].isBlank { start += 1 }
            var end = start
            while end < text.count, !endsToken(text[end]) { end += 1 }
            let isCredential =
                isToken
                ? end - start >= minimumTokenLength && text[start..<end].contains(where: \.isDigit)
                : end - start >= minimumLength
            if start > index + name, isCredential { ranges.append(start..<end) }
        }
        return ranges
    }

    /// Returns true if the name of a scheme stands before the blank at `index`.
    @inline(__always)
    static func isName(before index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index >= 5 else { return false }
        switch text[index - 1] | 0x20 {
        case UInt8(ascii: "c"): return text.matches("basic", at: index - 5)
        case UInt8(ascii: "n"): return text.matches("token", at: index - 5)
        case UInt8(ascii: "r"): return index >= 6 && text.matches("bearer", at: index - 6)
        default: return false
        }
    }

    private static func endsToken(_ byte: UInt8) -> Bool {
        byte.isBlank || byte.isQuote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }
}
