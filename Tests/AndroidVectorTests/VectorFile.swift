import AstrolabeTestSupport
import Foundation
import Testing

/// A file of `Android/vectors`: sections of cases that the Swift code decides, which the Kotlin tests read.
struct VectorFile {
    let name: String
    let sections: [(name: String, cases: [JSON])]

    /// One case a line, so that a change of a rule is easy to review.
    private var text: String {
        let parts = sections.map { section in
            "\"\(section.name)\": [\n" + section.cases.map(\.text).joined(separator: ",\n") + "\n]"
        }
        return "{\n" + parts.joined(separator: ",\n") + "\n}\n"
    }

    /// Compares the file with what the code decides now; writes it if `ASTROLABE_VECTORS` is `write`.
    func check() throws {
        let file = Repository.file("Android/vectors/\(name).json")
        if ProcessInfo.processInfo.environment["ASTROLABE_VECTORS"] == "write" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let stored = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
        let current = text.split(separator: "\n")
        #expect(stored.count == current.count, "run ./astrolabe vectors if this change is meant")
        let difference = zip(stored, current).first { $0 != $1 }
        #expect(
            difference == nil,
            """
            \(name).json has a case that the Swift code decides otherwise now. Run ./astrolabe vectors if this is meant.
            in the file: \(difference?.0 ?? "")
            now:         \(difference?.1 ?? "")
            """)
    }
}
