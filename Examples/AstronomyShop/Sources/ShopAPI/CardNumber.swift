/// The digits of a payment card, checked. Its description never shows them.
///
/// ```swift
/// let number = CardNumber("4432-8015-6152-0454")
/// number?.network     // .visa
/// number?.lastFour    // "0454"
/// ```
public struct CardNumber: Hashable, Sendable {
    /// The network that issues the card, by its first digits.
    public enum Network: String, Codable, Hashable, Sendable, CaseIterable {
        case visa = "VISA"
        case masterCard = "MasterCard"
        case americanExpress = "American Express"
        case dinersClub = "Diners Club"
        case discover = "Discover"
        case jcb = "JCB"
        case other = "unknown"
    }

    /// 12 to 19 values of 0 to 9.
    private let digits: [Int]

    /// Reads 12 to 19 digits, with spaces and dashes between them; nil for anything else.
    public init?(_ text: String) {
        var digits: [Int] = []
        for byte in text.utf8 where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits.count < 19 else { return nil }
            digits.append(Int(byte - UInt8(ascii: "0")))
        }
        guard digits.count >= 12 else { return nil }
        self.digits = digits
    }

    /// True if the check digit is right, after ISO/IEC 7812-1, annex B.
    public var passesLuhnCheck: Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, element in
            guard !element.offset.isMultiple(of: 2) else { return sum + element.element }
            let doubled = element.element * 2
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
        return sum.isMultiple(of: 10)
    }

    /// The last four digits, the only ones that may be shown.
    public var lastFour: String { digits.suffix(4).map(String.init).joined() }

    public var network: Network {
        let firstFour = digits.prefix(4).reduce(0) { $0 * 10 + $1 }
        switch (firstFour, digits.count) {
        case (4000...4999, 13), (4000...4999, 16), (4000...4999, 19): return .visa
        case (5100...5599, 16), (2221...2720, 16): return .masterCard
        case (3400...3499, 15), (3700...3799, 15): return .americanExpress
        case (3000...3059, 14), (3600...3699, 14), (3800...3999, 14): return .dinersClub
        case (6011, 16...19), (6440...6599, 16...19): return .discover
        case (3528...3589, 16...19): return .jcb
        default: return .other
        }
    }
}

extension CardNumber: Redacted {
    public var description: String { "CardNumber(redacted)" }
}
