/// A card as a checkout sends it. Its description never shows the number or the security code.
public struct CreditCard: Hashable, Sendable {
    /// The digits, which may be grouped by spaces or dashes; ``CardNumber`` reads them.
    public let creditCardNumber: String

    /// The security code as a number: "012" on the card is 12.
    public let creditCardCvv: Int

    /// Four digits, as in 2030.
    public let creditCardExpirationYear: Int

    /// 1 to 12.
    public let creditCardExpirationMonth: Int

    public init(
        creditCardNumber: String, creditCardCvv: Int, creditCardExpirationYear: Int, creditCardExpirationMonth: Int,
    ) {
        self.creditCardNumber = creditCardNumber
        self.creditCardCvv = creditCardCvv
        self.creditCardExpirationYear = creditCardExpirationYear
        self.creditCardExpirationMonth = creditCardExpirationMonth
    }

    /// The security code a person typed, as the wire's number; nil unless it is three or four digits.
    public static func securityCode(from text: String) -> Int? {
        guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int(text)
    }
}

extension CreditCard: Redacted {
    public var description: String { "CreditCard(redacted)" }
}

extension CreditCard: Codable {
    private enum CodingKeys: String, CodingKey {
        case creditCardNumber, creditCardCvv, creditCardExpirationYear, creditCardExpirationMonth
    }

    /// Reads the security code as a number or as a string of three or four digits; ``encode(to:)`` writes a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        creditCardNumber = try container.decode(String.self, forKey: .creditCardNumber)
        creditCardExpirationYear = try container.decodeWholeNumber(Int.self, forKey: .creditCardExpirationYear)
        creditCardExpirationMonth = try container.decodeWholeNumber(Int.self, forKey: .creditCardExpirationMonth)
        if let text = try? container.decode(String.self, forKey: .creditCardCvv) {
            guard let code = Self.securityCode(from: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .creditCardCvv, in: container, debugDescription: "expected three or four digits",
                )
            }
            creditCardCvv = code
        } else {
            creditCardCvv = try container.decodeWholeNumber(Int.self, forKey: .creditCardCvv)
        }
    }
}
