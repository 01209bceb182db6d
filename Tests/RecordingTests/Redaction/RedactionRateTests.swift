import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeRecording

/// Measures on the corpus how many secrets redaction misses, and how much it replaces that is none.
@Suite struct RedactionRateTests {
    private let byDefault = Redactor()
    private let onRequest = Redactor(RedactionCorpus.allKinds)

    private func shows(_ example: RedactionCorpus.Positive) -> Bool {
        (example.isOnRequest ? onRequest : byDefault).redacted(example.text, key: example.key).contains(example.secret)
    }

    private func changes(_ example: RedactionCorpus.Negative, _ redactor: Redactor) -> Bool {
        redactor.redacted(example.text, key: example.key) != example.text
    }

    @Test func `at most 1 in 100 secrets of the corpus is missed`() throws {
        let examples = try RedactionCorpus.positives()
        #expect(examples.count >= 300)
        let missed = examples.filter(shows)
        #expect(missed.count * 100 <= examples.count, "\(missed.map { "\($0.key) \($0.text)" })")
    }

    @Test func `at most 2 in 100 harmless texts of the corpus are changed`() throws {
        let examples = try RedactionCorpus.negatives()
        #expect(examples.count >= 300)
        for redactor in [byDefault, onRequest] {
            let changed = examples.filter { changes($0, redactor) }
            #expect(changed.count * 50 <= examples.count, "\(changed.map { "\($0.key) \($0.text)" })")
        }
    }

    @Test func `personal data that the app does not ask for is recorded`() throws {
        let examples = try RedactionCorpus.positives().filter(\.isOnRequest)
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(byDefault.redacted(example.text, key: example.key) == example.text, "\(example.text)")
        }
    }

    @Test func `of random tokens in paths, at most 3 in 100 are missed`() {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        var random = SeededGenerator(seed: 28)
        for length in [20, 22, 32, 43] {
            let missed = (0..<1_000).filter { _ in
                let token = String((0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" })
                return byDefault.redacted("https://h.example/reset/\(token)/x").contains(token)
            }
            #expect(missed.count <= 30, "\(length) characters")
        }
    }

    /// Compares the tables of Docs/Redaction.md with the corpus; writes them if `ASTROLABE_VECTORS` is `write`.
    @Test func `the tables in the documentation are those of the corpus`() throws {
        let page = Repository.file("Docs/Redaction.md")
        let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
        let begin = try #require(text.range(of: "<!-- rates: begin -->\n"))
        let end = try #require(text.range(of: "<!-- rates: end -->"))
        let tables = try makeTables()
        if ProcessInfo.processInfo.environment["ASTROLABE_VECTORS"] == "write" {
            let new = text[..<begin.upperBound] + tables + text[end.lowerBound...]
            try Data(new.utf8).write(to: page)
            return
        }
        #expect(
            text[begin.upperBound..<end.lowerBound] == tables,
            "run this test with ASTROLABE_VECTORS=write if the change is meant")
    }

    private func makeTables() throws -> String {
        let positives = try RedactionCorpus.positives()
        var lines = ["| secrets | examples | missed |", "|---|---:|---:|"]
        for kind in kinds(positives.map(\.kind)) {
            let examples = positives.filter { $0.kind == kind }
            lines.append("| \(kind) | \(examples.count) | \(examples.filter(shows).count) |")
        }
        lines.append(
            "| all | \(positives.count) | \(rate(of: positives.filter(shows).count, among: positives.count)) |")
        let negatives = try RedactionCorpus.negatives()
        lines += ["", "| harmless texts | examples | changed | changed with all kinds on |", "|---|---:|---:|---:|"]
        for kind in kinds(negatives.map(\.kind)) {
            let examples = negatives.filter { $0.kind == kind }
            let changed = [byDefault, onRequest].map { redactor in examples.filter { changes($0, redactor) }.count }
            lines.append("| \(kind) | \(examples.count) | \(changed[0]) | \(changed[1]) |")
        }
        let changed = [byDefault, onRequest].map { redactor in
            rate(of: negatives.filter { changes($0, redactor) }.count, among: negatives.count)
        }
        lines.append("| all | \(negatives.count) | \(changed[0]) | \(changed[1]) |")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Each kind once, in the order of the file.
    private func kinds(_ all: [String]) -> [String] {
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }

    private func rate(of count: Int, among all: Int) -> String {
        let perMille = (count * 1_000 + all / 2) / all
        return "\(count) (\(perMille / 10).\(perMille % 10) %)"
    }
}
