/// JSON Web Tokens in a text (RFC 7519): base64url parts after dots, of which the first is a JSON object and so begins
/// with `eyJ`.
enum JSONWebToken {
    /// The shortest header, `{"alg":"…"}`, has more; what is shorter is a word.
    private static let headerLength = 8

    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        text.ranges { index in
            guard text.hasBytes("eyJ", at: index), index == 0 || !text[index - 1].isWord else { return nil }
            return endOfToken(from: index, in: text)
        }
    }

    private static func endOfToken(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var end = endOfPart(from: start, in: text)
        guard end - start >= headerLength else { return nil }
        var parts = 1
        while end < text.count, text[end] == UInt8(ascii: ".") {
            let next = endOfPart(from: end + 1, in: text)
            // An unsigned token ends in a dot; the dot of a sentence is none of it.
            if next == end + 1, parts != 2 { break }
            if parts == 1, next - end <= 2 { break }
            end = next
            parts += 1
        }
        return parts > 1 ? end : nil
    }

    private static func endOfPart(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var end = start
        while end < text.count, text[end].isBase64URL { end += 1 }
        return end
    }
}

extension UInt8 {
    /// A letter, a digit, `-` or `_`.
    @inline(__always) var isBase64URL: Bool { isWord || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}
