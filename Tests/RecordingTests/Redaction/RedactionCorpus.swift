import AstrolabeTestSupport
import Foundation

@testable import AstrolabeRecording

/// Made-up texts that hold a secret, and texts that hold none, one a line of `Corpus/`, in columns between tabs.
///
/// `\n` stands for a line break. The mark `¦` is taken out: with it, no scanner takes a key in the file for a real one.
enum RedactionCorpus {
    /// A text with a secret.
    struct Positive {
        let kind: String
        let key: String
        let text: String
        let secret: String

        /// True if the app must ask for the redaction of this kind.
        var isOnRequest: Bool { kind.hasSuffix("(on request)") }
    }

    /// A text that is recorded as it is.
    struct Negative {
        let kind: String
        let key: String
        let text: String
    }

    static func positives() throws -> [Positive] {
        try rows(of: "positives", columns: 4).map {
            Positive(kind: $0[0], key: $0[1], text: $0[2], secret: $0[3])
        }
    }

    static func negatives() throws -> [Negative] {
        try rows(of: "negatives", columns: 3).map { Negative(kind: $0[0], key: $0[1], text: $0[2]) }
    }

    /// The options of an app that asks for all kinds of redaction.
    static var allKinds: RedactionOptions {
        var options = RedactionOptions()
        options.personalData = Set(RedactionOptions.PersonalData.allCases)
        options.patterns = ["MRN-#######", "acct_*", "Ada Lovelace"]
        return options
    }

    private struct UnreadableLine: Error {
        let line: String
    }

    private static func rows(of file: String, columns: Int) throws -> [[String]] {
        let path = "Tests/RecordingTests/Redaction/Corpus/\(file).tsv"
        let text = String(decoding: try Data(contentsOf: Repository.file(path)), as: UTF8.self)
        return try text.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { field in
                field.replacingOccurrences(of: "¦", with: "").replacingOccurrences(of: "\\n", with: "\n")
            }
            guard fields.count == columns else { throw UnreadableLine(line: String(line)) }
            return fields
        }
    }
}
