import AstrolabeSeededRandomness
import Foundation

/// Returns random bytes between noise and a single repeated value.
func someBytes(upTo limit: Int, using generator: inout SeededGenerator) -> [UInt8] {
    let alphabet = UInt8.random(in: 0...255, using: &generator)
    return (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
        UInt8.random(in: 0...alphabet, using: &generator)
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
