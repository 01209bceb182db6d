/// A value that a text gives to a name, as JSON, forms, headers and descriptions of Swift values do: `"password": "…"`,
/// `token=…`, `Authorization: …`, `email: Optional("…")`.
enum NamedValue {
    private static let nameLimit = 64
    private static let gapLimit = 8

    /// The values of all names that are secret.
    static func ranges(in text: UnsafeBufferPointer<UInt8>, names: SecretNames) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            let isSeparator = text[index] == UInt8(ascii: ":") || text[index] == UInt8(ascii: "=")
            index += 1
            guard isSeparator, isSecret(before: index - 1, in: text, names: names) else { continue }
            let value = value(after: index - 1, in: text)
            if !value.isEmpty { ranges.append(value) }
            index = max(index, value.upperBound)
        }
        return ranges
    }

    /// Returns true if the name before the separator is that of a secret.
    static func isSecret(before separator: Int, in text: UnsafeBufferPointer<UInt8>, names: SecretNames) -> Bool {
        let name = name(before: separator, in: text)
        return !name.isEmpty && names.isSecret(UnsafeBufferPointer(rebasing: text[name]))
    }

    private static func name(before separator: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var end = separator
        while end > 0, separator - end < gapLimit, closesName(text[end - 1]) { end -= 1 }
        var start = end
        while start > 0, end - start < nameLimit, isNameCharacter(text[start - 1]) { start -= 1 }
        return start..<end
    }

    private static func closesName(_ byte: UInt8) -> Bool {
        byte.isBlank || byte.isQuote || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "]")
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        byte.isWord || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func value(after separator: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var start = separator + 1
        while start < text.count, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
        let firstBackslash = start
        while start < text.count, text[start] == UInt8(ascii: "\\") { start += 1 }
        guard start < text.count else { return start..<start }
        if text[start].isQuote {
            let end = endOfQuoted(from: start + 1, quote: text[start], depth: start - firstBackslash, in: text)
            return start + 1..<end
        }
        return start..<endOfUnquoted(from: start, isHeader: isHeader(before: separator, in: text), in: text)
    }

    /// The place of the closing quote; `depth` is the number of backslashes before the opening one, as in JSON that a
    /// JSON string holds.
    private static func endOfQuoted(
        from start: Int, quote: UInt8, depth: Int, in text: UnsafeBufferPointer<UInt8>,
    ) -> Int {
        var backslashes = 0
        for index in start..<text.count {
            if text[index] == UInt8(ascii: "\\") {
                backslashes += 1
            } else {
                let closes = depth == 0 ? backslashes % 2 == 0 : backslashes <= depth
                // The backslashes of an escaped closing quote belong to it.
                if text[index] == quote && closes { return index - (depth == 0 ? 0 : backslashes) }
                backslashes = 0
            }
        }
        return text.count
    }

    /// Up to a blank or a mark that ends a member; what is in brackets belongs to the value. So do a header's blanks,
    /// marks and quoted parameters.
    private static func endOfUnquoted(from start: Int, isHeader: Bool, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var closing: UInt8?
        for index in start..<text.count {
            let byte = text[index]
            if let bracket = closing {
                if byte == bracket { closing = nil }
            } else if let bracket = closingBracket(for: byte) {
                closing = bracket
            } else if isHeader, byte.isQuote, index > start, text[index - 1] == UInt8(ascii: "=") {
                closing = byte
            } else if isHeader ? byte == 0x0A || byte == 0x0D || byte.isQuote : endsMember(byte) {
                return index
            }
        }
        return text.count
    }

    private static func closingBracket(for byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "("): UInt8(ascii: ")")
        case UInt8(ascii: "["): UInt8(ascii: "]")
        case UInt8(ascii: "{"): UInt8(ascii: "}")
        default: nil
        }
    }

    private static func endsMember(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "}"), UInt8(ascii: "]"),
            UInt8(ascii: ")"), UInt8(ascii: "<"):
            true
        default: byte.isBlank || byte.isQuote
        }
    }

    /// Returns true if the value is that of `Authorization`, `Cookie` or of a name that ends in header, which holds
    /// blanks and semicolons.
    private static func isHeader(before separator: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = name(before: separator, in: text).upperBound
        return (end >= 13 && text.matches("authorization", at: end - 13))
            || (end >= 6 && (text.matches("cookie", at: end - 6) || text.matches("header", at: end - 6)))
    }
}
