import AstrolabeSeededRandomness
import Testing

@testable import AstrolabeGzip

@Suite struct `Data that arrives in parts` {
    private static let bytes = Array(String(repeating: "Saturn, Jupiter, ", count: 20_000).utf8)

    private static func inflate(
        _ parts: [ArraySlice<UInt8>], format: GzipInflation.Format = .gzip, limit: Int = 1 << 20,
    ) throws -> [UInt8] {
        let inflation = try GzipInflation(format, limit: limit)
        var output: [UInt8] = []
        for part in parts {
            try part.withUnsafeBytes { bytes in
                try inflation.add(bytes) { piece in
                    #expect(piece.count <= 64 << 10)
                    output += piece
                }
            }
        }
        try inflation.end()
        return output
    }

    @Test(arguments: [1, 2, 3, 7, 100, 1 << 20]) func `is the same whatever the parts`(length: Int) throws {
        let compressed = try GzipCoder.compress(Self.bytes) + GzipCoder.compress([]) + GzipCoder.compress([7])
        let parts = stride(from: 0, to: compressed.count, by: length).map { start in
            compressed[start..<min(start + length, compressed.count)]
        }
        #expect(try Self.inflate(parts + [[]]) == Self.bytes + [7])
    }

    @Test func `is refused beyond the limit, before all of it was decompressed`() throws {
        let bomb = try GzipCoder.compress(Array(repeating: 0, count: 64 << 20))
        #expect(throws: GzipError.limitExceeded(limit: 1_000)) { try Self.inflate([bomb[...]], limit: 1_000) }
        #expect(try Self.inflate([try GzipCoder.compress(Self.bytes)[...]], limit: Self.bytes.count) == Self.bytes)
    }

    @Test func `is refused if it ends too early or is damaged`() throws {
        let bytes = Array(Self.bytes.prefix(5_000))
        let compressed = try GzipCoder.compress(bytes)
        for length in stride(from: 0, to: compressed.count, by: 7) {
            #expect(throws: GzipError.truncated(offset: length)) { try Self.inflate([compressed.prefix(length)]) }
        }
        #expect(throws: GzipError.self) { try Self.inflate([compressed + [1]]) }
        #expect(throws: GzipError.self) { try Self.inflate([Array("plain text".utf8)[...]]) }
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<500 {
            var damaged = compressed
            damaged[Int.random(in: 0..<damaged.count, using: &generator)] ^= 0x55
            // Only bytes of the header, such as the time, may differ without harm.
            if let output = try? Self.inflate([damaged[...]]) { #expect(output == bytes) }
        }
    }

    /// The data of a gzip member as RFC 1950 has it: another header, and Adler-32 in place of CRC-32 and length.
    private static func zlib(_ bytes: [UInt8]) throws -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let checksum = [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { UInt8($0) }
        let member = try GzipCoder.compress(bytes)
        return [0x78, 0x9C] + Array(member.dropFirst(10).dropLast(8)) + checksum
    }

    @Test func `may have zlib's format, as one stream`() throws {
        let compressed = try Self.zlib(Self.bytes)
        #expect(try Self.inflate([compressed.prefix(100), compressed[100...]], format: .zlib) == Self.bytes)
        #expect(throws: GzipError.limitExceeded(limit: 9)) {
            try Self.inflate([compressed[...]], format: .zlib, limit: 9)
        }
        #expect(throws: GzipError.trailingGarbage(offset: compressed.count)) {
            try Self.inflate([compressed[...], compressed[...]], format: .zlib)
        }
        #expect(throws: GzipError.truncated(offset: 50)) { try Self.inflate([compressed.prefix(50)], format: .zlib) }
        let gzip = try GzipCoder.compress(Self.bytes)
        #expect(throws: GzipError.self) { try Self.inflate([gzip[...]], format: .zlib) }
        #expect(throws: GzipError.self) { try Self.inflate([compressed[...]]) }
    }
}
