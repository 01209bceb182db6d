/// Personal data that is replaced if the app asks for it, as it is written in a text.
extension RedactionOptions.PersonalData {
    func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        text.ranges { index in index == 0 || !text[index - 1].isWord ? end(from: index, in: text) : nil }
    }

    private func end(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        switch self {
        case .phoneNumbers: PhoneNumber.end(from: start, in: text)
        case .ipAddresses: IPAddress.end(from: start, in: text)
        case .locations: GeographicPosition.end(from: start, in: text)
        }
    }
}

/// A telephone number: international after `+` or `00` (ITU-T E.164), national after `0`, or North American.
enum PhoneNumber {
    private static let lengths = 8...15

    static func end(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text[start].isDigit || text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "(") else {
            return nil
        }
        // A decimal or a version is none.
        if start > 0, text[start - 1] == UInt8(ascii: ".") || text[start - 1] == UInt8(ascii: "-") { return nil }
        var groups: [Int] = []
        var digits = 0
        var index = text[start] == UInt8(ascii: "+") ? start + 1 : start
        var end = index
        while index < text.count, digits <= lengths.upperBound {
            if text[index].isDigit {
                if index > end || groups.isEmpty { groups.append(0) }
                groups[groups.count - 1] += 1
                digits += 1
                index += 1
                end = index
            } else {
                guard isSeparator(text[index]), index - end < 2 else { break }
                index += 1
            }
        }
        guard lengths.contains(digits), end == text.count || !text[end].isWord else { return nil }
        return isNumber(at: start, digits: digits, groups: groups, in: text) ? end : nil
    }

    private static func isNumber(
        at start: Int, digits: Int, groups: [Int], in text: UnsafeBufferPointer<UInt8>,
    ) -> Bool {
        if text[start] == UInt8(ascii: "+") { return true }
        let first = text[start] == UInt8(ascii: "(") ? start + 1 : start
        guard text[first].isDigit else { return false }
        if text[first] == UInt8(ascii: "0"), first + 2 < text.count {
            let isInternational = text[first + 1] == UInt8(ascii: "0") && text[first + 2] != UInt8(ascii: "0")
            // A date begins with two digits, and so does a French number.
            let isNational = (groups.first ?? 0) >= 3 || groups == [2, 2, 2, 2, 2]
            return isInternational
                || (isNational && text[first + 1] != UInt8(ascii: "0") && (9...12).contains(digits))
        }
        return groups == [3, 3, 4] || groups == [1, 3, 3, 4]
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "/"): true
        default: false
        }
    }
}

/// An address of the Internet Protocol: four numbers up to 255, or groups of hexadecimal digits with colons.
enum IPAddress {
    static func end(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        version4(from: start, in: text) ?? version6(from: start, in: text)
    }

    private static func version4(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        if start > 1, text[start - 1] == UInt8(ascii: "."), text[start - 2].isDigit { return nil }
        var index = start
        for part in 0..<4 {
            if part > 0 {
                guard index < text.count, text[index] == UInt8(ascii: ".") else { return nil }
                index += 1
            }
            let first = index
            var value = 0
            while index < text.count, text[index].isDigit, index - first < 4 {
                value = value * 10 + Int(text[index] - 0x30)
                index += 1
            }
            guard index > first, value <= 255, index - first == 1 || text[first] != UInt8(ascii: "0") else {
                return nil
            }
        }
        let continues =
            index < text.count
            && (text[index].isWord
                || (text[index] == UInt8(ascii: ".") && index + 1 < text.count && text[index + 1].isDigit))
        return continues ? nil : index
    }

    private static func version6(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        if start > 0, text[start - 1] == UInt8(ascii: ":") { return nil }
        var index = start
        while index < text.count, text[index].isHexDigit || text[index] == UInt8(ascii: ":") { index += 1 }
        if index < text.count, text[index] == UInt8(ascii: "."), index > start + 2,
            let colon = text[start..<index].lastIndex(of: UInt8(ascii: ":")), colon > start
        {
            // An address of version 4 within one of version 6.
            return version4(from: colon + 1, in: text)
        }
        guard index == text.count || !text[index].isWord, text[start..<index].contains(where: \.isDigit) else {
            return nil
        }
        let groups = text[start..<index].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.count <= 8, groups.allSatisfy({ $0.count <= 4 }) else { return nil }
        let gaps = groups.dropFirst().dropLast().filter(\.isEmpty).count
        return gaps == 1 || (gaps == 0 && groups.count == 8 && groups.allSatisfy { !$0.isEmpty }) ? index : nil
    }
}

/// A latitude and a longitude of three decimals or more, which is within 100 metres (also ISO 6709).
enum GeographicPosition {
    private static let decimals = 3

    static func end(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let latitude = endOfDegrees(from: start, limit: 90, in: text) else { return nil }
        var next = latitude
        while next < text.count, next - latitude < 4, isSeparator(text[next]) { next += 1 }
        guard next < text.count, next > latitude || text[next] == UInt8(ascii: "+") || text[next] == UInt8(ascii: "-")
        else { return nil }
        return endOfDegrees(from: next, limit: 180, in: text)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "|")
            || byte == UInt8(ascii: "/")
    }

    private static func endOfDegrees(from start: Int, limit: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = start
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") { index += 1 }
        let first = index
        var degrees = 0
        while index < text.count, text[index].isDigit, index - first < 4 {
            degrees = degrees * 10 + Int(text[index] - 0x30)
            index += 1
        }
        guard index > first, degrees <= limit, index < text.count, text[index] == UInt8(ascii: ".") else { return nil }
        let point = index
        index += 1
        while index < text.count, text[index].isDigit { index += 1 }
        guard index - point > decimals, index == text.count || !text[index].isLetter else { return nil }
        return index
    }
}
