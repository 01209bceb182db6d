import Testing

@testable import AstrolabeGzip

@Suite struct `Invalid input` {
    static let bytes = Array(String(repeating: "Saturn, Jupiter, ", count: 100).utf8)

    @Test func `ends too early, at any offset`() throws {
        let compressed = try GzipCoder.compress(Self.bytes)
        for length in 1..<compressed.count {
            #expect(throws: GzipError.truncated(offset: length)) {
                try GzipCoder.decompress(Array(compressed.prefix(length)), limit: 1 << 20)
            }
        }
    }

    @Test func `ends too early in its second member, at any offset`() throws {
        let first = try GzipCoder.compress(Self.bytes)
        let both = first + first
        for length in first.count + 1..<both.count {
            #expect(throws: GzipError.truncated(offset: length)) {
                try GzipCoder.decompress(Array(both.prefix(length)), limit: 1 << 20)
            }
        }
    }

    @Test(arguments: [[], [0x00], Array("plain text".utf8), [0x1F, 0x8C, 8, 0], [0x78, 0x9C, 3, 0, 0, 0, 0, 1]])
    func `is not gzip data`(input: [UInt8]) {
        #expect(throws: GzipError.notGzip) { try GzipCoder.decompress(input, limit: 100) }
    }

    @Test(arguments: [[0x00], [0x1F, 0x00], Array("tail".utf8), [0, 0, 0, 0]])
    func `continues after its last member`(tail: [UInt8]) throws {
        let compressed = try GzipCoder.compress(Self.bytes)
        #expect(throws: GzipError.trailingGarbage(offset: compressed.count)) {
            try GzipCoder.decompress(compressed + tail, limit: 1 << 20)
        }
    }

    @Test func `has a wrong checksum`() throws {
        var compressed = try GzipCoder.compress(Self.bytes)
        compressed[compressed.count - 8] ^= 1
        let error = #expect(throws: GzipError.self) { try GzipCoder.decompress(compressed, limit: 1 << 20) }
        guard case .checksumMismatch = error else {
            Issue.record("expected a checksum mismatch, got \(String(describing: error))")
            return
        }
    }

    @Test func `has a wrong length`() throws {
        var compressed = try GzipCoder.compress(Self.bytes)
        compressed[compressed.count - 1] ^= 1
        let error = #expect(throws: GzipError.self) { try GzipCoder.decompress(compressed, limit: 1 << 20) }
        guard case .lengthMismatch = error else {
            Issue.record("expected a length mismatch, got \(String(describing: error))")
            return
        }
    }

    @Test func `has an unknown compression method`() throws {
        var compressed = try GzipCoder.compress(Self.bytes)
        compressed[2] = 7
        let error = #expect(throws: GzipError.self) { try GzipCoder.decompress(compressed, limit: 1 << 20) }
        #expect(error?.description.contains("unknown compression method") == true)
    }

    @Test func `is longer than the limit by one byte`() throws {
        let compressed = try GzipCoder.compress(Self.bytes)
        #expect(throws: GzipError.limitExceeded(limit: Self.bytes.count - 1)) {
            try GzipCoder.decompress(compressed, limit: Self.bytes.count - 1)
        }
    }

    @Test func `is a bomb, and decompression stops at the limit`() throws {
        let bomb = try GzipCoder.compress([UInt8](repeating: 0, count: 64 << 20), level: 9)
        let limit = 1 << 20
        let stream = ZlibStream()
        let inflater = try Inflater(limit: limit, stream: stream)
        #expect(throws: GzipError.limitExceeded(limit: limit)) {
            try bomb.withUnsafeBytes { try inflater.decompress($0) }
        }
        #expect(stream.consumed < bomb.count / 50)
    }

    @Test(arguments: [-1, Int.min])
    func `exceeds any limit that is too small`(limit: Int) throws {
        let compressed = try GzipCoder.compress([])
        #expect(throws: GzipError.limitExceeded(limit: limit)) {
            try GzipCoder.decompress(compressed, limit: limit)
        }
    }

    @Test func `is altered anywhere, and never returns other bytes than were compressed`() throws {
        let original = try GzipCoder.compress(Self.bytes)
        var refused = 0
        for position in original.indices {
            for bit in 0..<8 {
                var altered = original
                altered[position] ^= 1 << UInt8(bit)
                do {
                    // Changes of the header's time, extra flags and system are not detected.
                    #expect(try GzipCoder.decompress(altered, limit: 1 << 20) == Self.bytes)
                } catch {
                    refused += 1
                }
            }
        }
        #expect(refused > original.count * 8 / 2)
    }
}
