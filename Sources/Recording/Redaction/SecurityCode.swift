/// Card security codes in a text: 3 or 4 digits that follow `cvv` or `cvc` within the same member or clause.
enum SecurityCode {
    /// The distance of the digits from the name: enough for `cvvCode": "` and `cvv number is `.
    private static let reach = 20

    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in text.indices where text.matches("cvv", at: index) || text.matches("cvc", at: index) {
            if let range = digits(after: index + 3, in: text) { ranges.append(range) }
        }
        return ranges
    }

    private static func digits(after name: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var start = name
        // The 2 of `cvv2` is part of the name.
        if start + 1 < text.count, text[start] == UInt8(ascii: "2"), !text[start + 1].isDigit { start += 1 }
        while start < text.count, start - name < reach, !text[start].isDigit, !endsClause(text[start]) { start += 1 }
        var end = start
        while end < text.count, text[end].isDigit { end += 1 }
        return (3...4).contains(end - start) ? start..<end : nil
    }

    private static func endsClause(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "}"), 0x0A: true
        default: false
        }
    }
}
