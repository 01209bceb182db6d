import CAstrolabeTextScan

/// Tells, in one pass and without allocating, whether anything in a text could be sensitive.
///
/// The pass looks at 16 bytes at a time, and more closely only at the few that could begin or end something.
struct SuspicionScan {
    private let text: UnsafeBufferPointer<UInt8>
    /// Kept by the caller: to count one more reference would take as long as the scan of a short text.
    private unowned(unsafe) let rules: RedactionRules
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
        var digits = 0
        var slash = -1
        while offset < text.count {
            let found = offset &+ 16 <= text.count ? astrolabe_scan_text(base + offset) : rest(base, from: offset)
            var places = found.places
            while places != 0 {
                let index = offset &+ places.trailingZeroBitCount
                if text[index] == UInt8(ascii: "/") {
                    if isToken(after: slash, until: index) { return true }
                    slash = index
                } else if isSuspicious(at: index) {
                    return true
                }
                places &= places &- 1
            }
            if found.digits != 0 { digits &+= found.digits.nonzeroBitCount }
            offset &+= 16
        }
        return isToken(after: slash, until: text.count) || (digits >= BankAccount.minimumDigits && hasNumber(digits))
            || (rules.hasMore && !rules.more(in: text).isEmpty)
    }

    /// The places in the bytes from `offset` on, fewer than 16.
    @inline(__always)
    private func rest(_ base: UnsafeRawPointer, from offset: Int) -> astrolabe_text_scan {
        if text.count >= 16 {
            let found = astrolabe_scan_text(base + (text.count &- 16))
            let seen = UInt32(truncatingIfNeeded: offset &+ 16 &- text.count)
            return astrolabe_text_scan(places: found.places >> seen, digits: found.digits >> seen)
        }
        var last: UInt64 = 0
        if text.count >= 8 {
            let unused = UInt64(truncatingIfNeeded: 16 &- text.count) &* 8
            last = UInt64(littleEndian: (base + (text.count &- 8)).loadUnaligned(as: UInt64.self)) >> unused
            let first = UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
            return astrolabe_scan_words(first, last | Self.letters << (64 &- unused))
        }
        var index = text.count
        while index > 0 {
            index &-= 1
            last = last << 8 | UInt64(text[index])
        }
        return astrolabe_scan_words(last | Self.letters << (UInt64(truncatingIfNeeded: text.count) &* 8), Self.letters)
    }

    /// Eight letters that are of no interest.
    private static let letters: UInt64 = 0x6161_6161_6161_6161

    /// Returns true if a token follows the slash at `slash`. Only if the next slash, at `next`, leaves room for one.
    @inline(__always)
    private func isToken(after slash: Int, until next: Int) -> Bool {
        slash >= 0 && next &- slash > PathToken.minimumLength && PathToken.token(after: slash, in: text) != nil
    }

    /// Returns true if the text may have a number of a card or a bank account among so many digits.
    private func hasNumber(_ digits: Int) -> Bool {
        (digits >= PaymentCardNumber.lengths.lowerBound && PaymentCardNumber.mayOccur(in: text))
            || BankAccount.occurs(in: text)
    }

    /// Returns true if something sensitive begins or ends at a place of interest.
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

    /// Returns true if the `=` belongs to the first item of a fragment that has a value, such as `#code=`.
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
}
