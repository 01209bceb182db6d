import AstrolabeTestSupport
import Foundation
import Testing

/// A small program with lines and a build id, built once for all tests. Its name has a space and a plus sign.
struct BuiltProgram: Sendable {
    /// The folder that has nothing but the program.
    let folder: URL
    let file: URL
    let source: URL
    let build: String

    static func shared() async throws -> BuiltProgram { try await task.value }

    private static let task = Task { try BuiltProgram() }

    private init() throws {
        let home = TestFolders.folder("program")
        folder = home.appendingPathComponent("products")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        source = home.appendingPathComponent("main.swift")
        try Data("print(CommandLine.arguments.count)\n".utf8).write(to: source)
        file = folder.appendingPathComponent("tiny + shop")
        let built = try Tool.run(["swiftc", "-g", source.path, "-o", file.path, "-Xlinker", "--build-id"])
        try #require(built.status == 0, "\(built.output)")
        let notes = try Tool.run(["readelf", "-n", file.path]).output
        let build = notes.split(whereSeparator: \.isWhitespace).first { $0.count >= 32 && $0.allSatisfy(\.isHexDigit) }
        self.build = String(try #require(build, "the linker wrote no build id"))
    }
}
