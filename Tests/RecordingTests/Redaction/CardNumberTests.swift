import AstrolabeSeededRandomness
import Testing

@testable import AstrolabeRecording

@Suite struct CardNumberTests {
    private let redactor = Redactor()

    /// Test numbers that the networks and payment services publish.
    static let cards = [
        "4111111111111111", "4012888888881881", "4222222222222", "4000056655665556", "5555555555554444",
        "5105105105105100", "2223003122003222", "2720994326581252", "378282246310005", "371449635398431",
        "6011111111111117", "6011000990139424", "30569309025904", "38520000023237", "3530111333300000",
        "6200000000000005", "6759649826438453", "6304000000000000", "4000002760003184", "6205500000000000004",
        "2200770212727079", "9792030394440796",
    ]

    @Test(arguments: cards)
    func `a card number is replaced wherever it stands`(card: String) {
        let places = [
            card, "card \(card)", "\(card).", "(\(card))", "card=\(card)", "\"\(card)\"", "pan:\(card);", "x\(card)",
            "card\(card)y", "\(card) 12/27 123", "12/27 \(card)", "1. \(card)",
            "{\"number\":\"\(card)\",\"year\":2030}",
            "{\"number\":\(card)}", "https://h/pay/\(card)", "/pay/\(card)/confirm", "%22\(card)%22", "n%3D\(card)%26",
            "%2522\(card)%2522", "\n\(card)\n", "order_\(card)", "🔭\(card)🔭",
        ]
        for text in places {
            let redacted = redactor.redacted(text)
            #expect(!redacted.contains(card), "\(text) -> \(redacted)")
            #expect(redacted.contains("REDACTED"))
        }
    }

    @Test(arguments: [" ", "-", "  ", "+", "_", ".", "\t", "%20", "%2D", "%2520", "\u{A0}", "\u{2013}", " - "])
    func `groups with separators do not hide it`(separator: String) {
        let amex = ["3782", "822463", "10005"]
        let visa = ["4111", "1111", "1111", "1111"]
        let long = ["6205", "5000", "0000", "0000", "004"]
        for groups in separator == "." ? [visa] : [visa, amex, long] {
            let text = "card \(groups.joined(separator: separator)) was declined"
            #expect(redactor.redacted(text) == "card REDACTED was declined")
        }
    }

    @Test func `digit by digit does not hide it, nor does percent-encoding`() {
        let card = "4111111111111111"
        #expect(redactor.redacted(card.map(String.init).joined(separator: " ")) == "REDACTED")
        #expect(redactor.redacted(card.utf8.map { "%3\($0 - 0x30)" }.joined()) == "REDACTED")
    }

    @Test func `numbers around it do not hide it`() {
        #expect(redactor.redacted("1 of 2: 4111 1111 1111 1111 1234 5678").contains("4111 1111 1111 1111") == false)
        #expect(redactor.redacted("5678 4111 1111 1111 1111").contains("4111 1111 1111 1111") == false)
        #expect(redactor.redacted("4111111111111111 5555555555554444") == "REDACTED REDACTED")
        #expect(redactor.redacted("4111111111111111,5555555555554444") == "REDACTED,REDACTED")
    }

    @Test(arguments: [
        "4111111111111112", "1234567890123456", "order 7829304857203948", "9999999999999995",
        "1763690400000", "1763690400000000", "1763690400123456789", "2026-11-21T10:15:30.123456789Z",
        "2026-11-21 10:15:30", "20261121101530123", "550e8400-e29b-41d4-a716-446655440000",
        "12345678-4111-4111-8111-111111111111", "41111111-1111-4111-8111-111111111111",
        "4bf92f3577b34da6a3ce929d0e0e4736", "41111111111111114111111111111111", "a411111111111111",
        "4111111111111111a3ce929d0e0e4736",
        "349.95", "1,299.00 USD", "0.4111111111111111", "37.41111111111111111", "-122.4111111111111111",
        "6.0.4111.1111", "version 17.2.1 (21C62)", "10.0.0.1", "41.11.11.11.11.11.11.11",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14", "36 38 40 42 44 46 48 50", "tel. 030 1234", "411111111111",
        "00000000000000000", "deadbeefdeadbeef4111111111111111deadbeef",
    ])
    func `what is no card is left alone`(text: String) {
        #expect(redactor.redacted(text) == text)
    }

    @Test func `random UUIDs, trace ids and times are left alone`() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let high = UInt64.random(in: 0 ... .max, using: &random)
            let low = UInt64.random(in: 0 ... .max, using: &random)
            let hex = [high, low].map { value in
                let digits = String(value, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
            var uuid = Array(hex)
            for position in [20, 16, 12, 8] { uuid.insert("-", at: position) }
            let seconds = high % 600_000_000 + 1_600_000_000
            for text in [hex, String(uuid), "\(seconds)", "\(seconds)123", "\(seconds)123456", "\(seconds)123456789"] {
                #expect(redactor.redacted(text) == text)
            }
        }
    }

    @Test func `any valid number of a network is found in any grouping`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<1_000 {
            let digits = Self.randomCard(using: &random)
            var groups: [String] = []
            var rest = digits[...]
            while rest.count > 6 {
                let size = Int.random(in: 3...6, using: &random)
                groups.append(String(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            groups.append(String(rest))
            let separator = ["", " ", "-", "%20", "_"].randomElement(using: &random) ?? ""
            let text = "paid with \(groups.joined(separator: separator)), thanks"
            #expect(redactor.redacted(text) == "paid with REDACTED, thanks", "\(text)")
        }
    }

    /// Digits of a random number with a valid check digit.
    static func randomCard(using random: inout SeededGenerator) -> String {
        let prefix =
            ["4", "51", "2221", "34", "37", "6011", "65", "62", "36", "3528"].randomElement(using: &random) ?? ""
        let length = prefix.hasPrefix("3") && !prefix.hasPrefix("35") ? 15 : 16
        var digits = prefix
        while digits.count < length - 1 { digits += String(Int.random(in: 0...9, using: &random)) }
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() {
            let value = digit.wholeNumberValue ?? 0
            sum += index % 2 == 1 ? value : (value > 4 ? 2 * value - 9 : 2 * value)
        }
        return digits + String((10 - sum % 10) % 10)
    }
}
