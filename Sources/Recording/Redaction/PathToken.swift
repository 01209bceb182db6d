/// Long random tokens in the paths of URLs, such as those of links that sign in or reset a password.
///
/// A part of a path is a token if it has 16 characters or more, of which 12 stand in words that nobody writes: letters and
/// digits mixed, upper and lower case mixed, or more than 30 letters. UUIDs and hexadecimal ids are such tokens; words,
/// numbers, dates and versions are not.
enum PathToken {
    /// The least length of a part of a path.
    static let minimumLength = 16

    private static let randomLength = 12
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
            if text[end] == UInt8(ascii: "%"), end + 2 < text.count, text[end + 1].isHexDigit, text[end + 2].isHexDigit {
                return nil
            }
            end += 1
        }
        let part = slash + 1..<end
        guard part.count >= minimumLength, !isHost(part, in: text), isRandom(part, in: text) else { return nil }
        return part
    }

    /// Whether the part is the authority of a URL that has a host: of HTTP, or one with a dot.
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
        var random = 0
        var start = part.lowerBound
        for index in part {
            // Tokens are ASCII.
            if text[index] >= 0x80 { return false }
            if text[index].isWord { continue }
            if isRandomWord(start..<index, in: text) { random += index - start }
            start = index + 1
        }
        if isRandomWord(start..<part.upperBound, in: text) { random += part.upperBound - start }
        return random >= randomLength
    }

    private static func isRandomWord(_ word: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard word.count > 4 else { return false }
        var digits = 0
        var runsOfDigits = 0
        var humps = 0
        var vowels = 0
        var consonants = 0
        var longestRun = 0
        var before: UInt8 = 0
        for byte in text[word] {
            if byte.isDigit {
                digits += 1
                if !before.isDigit { runsOfDigits += 1 }
                consonants = 0
            } else if isVowel(byte) {
                vowels += 1
                consonants = 0
            } else {
                consonants += 1
                longestRun = max(longestRun, consonants)
            }
            if byte.isUppercase, before.isLowercase { humps += 1 }
            before = byte
        }
        let letters = word.count - digits
        if letters == 0 { return digits > longestNumber }
        if runsOfDigits > 1 { return true }
        // One number at an end is a count or a year, and in the middle of a short word a model.
        let isAtEnd = text[word.lowerBound].isDigit || text[word.upperBound - 1].isDigit
        if runsOfDigits == 1, !isAtEnd, word.count > 10 { return true }
        return letters > longestWord || (letters >= 12 && (humps + 1) * 4 > letters)
            || (letters >= 16 && longestRun >= 6 && vowels * 4 < letters)
    }

    private static func isVowel(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"),
            UInt8(ascii: "y"):
            true
        default: false
        }
    }
}
