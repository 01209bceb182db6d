import AstrolabeSeededRandomness
import Testing

@testable import AstrolabeGzip

@Suite struct `A round trip` {
    @Test(arguments: 0...9)
    func `works at every level`(level: Int) throws {
        var generator = SeededGenerator(seed: UInt64(level))
        for _ in 0..<5 {
            let bytes = someBytes(upTo: 50_000, using: &generator)
            let compressed = try GzipCoder.compress(bytes, level: level)
            #expect(try GzipCoder.decompress(compressed, limit: bytes.count) == bytes)
        }
    }

    @Test func `works for empty input`() throws {
        let compressed = try GzipCoder.compress([])
        #expect(!compressed.isEmpty)
        #expect(try GzipCoder.decompress(compressed, limit: 0) == [])
    }

    @Test(arguments: [1, 2, 7, 4096])
    func `works if zlib sees it in small pieces`(pieceLength: Int) throws {
        var generator = SeededGenerator(seed: 1)
        let bytes = someBytes(upTo: 20_000, using: &generator)
        let small = { ZlibStream(chunkLength: pieceLength, pieceLength: pieceLength) }
        let deflater = try Deflater(level: 6, stream: small())
        let compressed = try bytes.withUnsafeBytes { try deflater.compress($0) }
        let inflater = try Inflater(limit: bytes.count, stream: small())
        #expect(try compressed.withUnsafeBytes { try inflater.decompress($0) } == bytes)
        #expect(try GzipCoder.decompress(compressed, limit: bytes.count) == bytes)
    }

    @Test func `works for several members`() throws {
        let members = ["one ", "", "three"].map { Array($0.utf8) }
        let joined = try members.flatMap { try GzipCoder.compress($0) }
        #expect(try GzipCoder.decompress(joined, limit: 9) == Array("one three".utf8))
    }

    @Test func `equal input gives equal output`() throws {
        let bytes = Array("the same".utf8)
        #expect(try GzipCoder.compress(bytes) == GzipCoder.compress(bytes))
    }

    @Test(arguments: [-1, 10, Int.max])
    func `an unknown level is rejected`(level: Int) {
        #expect(throws: GzipError.levelOutOfRange(level)) { try GzipCoder.compress([1], level: level) }
    }
}
