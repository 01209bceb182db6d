import BrowserKit
import Foundation

/// A question that a person answers with the mouse, from the front page.
struct Question: Sendable {
    enum Step: Sendable {
        case click(String, text: String? = nil)
        /// Into the focused field, with the return key after it.
        case type(String)
        /// Opens a list of values and chooses one, which are two clicks.
        case choose(String, value: String)
    }

    /// A row of what is read: texts, and numbers where the text of a cell is one.
    typealias Rows = [[String]]

    var title: String
    var steps: [Step]
    /// A JavaScript expression of rows of strings.
    var answer: String
    var expected: Rows
    /// How far a number may be from the expected one, as a share of it.
    var tolerance = 1e-9

    static let clickLimit = 4

    var clicks: Int {
        steps.reduce(0) { count, step in
            switch step {
            case .click: count + 1
            case .type: count
            case .choose: count + 2
            }
        }
    }

    /// Whether the rows are the expected ones, in any order.
    func isAnswered(by rows: Rows) -> Bool {
        guard rows.count == expected.count else { return false }
        return zip(rows.sorted(by: Self.isBefore), expected.sorted(by: Self.isBefore)).allSatisfy { row, expected in
            row.count == expected.count && zip(row, expected).allSatisfy(isEqual)
        }
    }

    private static func isBefore(_ one: [String], _ other: [String]) -> Bool { one.lexicographicallyPrecedes(other) }

    private func isEqual(_ text: String, _ expected: String) -> Bool {
        guard let number = Double(text), let other = Double(expected) else { return text == expected }
        return abs(number - other) <= tolerance * abs(other)
    }
}

extension WebDriver {
    /// Answers a question from the front page, and returns the last rows that the page showed.
    func answer(_ question: Question, at address: String) async throws -> Question.Rows {
        try await open(address)
        try await run("sessionStorage.clear(); localStorage.clear();")
        try await open(address)
        // A file that the page saves can be read.
        try await run(
            "const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { globalThis.saved = text; }); return make.call(URL, blob); };"
        )
        for step in question.steps { try await take(step) }
        return try await rows(of: question)
    }

    private func take(_ step: Question.Step) async throws {
        switch step {
        case .click(let selector, let text): try await click(selector, text: text)
        case .type(let text):
            try await type(text)
            try await press(Key.enter)
        case .choose(let selector, let value):
            try await wait(until: "document.querySelector('\(selector)')")
            try await run(
                """
                const list = document.querySelector('\(selector)');
                list.value = '\(value)'; list.dispatchEvent(new Event('change'));
                """)
        }
    }

    /// Reads the rows until they are the expected ones, or for ten seconds.
    func rows(of question: Question) async throws -> Question.Rows {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let found = try await run("try { return \(question.answer) } catch { return [] }")
            let rows = found.elements.map { $0.elements.map { $0.text ?? "" } }
            if question.isAnswered(by: rows) || ContinuousClock.now > end { return rows }
            _ = try await runAsync("requestAnimationFrame(() => done(true))")
        }
    }
}
