#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import AstrolabeGzip

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

/// Runs a command with `input` as its standard input and returns its output.
func run(_ command: [String], input: [UInt8]) throws -> [UInt8] {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let inputFile = directory.appendingPathComponent("input")
    let outputFile = directory.appendingPathComponent("output")
    try Data(input).write(to: inputFile)
    try Data().write(to: outputFile)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CommandFailed(status: process.terminationStatus) }
    return Array(try Data(contentsOf: outputFile))
}

struct CommandFailed: Error {
    let status: Int32
}

func isOnPath(_ command: String) -> Bool {
    (try? run(["sh", "-c", "command -v \(command)"], input: [])) != nil
}
#endif
