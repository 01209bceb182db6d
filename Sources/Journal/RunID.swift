package import AstrolabePlatform

/// The identifier of one run of the app: 128 random bits, also the name of the run's directory.
package struct RunID: Hashable, Sendable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(from generator: IDGenerator) {
        (high, low) = generator.next128()
    }

    /// Parses 32 lowercase hexadecimal digits; `nil` for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else {
            return nil
        }
        guard let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16) else {
            return nil
        }
        self.init(high: high, low: low)
    }

    package var description: String {
        func digits(_ word: UInt64) -> String {
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return digits(high) + digits(low)
    }

    /// Distinguishes the definitions of this run as `salt` does its records. A definition is not read as a record, even
    /// if files of the run have changed places.
    var definitionSalt: UInt64 { salt ^ 0xA5A5_A5A5_5A5A_5A5A }

    /// Distinguishes this run's headers from those of other runs and from similar bytes in a payload.
    var salt: UInt64 { (high ^ (low &* 0x9E37_79B9_7F4A_7C15)) | 1 }
}
