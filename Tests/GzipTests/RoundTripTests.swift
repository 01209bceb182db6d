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

@Suite struct `Other implementations` {
    static let bytes = Array(String(repeating: "astrolabe and telescope, ", count: 4_000).utf8)

    @Test(.enabled(if: isOnPath("gzip"), "the gzip command is not on the path"))
    func `gzip reads our output and we read its output`() throws {
        #expect(try run(["gzip", "-dc"], input: GzipCoder.compress(Self.bytes)) == Self.bytes)
        let theirs = try run(["gzip", "-c"], input: Self.bytes)
        #expect(try GzipCoder.decompress(theirs, limit: Self.bytes.count) == Self.bytes)
    }

    @Test(.enabled(if: isOnPath("python3"), "python3 is not on the path"))
    func `Python reads our output and we read its output`() throws {
        let read = "import gzip,sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"
        #expect(try run(["python3", "-c", read], input: GzipCoder.compress(Self.bytes)) == Self.bytes)

        // Its header contains a file name and a time, which ours never does.
        let write = """
            import gzip,sys
            gzip.GzipFile("some name", "wb", 9, sys.stdout.buffer, 1e9).write(sys.stdin.buffer.read())
            """
        let theirs = try run(["python3", "-c", write], input: Self.bytes)
        #expect(try GzipCoder.decompress(theirs, limit: Self.bytes.count) == Self.bytes)
    }
}
