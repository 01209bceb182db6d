import ShopAPI

/// The values of a request that must not appear in telemetry or on the screen through a response.
///
/// The SDK's redaction finds card numbers by their check digit and e-mail addresses by their form. It cannot find
/// mistyped numbers, security codes and streets, so this type knows the values that were sent.
struct SensitiveValues: Sendable {
    /// Digits only, the longest first.
    private let numbers: [[UInt8]]
    /// Lower-case UTF-8, the longest first.
    private let texts: [[UInt8]]

    static let none = SensitiveValues(numbers: [], texts: [])
    static let replacement = "REDACTED"

    init(address: Address, email: String? = nil, card: CreditCard? = nil) {
        var numbers: [String] = []
        if let card {
            let code = String(card.creditCardCvv)
            let padding = String(repeating: "0", count: max(0, 3 - code.count))
            numbers = [card.creditCardNumber.filter(\.isNumber), code, padding + code]
        }
        self.init(numbers: numbers, texts: [address.streetAddress, email ?? ""])
    }

    private init(numbers: [String], texts: [String]) {
        self.numbers = Set(numbers).filter { !$0.isEmpty }.sorted { $0.count > $1.count }.map { Array($0.utf8) }
        self.texts = Set(texts.map { $0.lowercased() }).filter { $0.count > 2 }.sorted { $0.count > $1.count }
            .map { Array($0.utf8) }
    }

    /// Returns the text without the values, however the digits of numbers are grouped.
    func scrubbed(_ text: String) -> String {
        guard !numbers.isEmpty || !texts.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let end = end(ofValueAt: index, in: bytes) {
                result += Self.replacement.utf8
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func end(ofValueAt index: Int, in bytes: [UInt8]) -> Int? {
        for text in texts where Self.matches(text, at: index, in: bytes) { return index + text.count }
        guard Self.isDigit(bytes[index]), index == 0 || !Self.isDigit(bytes[index - 1]) else { return nil }
        return numbers.lazy.compactMap { Self.end(ofNumber: $0, at: index, in: bytes) }.first
    }

    private static func matches(_ text: [UInt8], at index: Int, in bytes: [UInt8]) -> Bool {
        guard index + text.count <= bytes.count else { return false }
        return text.indices.allSatisfy { offset in
            let byte = bytes[index + offset]
            return text[offset] == byte || ((0x41...0x5A).contains(byte) && text[offset] == byte | 0x20)
        }
    }

    /// Returns the end of the digits, which may have up to four other characters between them and no digit after them.
    private static func end(ofNumber number: [UInt8], at start: Int, in bytes: [UInt8]) -> Int? {
        var index = start
        for (position, digit) in number.enumerated() {
            if position > 0 { index = skipSeparators(from: index, in: bytes) }
            guard index < bytes.count, bytes[index] == digit else { return nil }
            index += 1
        }
        return index < bytes.count && isDigit(bytes[index]) ? nil : index
    }

    private static func skipSeparators(from start: Int, in bytes: [UInt8]) -> Int {
        var index = start
        while index < bytes.count, index < start + 4, !isDigit(bytes[index]) {
            index += bytes[index] == UInt8(ascii: "%") ? 3 : 1
        }
        return index
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension SensitiveValues: Redacted {
    var description: String { "SensitiveValues(redacted)" }
}
