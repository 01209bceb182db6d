#if os(macOS) || os(Linux)
import AstrolabeSemantics
import AstrolabeTestSupport
import Foundation
import Testing

@Suite struct `The official list of names` {
    @Test(.enabled(if: Conventions.python != nil, "ASTROLABE_PYTHON names no interpreter"))
    func `every attribute key stands where the official list of names has it`() throws {
        let official = try Conventions.read()
        #expect(official.schema == SchemaURL.current)
        for constant in try Constant.readAll() where constant.space == "AttributeKey" {
            if official.covers(constant.value) {
                let standing = official.attributes[constant.value] ?? "Not in the conventions"
                #expect(constant.standing == standing, "\(constant.value)")
            }
        }
    }
}

/// The semantic conventions as their Python package has them; `./astrolabe test` installs it.
struct Conventions: Decodable {
    var schema: String
    var attributes: [String: String]

    static var python: String? { ProcessInfo.processInfo.environment["ASTROLABE_PYTHON"] }

    /// Returns true if the package would know the name: it leaves out the namespaces of other platforms than its own.
    func covers(_ name: String) -> Bool { !name.hasPrefix("ios.") }

    static func read() throws -> Conventions {
        let tool = Repository.file("Scripts/semantic_conventions.py")
        let process = Process()
        process.executableURL = URL(filePath: try #require(python))
        process.arguments = [tool.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try JSONDecoder().decode(Conventions.self, from: data)
    }
}
#endif
