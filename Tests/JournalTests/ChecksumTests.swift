import CAstrolabeChecksum
import Testing

struct ChecksumTests {
    /// Computes the CRC bit by bit, according to its definition.
    private func byDefinition(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = (crc >> 1) ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
        }
        return ~crc
    }

    @Test func `the vectors of RFC 3720 come out`() {
        let vectors: [([UInt8], UInt32)] = [
            (Array("123456789".utf8), 0xE306_9283),
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            (Array(0..<32), 0x46DD_794E),
            (Array((0..<32).reversed()), 0x113F_DB5C),
        ]
        for (bytes, expected) in vectors {
            #expect(astrolabe_crc32c(0, bytes, bytes.count) == expected)
            #expect(astrolabe_crc32c_portable(0, bytes, bytes.count) == expected)
        }
    }

    @Test func `the instruction and the tables match the definition for every length and alignment`() {
        let bytes = (0..<1_300).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }
        for count in 0..<1_200 {
            let start = count % 9
            let expected = byDefinition(bytes[start..<start + count])
            bytes.withUnsafeBytes { memory in
                let base = memory.baseAddress.map { $0 + start }
                #expect(astrolabe_crc32c(0, base, count) == expected)
                #expect(astrolabe_crc32c_portable(0, base, count) == expected)
            }
        }
    }

    @Test func `a record's checksum covers its three words and its bytes`() {
        let words: [UInt64] = [1, .max, 0x0123_4567_89AB_CDEF]
        let payload = (0..<777).map { UInt8(truncatingIfNeeded: $0) }
        var bytes: [UInt8] = []
        for word in words { bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        #expect(
            astrolabe_crc32c_record(words[0], words[1], words[2], payload, payload.count)
                == byDefinition(bytes + payload))
    }

    @Test func `a checksum continues from another`() {
        let bytes = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let first = astrolabe_crc32c(0, bytes, 123)
        let both = bytes.withUnsafeBytes { astrolabe_crc32c(first, $0.baseAddress.map { $0 + 123 }, 377) }
        #expect(both == byDefinition(bytes))
    }
}
