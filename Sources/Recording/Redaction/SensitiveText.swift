/// A text in which something may be sensitive, taken apart byte by byte.
struct SensitiveText {
    private var bytes: [UInt8]

    private static let replacement = Array(Redactor.replacement.utf8)

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func redacted(recordedQueryItems: Set<String>, isQuery: Bool) -> String {
        var text = self
        text.redactURLs(recordedQueryItems: recordedQueryItems, isQuery: isQuery)
        text.redactCredentials()
        text.redactSecurityCodes()
        text.redactCardNumbers()
        text.redactEmailAddresses()
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Replaces ranges from the last to the first, so that the earlier ones stay where they are.
    private mutating func replace(_ ranges: [Range<Int>]) {
        for range in ranges.reversed() { bytes.replaceSubrange(range, with: Self.replacement) }
    }

    /// Digits with single spaces or dashes between them, 13 to 19 in number, that pass the Luhn check.
    private mutating func redactCardNumbers() {
        var ranges: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard Self.isDigit(bytes[index]), index == 0 || !Self.isWord(bytes[index - 1]) else {
                index += 1
                continue
            }
            let run = digitRun(from: index)
            if (13...19).contains(run.digits.count), Self.passesLuhn(run.digits),
                run.end == bytes.count || !Self.isWord(bytes[run.end])
            {
                ranges.append(index..<run.end)
            }
            index = max(run.end, index + 1)
        }
        replace(ranges)
    }

    private func digitRun(from start: Int) -> (digits: [UInt8], end: Int) {
        var digits: [UInt8] = []
        var end = start
        var index = start
        while index < bytes.count {
            if Self.isDigit(bytes[index]) {
                digits.append(bytes[index] - 0x30)
                index += 1
                end = index
            } else if separatorLength(at: index) > 0 {
                index += separatorLength(at: index)
                guard index < bytes.count, Self.isDigit(bytes[index]) else { break }
            } else {
                break
            }
        }
        return (digits, end)
    }

    /// The length of a space, a dash, a plus or `%20` at this place; 0 where there is none.
    private func separatorLength(at index: Int) -> Int {
        switch bytes[index] {
        case 0x20, UInt8(ascii: "-"), UInt8(ascii: "+"): 1
        case UInt8(ascii: "%") where bytes[index...].starts(with: "%20".utf8): 3
        default: 0
        }
    }

    /// The check digit of ISO/IEC 7812-1: every second digit from the right is doubled.
    private static func passesLuhn(_ digits: [UInt8]) -> Bool {
        var sum = 0
        for (position, digit) in digits.reversed().enumerated() {
            let value = Int(digit)
            sum += position % 2 == 0 ? value : (value > 4 ? value * 2 - 9 : value * 2)
        }
        return sum % 10 == 0
    }

    /// The digits after `cvv` or `cvc` and up to six characters that are no letters, such as `": "` or `=`.
    private mutating func redactSecurityCodes() {
        var ranges: [Range<Int>] = []
        var index = 0
        while index + 3 < bytes.count {
            guard matches("cvv", at: index) || matches("cvc", at: index) else {
                index += 1
                continue
            }
            var start = index + 3
            while start < bytes.count, start < index + 9, !Self.isWord(bytes[start]) { start += 1 }
            var end = start
            while end < bytes.count, Self.isDigit(bytes[end]) { end += 1 }
            if (3...4).contains(end - start) { ranges.append(start..<end) }
            index = max(end, index + 3)
        }
        replace(ranges)
    }

    /// `name@host.domain`, with the characters that addresses are made of in practice; `%40` counts as `@`.
    private mutating func redactEmailAddresses() {
        var ranges: [Range<Int>] = []
        for index in bytes.indices {
            let length = bytes[index] == UInt8(ascii: "@") ? 1 : (matches("%40", at: index) ? 3 : 0)
            guard length > 0 else { continue }
            var start = index
            while start > (ranges.last?.upperBound ?? 0), Self.isAddressCharacter(bytes[start - 1]) { start -= 1 }
            var end = index + length
            while end < bytes.count, Self.isHostCharacter(bytes[end]) { end += 1 }
            while end > index + length, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
            let host = bytes[(index + length)..<end]
            if start < index, host.contains(UInt8(ascii: ".")) { ranges.append(start..<end) }
        }
        replace(ranges)
    }

    /// The word after `Bearer ` or `Basic `.
    private mutating func redactCredentials() {
        var ranges: [Range<Int>] = []
        for index in bytes.indices {
            let length = matches("bearer ", at: index) ? 7 : (matches("basic ", at: index) ? 6 : 0)
            guard length > 0, index == 0 || !Self.isWord(bytes[index - 1]) else { continue }
            var end = index + length
            while end < bytes.count, bytes[end] > 0x20, bytes[end] != UInt8(ascii: ","), bytes[end] != UInt8(ascii: "\"") {
                end += 1
            }
            // Credentials are long; a shorter word is prose, as in "basic plan".
            if end - index - length >= 8 { ranges.append(index + length..<end) }
        }
        replace(ranges)
    }

    /// User information and query values of each `scheme://` in the text, or of the whole text where it is a query.
    private mutating func redactURLs(recordedQueryItems: Set<String>, isQuery: Bool) {
        var ranges: [Range<Int>] = []
        if isQuery {
            ranges = queryValues(in: 0..<bytes.count, recorded: recordedQueryItems)
        }
        var index = 0
        while !isQuery, index < bytes.count {
            guard matches("://", at: index) else {
                index += 1
                continue
            }
            let start = index + 3
            var end = start
            while end < bytes.count, bytes[end] > 0x20, bytes[end] != UInt8(ascii: "\"") { end += 1 }
            let authorityEnd =
                bytes[start..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? end
            if let at = bytes[start..<authorityEnd].lastIndex(of: UInt8(ascii: "@")) { ranges.append(start..<at) }
            if let question = bytes[authorityEnd..<end].firstIndex(of: UInt8(ascii: "?")) {
                ranges += queryValues(in: question + 1..<end, recorded: recordedQueryItems)
            }
            index = end
        }
        replace(ranges)
    }

    /// The values of query items in `range` whose names are not among `recorded`; a fragment ends the query.
    private func queryValues(in range: Range<Int>, recorded: Set<String>) -> [Range<Int>] {
        let queryEnd = bytes[range].firstIndex(of: UInt8(ascii: "#")) ?? range.upperBound
        var values: [Range<Int>] = []
        for item in bytes[range.lowerBound..<queryEnd].split(separator: UInt8(ascii: "&")) {
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")), equals + 1 < item.endIndex else { continue }
            let name = String(decoding: item[item.startIndex..<equals], as: UTF8.self)
            if !recorded.contains(name) { values.append(equals + 1..<item.endIndex) }
        }
        return values
    }

    /// Compares without case; `pattern` is lower-case ASCII.
    private func matches(_ pattern: StaticString, at index: Int) -> Bool {
        guard index + pattern.utf8CodeUnitCount <= bytes.count else { return false }
        let units = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
        return units.indices.allSatisfy { offset in
            let byte = bytes[index + offset]
            return byte == units[offset] || ((0x41...0x5A).contains(byte) && byte | 0x20 == units[offset])
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        isWord(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        isHostCharacter(byte) || byte >= 0x80 || [UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "%")].contains(byte)
    }
}
