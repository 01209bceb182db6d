#if os(Linux)
import AstrolabeSeededRandomness
import Testing

@testable import TelemetryConsole

@Suite struct `Data compressed with zstd` {
    private static let bytes = Array(String(repeating: "Saturn, Jupiter, ", count: 20_000).utf8)

    private static func inflate(_ parts: [ArraySlice<UInt8>], limit: Int = 1 << 20) throws -> [UInt8] {
        let inflation = try ZstdInflation(limit: limit)
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

    /// Two frames of data, one that is empty, and one that readers skip (RFC 8878, section 3.1.2).
    @Test(arguments: [1, 2, 3, 7, 100, 1 << 20])
    func `is the same whatever the parts`(length: Int) throws {
        let skipped: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        let compressed =
            try Compressed.zstd(Self.bytes) + Compressed.zstd([]) + skipped + Compressed.zstd([7], level: 19)
        let parts = stride(from: 0, to: compressed.count, by: length).map { start in
            compressed[start..<min(start + length, compressed.count)]
        }
        #expect(try Self.inflate(parts + [[]]) == Self.bytes + [7])
    }

    @Test(arguments: [0, 1, 64 << 10, (64 << 10) + 1, 128 << 10, 300_000])
    func `may have any length`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(try Self.inflate([Compressed.zstd(bytes)[...]], limit: count) == bytes)
    }

    @Test
    func `is refused beyond the limit, before all of it was decompressed`() throws {
        let bomb = try Compressed.zstd([UInt8](repeating: 0, count: 64 << 20))
        #expect(throws: ZstdError.limitExceeded(limit: 1_000)) { try Self.inflate([bomb[...]], limit: 1_000) }
    }

    @Test
    func `is refused if its window needs more than 8 MiB`() throws {
        let bytes = [UInt8](repeating: 0, count: 9 << 20)
        let large = try Compressed.zstd(bytes, windowLog: 24)
        #expect(throws: ZstdError.windowTooLarge) { try Self.inflate([large[...]], limit: 16 << 20) }
        let usual = try Compressed.zstd(bytes, windowLog: 23)
        #expect(try Self.inflate([usual[...]], limit: 16 << 20).count == bytes.count)
    }

    @Test
    func `is refused if it ends too early, and does no harm if it is damaged`() throws {
        let compressed = try Compressed.zstd(Array(Self.bytes.prefix(5_000)))
        for length in 0..<compressed.count {
            #expect(throws: ZstdError.truncated(offset: length)) { try Self.inflate([compressed.prefix(length)]) }
        }
        #expect(throws: ZstdError.self) { try Self.inflate([Array("plain text".utf8)[...]]) }
        var generator = SeededGenerator(seed: 29)
        for _ in 0..<2_000 {
            var damaged = compressed
            let change = UInt8.random(in: 1...255, using: &generator)
            damaged[Int.random(in: 0..<damaged.count, using: &generator)] ^= change
            // The frame has no checksum, so that some damage gives other bytes.
            if let output = try? Self.inflate([damaged[...]]) { #expect(output.count <= 1 << 20) }
        }
    }
}
#endif
