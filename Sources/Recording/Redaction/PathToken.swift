/// Long random tokens in the paths of URLs, such as those of links that sign in or reset a password.
///
/// An odd pair is two letters that do not follow each other in words, or a letter beside a digit. A part of a path is a
/// token if it has 16 characters or more, and four odd pairs or more, which are a third of all its pairs. So is a word
/// of more than 30 letters. UUIDs and hexadecimal ids are tokens; words, numbers, dates and versions are not.
enum PathToken {
    /// The least length of a part of a path.
    static let minimumLength = 16

    private static let leastOddPairs = 4
    private static let longestWord = 30
    /// The digits of the largest `Int64`.
    private static let longestNumber = 19

    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in text.indices where text[index] == UInt8(ascii: "/") {
            if let range = token(after: index, in: text) { ranges.append(range) }
        }
        return ranges
    }

    /// The part of the path after the slash, if it is a token.
    static func token(after slash: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var end = slash + 1
        while end < text.count, !endsPart(text[end]) {
            // The text without its percent-encoding is examined too.
            if text[end] == UInt8(ascii: "%"), end + 2 < text.count, text[end + 1].isHexDigit,
                text[end + 2].isHexDigit
            {
                return nil
            }
            end += 1
        }
        let part = slash + 1..<end
        guard part.count >= minimumLength, !isHost(part, in: text), isRandom(part, in: text) else { return nil }
        return part
    }

    /// Returns true if the part is the authority of a URL that has a host: of HTTP, or one with a dot.
    private static func isHost(_ part: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.hasBytes("://", at: part.lowerBound - 3) else { return false }
        if text[part].contains(UInt8(ascii: ".")) { return true }
        let scheme = part.lowerBound - 3
        return (scheme >= 4 && text.matches("http", at: scheme - 4))
            || (scheme >= 5 && text.matches("https", at: scheme - 5))
    }

    private static func endsPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"),
            UInt8(ascii: "|"):
            true
        default: byte.isBlank || byte.isQuote
        }
    }

    private static func isRandom(_ part: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var odd = 0
        var pairs = 0
        var letters = 0
        var digits = 0
        var before: UInt8 = 0
        for byte in text[part] {
            // Tokens are ASCII.
            if byte >= 0x80 { return false }
            let beginsWord = before.isLowercase && byte.isUppercase
            if before.isLetter && byte.isLetter {
                if !beginsWord {
                    pairs += 1
                    if !isCommon(before, byte) { odd += 1 }
                }
            } else if before.isWord && byte.isWord && before.isDigit != byte.isDigit {
                pairs += 1
                odd += 1
            }
            letters = !byte.isLetter ? 0 : (beginsWord ? 1 : letters + 1)
            digits = byte.isDigit ? digits + 1 : 0
            if letters > longestWord || digits > longestNumber { return true }
            before = byte
        }
        return odd >= leastOddPairs && odd * 3 >= pairs
    }

    /// Returns true if words have this pair of letters.
    private static func isCommon(_ first: UInt8, _ second: UInt8) -> Bool {
        commonPairs[Int((first | 0x20) - 0x61)] >> UInt32((second | 0x20) - 0x61) & 1 != 0
    }

    /// For each first letter, a bit for each second one that follows it in words. A pair is common if it is at least
    /// 0.1 % of those in English words, or 0.17 % in one of ten other European languages. Half of all pairs are.
    private static let commonPairs: [UInt32] = [
        0x3FE_FF6F, 0x016_4911, 0x21A_4F95, 0x21E_6119, 0x3FE_BFFF, 0x01A_4931, 0x01E_61D1, 0x00A_4919, 0x3FE_FF7F,
        0x200_4511, 0x01E_4D11, 0x11C_7F19, 0x010_F913, 0x33C_7FFD, 0x27E_FDDF, 0x01E_C999, 0x010_0000, 0x37E_7FDF,
        0x31C_EDB5, 0x35E_6995, 0x31E_FF7F, 0x000_6111, 0x104_6111, 0x000_8000, 0x05C_F19D, 0x358_7111,
    ]
}
