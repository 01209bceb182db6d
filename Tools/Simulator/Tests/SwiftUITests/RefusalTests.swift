import Foundation
import Testing

@Suite struct `A refused name` {
    /// The exit of the compiler, its errors by file and line, and how many forms were tried.
    private static let tried = Task { try await RefusedForms.read().compile() }

    @Test func `is the one error of each form in each place, and says what to use instead`() async throws {
        let outcome = try await Self.tried.value
        #expect(outcome.expected.count > 300)
        for (place, name) in outcome.expected {
            let errors = outcome.errors[place] ?? []
            let isRight =
                errors.count == 1
                && errors.allSatisfy { $0.contains("'\(name)") && $0.contains("unavailable: SwiftUI on Linux lacks ") }
            if !isRight { Issue.record("\(name), line \(place.line) of \(place.file): \(errors)") }
        }
        for (place, errors) in outcome.errors where outcome.expected[place] == nil {
            Issue.record("line \(place.line) of \(place.file): \(errors)")
        }
    }

    @Test func `has a form for each row of the support table`() throws {
        let page = try String(
            contentsOf: Compiler.repository.appendingPathComponent("Docs/SwiftUIOnLinux.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| well-known names | refused |") }
        let refused = rows.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
        #expect(!refused.isEmpty)
        let tried = Set(try RefusedForms.read().forms.map(\.name))
        #expect(Set(refused).subtracting(tried) == [])
    }

    @Test func `or a macro on something else than a variable with a value has a message at its line`() async throws {
        let text = "@Entry expects a variable with a value, such as 'var accent: Color = .red'"
        let errors = try await Compiler.errors(in: [Compiler.sources.appendingPathComponent("MisusedEntry.swift")])
        let messages = errors[Compiler.Place(file: "MisusedEntry", line: 6)] ?? []
        #expect(messages.contains { $0.hasPrefix(text) }, "\(errors)")
    }

    @Test func `is no more than that: files of supported names compile`() async throws {
        let files = ["Supported.swift", "Idiom2019.swift", "Idiom2023.swift"]
        let errors = try await Compiler.errors(in: files.map { Compiler.sources.appendingPathComponent($0) })
        #expect(errors == [:])
    }
}
