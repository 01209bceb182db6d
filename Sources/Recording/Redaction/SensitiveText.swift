import AstrolabePlatform

/// A text after the replacement of what is sensitive, and why something was replaced.
struct RedactedText {
    let text: String
    let rules: Set<RedactionRule>
}

/// A text in which something may be sensitive. It is asked only about a text at which ``SuspicionScan`` stopped: a rule
/// whose texts have none of its bytes never runs.
struct SensitiveText {
    private let text: UnsafeBufferPointer<UInt8>
    private let rules: RedactionRules
    private let isQuery: Bool

    /// - Parameter isQuery: The whole text is a URL's query, without the `?`.
    init(_ text: UnsafeBufferPointer<UInt8>, rules: RedactionRules, isQuery: Bool) {
        self.text = text
        self.rules = rules
        self.isQuery = isQuery
    }

    /// The text with each sensitive part replaced.
    ///
    /// Every rule reads the text as it came and as it is without percent-encoding, so that none depends on what another
    /// has replaced.
    func redacted() -> RedactedText {
        var ranges = sensitiveRanges(in: text)
        if text.contains(UInt8(ascii: "%")) {
            let decoded = PercentDecodedText(text)
            decoded.bytes.withUnsafeBufferPointer { bytes in
                ranges += sensitiveRanges(in: bytes).map { found in
                    SensitiveRange(range: decoded.originalRange(found.range), rule: found.rule)
                }
            }
        }
        return RedactedText(text: replacing(ranges.map(\.range)), rules: Set(ranges.map(\.rule)))
    }

    private func sensitiveRanges(in text: UnsafeBufferPointer<UInt8>) -> [SensitiveRange] {
        let names = rules.names
        var found = rules.hasMore ? rules.more(in: text) : []
        func add(_ ranges: [Range<Int>], _ rule: RedactionRule) {
            found += ranges.map { SensitiveRange(range: $0, rule: rule) }
        }
        add(URLSecrets.ranges(in: text, recordedQueryItems: rules.recordedQueryItems, isQuery: isQuery), .urlValue)
        add(NamedValue.ranges(in: text, names: names), .namedValue)
        add(Credentials.ranges(in: text), .credentials)
        add(SecurityCode.ranges(in: text), .securityCode)
        add(PaymentCardNumber.ranges(in: text), .cardNumber)
        add(EmailAddress.ranges(in: text), .email)
        add(JSONWebToken.ranges(in: text), .jsonWebToken)
        add(ServiceKey.ranges(in: text), .serviceKey)
        add(PathToken.ranges(in: text), .pathToken)
        add(BankAccount.ranges(in: text), .bankAccount)
        return found
    }

    /// Replaces each range once, and ranges that overlap as one.
    private func replacing(_ ranges: [Range<Int>]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = 0
        var isReplaced = false
        for range in ranges.ordered(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > position {
            if range.lowerBound > position || !isReplaced {
                result += text[position..<max(position, range.lowerBound)]
                result += Redactor.replacement.utf8
            }
            position = range.upperBound
            isReplaced = true
        }
        result += text[position...]
        return String(decoding: result, as: UTF8.self)
    }
}

/// A text with its percent-encoding undone, nested encoding too, and where each byte stood before.
struct PercentDecodedText {
    private(set) var bytes: [UInt8] = []
    /// The original position of each byte; and, one more, the end of the last one.
    private var origins: [Int] = []

    init(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.reserveCapacity(text.count)
        origins.reserveCapacity(text.count + 1)
        var index = 0
        while index < text.count {
            let (byte, end) = Self.decode(text, at: index)
            bytes.append(byte)
            origins.append(index)
            index = end
        }
        origins.append(text.count)
    }

    func originalRange(_ range: Range<Int>) -> Range<Int> {
        origins[range.lowerBound]..<origins[range.upperBound]
    }

    /// The byte that begins at `index`, and where the next one does: `%41`, `%2541` and so on are all `A`.
    private static func decode(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (byte: UInt8, end: Int) {
        guard text[index] == UInt8(ascii: "%") else { return (text[index], index + 1) }
        var digits = index + 1
        while digits + 3 < text.count, text[digits] == 0x32, text[digits + 1] == 0x35, text[digits + 2].isHexDigit,
            text[digits + 3].isHexDigit
        {
            digits += 2
        }
        guard digits + 1 < text.count, let high = PercentCoding.hexValue(text[digits]),
            let low = PercentCoding.hexValue(text[digits + 1])
        else { return (text[index], index + 1) }
        return (high << 4 | low, digits + 2)
    }
}
