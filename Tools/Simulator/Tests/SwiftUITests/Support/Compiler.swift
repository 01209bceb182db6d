import Foundation

/// The Swift compiler, for files that import the built stand-in.
enum Compiler {
    struct Place: Hashable, Sendable {
        let file: String
        let line: Int
    }

    /// The folder of the sources that are compiled.
    static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Refusals")

    static let repository =
        sources
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Type-checks files as one module, and returns the errors.
    static func errors(in files: [URL]) async throws -> [Place: Set<String>] {
        guard let executable = Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
        let products = executable.resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-suppress-warnings", "-parse-as-library"]
            + ["-I", products.appendingPathComponent("Modules").path]
            + [
                "-load-plugin-executable",
                products.appendingPathComponent("SwiftUIMacros-tool").path + "#SwiftUIMacros",
            ]
            + moduleMaps(products).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + files.map(\.path)
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
        guard FileManager.default.createFile(atPath: output.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        defer { try? FileManager.default.removeItem(at: output) }
        process.standardError = try FileHandle(forWritingTo: output)
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        _ = await exits.first { _ in true }
        let text = try String(contentsOf: output, encoding: .utf8)
        var errors: [Place: Set<String>] = [:]
        for match in text.matches(of: /(?m)^(?:[^\n]*\/)?([^\/\n]+?)(?:\.swift)?:(\d+)(?::\d+)?: error: ([^\n]*)/) {
            errors[Place(file: String(match.1), line: Int(match.2) ?? 0), default: []].insert(String(match.3))
        }
        return errors
    }

    /// The C modules of everything that the module is built from.
    private static func moduleMaps(_ products: URL) -> [URL] {
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
}
