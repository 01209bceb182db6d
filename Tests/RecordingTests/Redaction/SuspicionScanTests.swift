import Testing

@testable import AstrolabeRecording

struct SuspicionScanTests {
    private let rules = RedactionRules(RedactionOptions())

    private func isSuspicious(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { SuspicionScan($0, rules: rules, isQuery: false).isSuspicious }
    }

    @Test func `a sign of something sensitive is seen at every place of texts of every length`() {
        for length in 1...50 {
            let plain = [UInt8](repeating: UInt8(ascii: "x"), count: length)
            #expect(!isSuspicious(plain))
            for place in 0..<length {
                var text = plain
                text[place] = UInt8(ascii: "@")
                #expect(isSuspicious(text), "length \(length), place \(place)")
            }
        }
    }

    @Test func `digits are counted once wherever the text ends`() {
        // A number of a card has at least 13 digits, and this one's check digit is right.
        let card = Array("4111111111111111".utf8)
        for before in 0...20 {
            for after in 0...20 {
                let (left, right) = ([UInt8](repeating: 0x78, count: before), [UInt8](repeating: 0x78, count: after))
                #expect(isSuspicious(left + [UInt8(ascii: " ")] + card + [UInt8(ascii: " ")] + right))
                #expect(!isSuspicious(left + Array("123".utf8) + right))
            }
        }
    }
}
