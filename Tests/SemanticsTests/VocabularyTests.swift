import AstrolabeSemantics
import AstrolabeTestSupport
import Foundation
import Testing

/// Holds the source of the vocabulary against its own grammar.
@Suite struct Vocabulary {
    let constants: [Constant]

    private static let all = Result { try Constant.readAll() }

    init() throws {
        constants = try Self.all.get()
        try #require(constants.count > 90, "The vocabulary was not found in the sources.")
    }

    @Test func `every attribute key says its type, an example and its standing`() {
        for constant in constants where constant.space == "AttributeKey" {
            #expect(constant.standing != nil, "\(constant.name): its comment ends in \"\(constant.lastLine)\"")
        }
    }

    @Test func `a constant is named after what it stands for`() {
        for constant in constants where constant.space == "AttributeKey" {
            let letters = constant.value.filter { $0 != "." && $0 != "_" }
            #expect(constant.name.lowercased() == letters, "\(constant.name) stands for \(constant.value)")
        }
    }

    @Test func `no name is spelled by two constants of one enum`() {
        for (space, members) in Dictionary(grouping: constants, by: \.space) where space != "KnownValue" {
            let twice = Dictionary(grouping: members, by: \.value).filter { $0.value.count > 1 }.keys
            #expect(twice.isEmpty, "\(space) has these twice: \(twice.sorted())")
        }
    }
}

/// One `public` or `package static let name = "value"` with the last line of its comment.
struct Constant {
    var space: String
    var name: String
    var value: String
    var lastLine: String

    /// The standing of the name in the conventions, if the comment follows the grammar.
    var standing: String? {
        let grammar =
            /(?:String|Int|Double|Bool|Map)(?:, [a-zA-Z ]+)?, such as `.+`\. (?<standing>[A-Z][a-z ]+)(?:: .+)?\./
        return lastLine.wholeMatch(of: grammar).map { String($0.output.standing) }
    }

    static func readAll() throws -> [Constant] {
        let folder = Repository.file("Sources/Semantics")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            constants(in: try String(contentsOf: file, encoding: .utf8))
        }
    }

    private static func constants(in source: String) -> [Constant] {
        var space = ""
        var comment = ""
        var found: [Constant] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.firstMatch(of: /^(?:public enum|extension) (\w+) \{/) {
                space = String(match.output.1)
            } else if let match = line.firstMatch(of: /^ *\/\/\/ (.+)$/) {
                comment = String(match.output.1)
            } else if let match = line.firstMatch(of: /(?:public|package) static let (\w+) = "(.*)"$/) {
                let (_, name, value) = match.output
                found.append(Constant(space: space, name: String(name), value: String(value), lastLine: comment))
            }
        }
        return found
    }
}
