import AstrolabeTestSupport
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

    /// The order in which the page must show the rows.
    enum Order: Sendable {
        case asExpected
        /// The largest number in a column first. Numbers that differ by no more than the tolerance may change places.
        case ranked(column: Int)
        case any
    }

    /// A value that is read from the page, and the expected one.
    struct Reading: Sendable {
        /// A JavaScript expression of rows of strings.
        var script: String
        var expected: Rows
        /// The allowed distance of a number from the expected one, as a share of it.
        var tolerance = 1e-9
        var order = Order.asExpected
    }

    var title: String
    var steps: [Step]
    var readings: [Reading]

    init(title: String, steps: [Step], readings: [Reading]) {
        self.title = title
        self.steps = steps
        self.readings = readings
    }

    init(
        title: String, steps: [Step], answer: String, expected: Rows, tolerance: Double = 1e-9,
        order: Order = .asExpected,
    ) {
        let reading = Reading(script: answer, expected: expected, tolerance: tolerance, order: order)
        self.init(title: title, steps: steps, readings: [reading])
    }

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
}

extension Question.Reading {
    func isMet(by rows: Question.Rows) -> Bool {
        guard rows.count == expected.count else { return false }
        if case .asExpected = order { return zip(rows, expected).allSatisfy(isEqual) }
        guard zip(rows.sorted(by: isBefore), expected.sorted(by: isBefore)).allSatisfy(isEqual) else { return false }
        guard case .ranked(let column) = order else { return true }
        let numbers = rows.map { Double($0[column]) ?? -.infinity }
        // Each of the numbers may be off, up or down.
        return zip(numbers, numbers.dropFirst()).allSatisfy { $0 >= $1 }
            && zip(rows, expected).allSatisfy { row, expected in
                let (number, other) = (Double(row[column]) ?? 0, Double(expected[column]) ?? 0)
                return abs(number - other) <= 3 * tolerance * abs(other)
            }
    }

    private func isBefore(_ one: [String], _ other: [String]) -> Bool { one.lexicographicallyPrecedes(other) }

    private func isEqual(_ row: [String], _ expected: [String]) -> Bool {
        row.count == expected.count && zip(row, expected).allSatisfy(isEqual)
    }

    private func isEqual(_ text: String, _ expected: String) -> Bool {
        guard let number = Double(text), let other = Double(expected) else { return text == expected }
        return abs(number - other) <= tolerance * abs(other)
    }
}

extension WebDriver {
    /// Answers a question from the front page, and returns what the page showed last and was not expected.
    func answer(_ question: Question, at address: String) async throws -> [(found: Question.Rows, Question.Reading)] {
        // A window without a page, before the first question, has no storage.
        try await run("try { sessionStorage.clear(); localStorage.clear(); } catch {}")
        try await open(address)
        // A file that the page saves can be read.
        try await run(
            "const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { globalThis.saved = text; }); return make.call(URL, blob); };"
        )
        for step in question.steps { try await take(step) }
        return try await mistakes(in: question)
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

    /// Reads the page until it shows what is expected. Returns what it shows instead when the time is over.
    func mistakes(in question: Question) async throws -> [(found: Question.Rows, Question.Reading)] {
        var mistakes: [(found: Question.Rows, Question.Reading)] = []
        for reading in question.readings {
            var rows: Question.Rows = []
            do {
                try await eventually("the page shows the answer") {
                    let found = try await run("try { return \(reading.script) } catch { return [] }")
                    rows = found.elements.map { $0.elements.map { $0.text ?? "" } }
                    return reading.isMet(by: rows)
                }
            } catch is NotInTime {
                mistakes.append((rows, reading))
            }
        }
        return mistakes
    }
}
