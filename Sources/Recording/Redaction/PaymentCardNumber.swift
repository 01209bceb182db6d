/// Payment card numbers in a text.
enum PaymentCardNumber {
    /// The possible numbers of digits of a card number (ISO/IEC 7812-1 with the networks' practice).
    static let lengths = 13...19

    /// Returns true if there are digits enough in a row, with no more than separators between them.
    static func mayOccur(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var digits = 0
        var separators = 0
        for byte in text {
            if byte.isDigit {
                digits += 1
                separators = 0
                if digits == lengths.lowerBound { return true }
            } else {
                separators += 1
                if separators > separatorLimit || !isSeparator(byte) { digits = 0 }
            }
        }
        return false
    }

    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard mayOccur(in: text) else { return [] }
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            if let end = endOfUUID(at: index, in: text) {
                index = end
            } else if text[index].isDigit {
                let end = endOfDigits(from: index, in: text)
                if let range = cardNumber(from: index, in: text) { ranges.append(range) }
                index = end
            } else {
                index += 1
            }
        }
        return ranges
    }

    /// The longest card number that begins with the group of digits at `start`.
    private static func cardNumber(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var digits: [UInt8] = []
        var groups: [Int] = []
        digits.reserveCapacity(lengths.upperBound)
        groups.reserveCapacity(lengths.upperBound)
        var found: Range<Int>?
        var groupStart = start
        while true {
            let end = endOfDigits(from: groupStart, in: text)
            groups.append(end - groupStart)
            guard digits.count + end - groupStart <= lengths.upperBound else { break }
            for index in groupStart..<end { digits.append(text[index] - 0x30) }
            if isCard(digits, groups: groups), groups.count > 1 || !isPartOfOther(start..<end, in: text) {
                found = start..<end
            }
            guard let next = startOfNextGroup(after: end, groupSize: end - groupStart, in: text) else { break }
            groupStart = next
        }
        return found
    }

    private static func isCard(_ digits: [UInt8], groups: [Int]) -> Bool {
        lengths.contains(digits.count) && isPlausible(groups) && isIssued(digits) && passesLuhn(digits)
    }

    /// Cards are written in groups of three or more digits, of which the last may be shorter, or digit by digit.
    /// Lists of small numbers are not.
    private static func isPlausible(_ groups: [Int]) -> Bool {
        groups.dropLast().allSatisfy { $0 >= 3 } || groups.allSatisfy { $0 == 1 }
    }

    /// Returns true if a network gives out numbers that begin with these digits.
    ///
    /// - 2200 to 2720: Mir, Mastercard.
    /// - 3 to 6: American Express, Diners, JCB, Visa, Mastercard, Maestro, Discover, UnionPay.
    /// - 81 and 82: RuPay.
    /// - 9792: Troy.
    ///
    /// Times since 1970 in seconds to nanoseconds are none of these before 2039.
    private static func isIssued(_ digits: [UInt8]) -> Bool {
        let prefix = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
        switch prefix {
        case 3000...6999: return true
        case 2200...2720, 8100...8299, 9792: return digits.count >= 16
        default: return false
        }
    }

    /// The check digit of ISO/IEC 7812-1: every second digit from the right is doubled.
    private static func passesLuhn(_ digits: [UInt8]) -> Bool {
        var sum = 0
        for index in digits.indices {
            let value = Int(digits[index])
            let isDoubled = (digits.count - index) % 2 == 0
            sum += isDoubled ? (value > 4 ? value * 2 - 9 : value * 2) : value
        }
        return sum % 10 == 0
    }

    private static let separatorLimit = 3

    /// Spaces and dashes, those beyond ASCII too (each of their bytes), what forms and file names put for them, dots.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...0xFF: true
        default: false
        }
    }

    private static func startOfNextGroup(
        after end: Int, groupSize: Int, in text: UnsafeBufferPointer<UInt8>,
    ) -> Int? {
        var next = end
        while next < text.count, next - end < separatorLimit, isSeparator(text[next]) { next += 1 }
        guard next > end, next < text.count, text[next].isDigit else { return nil }
        // A dot stands between the parts of prices and versions too: only groups of four make a card of them.
        if text[end..<next].contains(UInt8(ascii: ".")) {
            guard groupSize == 4, endOfDigits(from: next, in: text) - next == 4 else { return nil }
        }
        return next
    }

    private static func endOfDigits(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var end = start
        while end < text.count, text[end].isDigit { end += 1 }
        return end
    }

    /// Returns true if the digits are a number's decimals, or belong to a hexadecimal id of a usual length.
    private static func isPartOfOther(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let before = range.lowerBound
        if before >= 2, text[before - 1] == UInt8(ascii: "."), text[before - 2].isDigit { return true }
        var start = before
        while start > 0, before - start <= 128, text[start - 1].isWord { start -= 1 }
        var end = range.upperBound
        while end < text.count, end - range.upperBound <= 128, text[end].isWord { end += 1 }
        return end - start > range.count && [16, 24, 32, 40, 48, 56, 64, 96, 128].contains(end - start)
            && text[start..<end].allSatisfy(\.isHexDigit)
    }

    /// The end of a UUID that begins at `start`.
    private static func endOfUUID(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        let end = start + 36
        guard end <= text.count, text[start + 8] == UInt8(ascii: "-"), start == 0 || !text[start - 1].isWord,
            end == text.count || !text[end].isWord
        else { return nil }
        for offset in 0..<36 {
            let byte = text[start + offset]
            let isDash = offset == 8 || offset == 13 || offset == 18 || offset == 23
            guard isDash ? byte == UInt8(ascii: "-") : byte.isHexDigit else { return nil }
        }
        return end
    }
}
