import AstrolabeSeededRandomness
import Testing

@testable import AstrolabeOTLP

@Suite struct `UTF-8` {
    private func scan(_ bytes: [UInt8]) -> UTF8Scan {
        bytes.withUnsafeBytes { UTF8Scan($0) }
    }

    /// Returns whether the standard library takes bytes for UTF-8. It repairs all others.
    private func isLeftAlone(_ bytes: some Collection<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    @Test func `is what the standard library takes for UTF-8`() {
        var random = SeededGenerator(seed: 3)
        let interesting: [UInt8] =
            [0x00, 0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF]
            + [0xF0, 0xF1, 0xF4, 0xF5, 0xFF, 0x8F, 0x90, 0x9F, 0xA0]
        var valid = 0
        for _ in 0..<50_000 {
            let count = Int.random(in: 0...12, using: &random)
            let bytes = (0..<count).map { _ in interesting[Int.random(in: 0..<interesting.count, using: &random)] }
            let isValid = isLeftAlone(bytes)
            if isValid { valid += 1 }
            switch scan(bytes) {
            case .invalid(let offset):
                #expect(!isValid, "\(bytes)")
                #expect(isLeftAlone(bytes[..<offset]), "\(bytes)")
            case .ascii: #expect(isValid && bytes.allSatisfy { $0 < 0x80 }, "\(bytes)")
            case .unicode: #expect(isValid && bytes.contains { $0 >= 0x80 }, "\(bytes)")
            }
        }
        #expect(valid > 2_000)
    }

    @Test func `covers every scalar`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if case .invalid = scan(Array(String(scalar).utf8)) { Issue.record("U+\(String(value, radix: 16))") }
        }
    }
}
