/// E-mail addresses in a text: `name@host.domain`, of the characters that addresses are made of in practice.
enum EmailAddress {
    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in text.indices where text[index] == UInt8(ascii: "@") {
            let start = startOfName(before: index, notBefore: ranges.last?.upperBound ?? 0, in: text)
            let end = endOfHost(after: index, in: text)
            if start < index, hasDomain(index + 1..<end, in: text) { ranges.append(start..<end) }
        }
        return ranges
    }

    private static func startOfName(before at: Int, notBefore limit: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var start = at
        if at > limit, text[at - 1] == UInt8(ascii: "\"") {
            // A quoted name, which may hold spaces.
            start -= 1
            while start > limit, text[start - 1] != UInt8(ascii: "\"") { start -= 1 }
            return max(start - 1, limit)
        }
        while start > limit, isNameCharacter(text[start - 1]) { start -= 1 }
        return start
    }

    private static func endOfHost(after at: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var end = at + 1
        while end < text.count, isHostCharacter(text[end]) { end += 1 }
        while end > at + 1, text[end - 1] == UInt8(ascii: ".") || text[end - 1] == UInt8(ascii: "-") { end -= 1 }
        return end
    }

    /// Returns true if a host ends in a domain's name, as `example.com` does and the version `1.2.3` does not.
    private static func hasDomain(_ host: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let dot = text[host].lastIndex(of: UInt8(ascii: ".")), dot > host.lowerBound else { return false }
        return text[dot + 1..<host.upperBound].contains { !$0.isDigit }
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        byte.isWord || byte >= 0x80 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        if byte.isWord || byte >= 0x80 { return true }
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "%"),
            UInt8(ascii: "'"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "*"),
            UInt8(ascii: "~"):
            return true
        default: return false
        }
    }
}
