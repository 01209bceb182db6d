import Foundation
import Testing

@Suite struct `A refused name` {
    /// An error of the compiler.
    private struct Complaint: Hashable {
        let line: Int
        let text: String
    }

    private let repository: URL
    private let sources: URL

    init() {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        sources = folder.appendingPathComponent("Refusals")
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        repository = folder
    }

    /// Type-checks a file against the built module, and returns the errors.
    private func complaints(about file: String) async throws -> Set<Complaint> {
        let products = try #require(Bundle.main.executableURL).resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", "-swift-version", "6", "-I", products.appendingPathComponent("Modules").path]
            + [
                "-load-plugin-executable",
                products.appendingPathComponent("SwiftUIMacros-tool").path + "#SwiftUIMacros",
            ]
            + moduleMaps(products).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
            + [sources.appendingPathComponent(file).path]
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
        #expect(FileManager.default.createFile(atPath: output.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: output) }
        process.standardError = try FileHandle(forWritingTo: output)
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        _ = await exits.first { _ in true }
        let text = try String(contentsOf: output, encoding: .utf8)
        return Set(
            text.matches(of: /(?m)^(<unknown>|[^\n]*\/[^\/\n]+\.swift):(\d+)(?::\d+)?: error: ([^\n]*)/).map {
                Complaint(line: Int($0.2) ?? 0, text: String($0.3))
            })
    }

    /// The C modules of everything that the module is built from.
    private func moduleMaps(_ products: URL) -> [URL] {
        let files = FileManager.default
        func list(_ folder: URL) -> [URL] {
            (try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        }
        let generated = list(products).filter {
            // What is built for the build itself has the same modules once more.
            $0.pathExtension == "build" && !$0.lastPathComponent.hasSuffix("-tool.build")
        }
        let dependencies = list(repository.appendingPathComponent(".build/checkouts")) + [repository]
        let targets = dependencies.flatMap { list($0.appendingPathComponent("Sources")) }
        let folders = generated + targets + targets.map { $0.appendingPathComponent("include") }
        return folders.map { $0.appendingPathComponent("module.modulemap") }.filter {
            files.fileExists(atPath: $0.path)
        }
    }

    /// The names that the lines of the file are marked with.
    private func marks() throws -> [Int: String] {
        let text = try String(contentsOf: sources.appendingPathComponent("Refused.swift"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        return Dictionary(
            uniqueKeysWithValues: lines.compactMap { index, line in
                line.firstMatch(of: /\/\/ refused: (\w+)$/).map { (index + 1, String($0.1)) }
            })
    }

    @Test func `does not compile, and the message says that it is unsupported`() async throws {
        let expected = try marks().map { line, name in
            Complaint(line: line, text: "'\(name)' is unavailable: The stand-in for SwiftUI does not support \(name).")
        }
        let complaints = try await complaints(about: "Refused.swift")
        for missing in Set(expected).subtracting(complaints) { Issue.record("Refused.swift compiles: \(missing)") }
        #expect(complaints.subtracting(expected) == [])
    }

    @Test func `or a macro on something else than a variable with a value has a message at its line`() async throws {
        let text = "@Entry expects a variable with a value, such as 'var accent: Color = .red'"
        let complaints = try await complaints(about: "MisusedEntry.swift")
        #expect(complaints.contains { $0.line == 6 && $0.text.hasPrefix(text) }, "\(complaints)")
    }

    @Test func `has a use in the file for each row of the support table`() throws {
        let page = try String(contentsOf: repository.appendingPathComponent("Docs/SwiftUIOnLinux.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| well-known names | refused |") }
        let refused = rows.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
        #expect(!refused.isEmpty)
        #expect(Set(try marks().values).symmetricDifference(refused) == [])
    }

    @Test func `is no more than that: a file of supported names compiles`() async throws {
        #expect(try await complaints(about: "Supported.swift") == [])
    }
}
