/// Tells, in one pass and without allocating, whether anything in a text could be sensitive.
///
/// The pass looks at eight bytes at a time (H. S. Warren, Hacker's Delight, section 6-1), and more closely only at the
/// few that could begin or end something.
struct SuspicionScan {
    private let text: UnsafeBufferPointer<UInt8>
    private let rules: RedactionRules
    private let isQuery: Bool

    /// - Parameter isQuery: The whole text is a URL's query, without the `?`.
    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>, rules: RedactionRules, isQuery: Bool) {
        self.text = text
        self.rules = rules
        self.isQuery = isQuery
    }

    /// False for text that `SensitiveText` would leave as it is, and for nearly no other.
    var isSuspicious: Bool {
        guard let base = UnsafeRawPointer(text.baseAddress) else { return false }
        var offset = 0
        var digits: UInt64 = 0
        var slash = -1
        while offset < text.count {
            let word =
                offset &+ 8 <= text.count
                ? UInt64(littleEndian: (base + offset).loadUnaligned(as: UInt64.self))
                : lastWord(base, from: offset)
            var places = Self.placesOfInterest(in: word)
            while places != 0 {
                let index = offset &+ places.trailingZeroBitCount >> 3
                if text[index] == UInt8(ascii: "/") {
                    if isToken(after: slash, until: index) { return true }
                    slash = index
                } else if isSuspicious(at: index) {
                    return true
                }
                places &= places &- 1
            }
            digits &+= Self.countOfDigits(in: word)
            offset &+= 8
        }
        return isToken(after: slash, until: text.count) || (digits >= BankAccount.minimumDigits && hasNumber(digits))
            || (rules.hasMore && !rules.more(in: text).isEmpty)
    }

    /// Whether a token follows the slash at `slash`. Only if the next slash, at `next`, leaves room for one.
    @inline(__always)
    private func isToken(after slash: Int, until next: Int) -> Bool {
        slash >= 0 && next &- slash > PathToken.minimumLength && PathToken.token(after: slash, in: text) != nil
    }

    /// Whether the text may have a number of a card or a bank account among so many digits.
    private func hasNumber(_ digits: UInt64) -> Bool {
        (digits >= CardNumber.lengths.lowerBound && CardNumber.mayOccur(in: text)) || BankAccount.occurs(in: text)
    }

    /// The bytes from `offset` on, fewer than eight, and letters that are of no interest.
    @inline(__always)
    private func lastWord(_ base: UnsafeRawPointer, from offset: Int) -> UInt64 {
        let unused = UInt64(offset &+ 8 &- text.count) &* 8
        let filling = Self.repeated(UInt8(ascii: "a")) << (64 &- unused)
        if text.count >= 8 {
            let word = UInt64(littleEndian: (base + (text.count &- 8)).loadUnaligned(as: UInt64.self))
            return word >> unused | filling
        }
        var word: UInt64 = 0
        var index = text.count
        while index > 0 {
            index &-= 1
            word = word << 8 | UInt64(text[index])
        }
        return word | filling
    }

    /// Whether something sensitive begins or ends at a place of interest.
    private func isSuspicious(at index: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "%"): true
        case UInt8(ascii: "="):
            isQuery || NamedValue.isSecret(before: index, in: text, names: rules.names) || isInFragment(index)
        case UInt8(ascii: ":"): isQuery || NamedValue.isSecret(before: index, in: text, names: rules.names)
        case UInt8(ascii: "v"), UInt8(ascii: "V"): index > 0 && text[index - 1] | 0x20 == UInt8(ascii: "c")
        case UInt8(ascii: "J"): text.hasBytes("eyJ", at: index - 2)
        case UInt8(ascii: "I"), UInt8(ascii: "-"), UInt8(ascii: "_"): ServiceKey.mayBegin(around: index, in: text)
        case 0...0x20: Credentials.isName(before: index, in: text)
        default: false
        }
    }

    /// Whether the `=` belongs to the first item of a fragment that has a value, such as `#code=`.
    private func isInFragment(_ equals: Int) -> Bool {
        var index = equals
        while index > 0, equals - index < Self.fragmentNameLimit {
            index -= 1
            if text[index] == UInt8(ascii: "#") { return true }
            if text[index].isBlank || text[index] == UInt8(ascii: "=") || text[index].isQuote { return false }
        }
        return false
    }

    private static let fragmentNameLimit = 128

    /// The highest bit of each byte that is a blank, one of `%-/:;<=>?@_IJ`, or a `v` in either case.
    @inline(__always)
    private static func placesOfInterest(in word: UInt64) -> UInt64 {
        let low = word & ~highBits
        let blanks = ~atLeast(0x21, low)
        let marks = atLeast(0x3A, low) & ~atLeast(0x41, low)
        let percents = equal(repeated(UInt8(ascii: "%")), low)
        let letters = equal(repeated(UInt8(ascii: "v")), low | repeated(0x20))
        // `-` and `/` differ in one bit, and `I` and `J` follow each other.
        let dashes =
            equal(repeated(UInt8(ascii: "/")), low | repeated(0x02)) | equal(repeated(UInt8(ascii: "_")), low)
        let capitals = atLeast(UInt8(ascii: "I"), low) & ~atLeast(UInt8(ascii: "K"), low)
        return (blanks | marks | percents | letters | dashes | capitals) & ~word & highBits
    }

    @inline(__always)
    private static func countOfDigits(in word: UInt64) -> UInt64 {
        let low = word & ~highBits
        let digits = atLeast(0x30, low) & ~atLeast(0x3A, low) & ~word & highBits
        // A one for each digit, all added up in the highest byte.
        return (digits >> 7 &* repeated(1)) >> 56
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private static func repeated(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Highest bits of the bytes of `low`, which are below 128, that are `limit` or more.
    @inline(__always)
    private static func atLeast(_ limit: UInt8, _ low: UInt64) -> UInt64 { low &+ repeated(0x80 &- limit) }

    /// Highest bits of the bytes of `low`, which are below 128, that are those of `pattern`.
    @inline(__always)
    private static func equal(_ pattern: UInt64, _ low: UInt64) -> UInt64 { ~((low ^ pattern) &+ ~highBits) }
}
