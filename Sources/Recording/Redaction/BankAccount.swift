/// International bank account numbers in a text (ISO 13616): of the length of their country, with valid check digits.
enum BankAccount {
    /// The least number of characters, and of digits among them.
    static let minimumLength = 15
    static let minimumDigits = 7

    private static let lengths: [String: Int] = [
        "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29,
        "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29,
        "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28,
        "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28,
        "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20,
        "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25,
        "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27,
        "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
    ]

    static func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.indices.contains { end(from: $0, in: text) != nil }
    }

    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        text.ranges { end(from: $0, in: text) }
    }

    @inline(__always)
    private static func end(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        // The check digits after the country, which nearly no other text has.
        guard start + minimumLength <= text.count, text[start + 2].isDigit, text[start + 3].isDigit,
            text[start + 1].isLetter, text[start].isLetter, start == 0 || !text[start - 1].isWord
        else { return nil }
        return endOfNumber(from: start, in: text)
    }

    private static func endOfNumber(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        let country = String(decoding: [text[start] & 0xDF, text[start + 1] & 0xDF], as: UTF8.self)
        guard let length = lengths[country] else { return nil }
        var characters: [UInt8] = []
        characters.reserveCapacity(length)
        var index = start
        while index < text.count, characters.count < length {
            if text[index].isWord {
                characters.append(text[index])
            } else {
                guard isSeparator(text[index]), text[index - 1].isWord else { return nil }
            }
            index += 1
        }
        guard characters.count == length, index == text.count || !text[index].isWord,
            characters.filter(\.isDigit).count >= minimumDigits
        else { return nil }
        return isValid(characters) ? index : nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "_")
    }

    /// ISO/IEC 7064, MOD 97-10: with the first four characters at the end and letters as 10 to 35, the remainder is 1.
    private static func isValid(_ characters: [UInt8]) -> Bool {
        var remainder = 0
        for byte in characters[4...] + characters[..<4] {
            let value = byte.isDigit ? Int(byte) - 0x30 : Int(byte & 0xDF) - 0x41 + 10
            remainder = (remainder * (byte.isDigit ? 10 : 100) + value) % 97
        }
        return remainder == 1
    }
}
