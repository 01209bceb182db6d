package import ViewTree

/// What a person does with the phone, written down, and what must come of it on the screen and in the telemetry.
///
/// `Docs/Guide/Scenarios.md` shows the language.
package struct Scenario: Hashable, Sendable {
    /// In one line.
    package var name: String
    /// How the phone is set before the first step.
    package var phone = PhoneSettingsUpdate()
    package var steps: [Step]

    package struct Step: Hashable, Sendable {
        /// In the file, from 1.
        package var line: Int
        package var act: Act
        /// For how long the step waits for what it wants, in seconds.
        package var within: Double
        /// How often it is done.
        package var times = 1

        package static let usualTime = 20.0
    }

    package enum Act: Hashable, Sendable {
        /// Starts the app, ends it, and what else happens to an app.
        case perform(PhoneAction)
        case set(PhoneSettingsUpdate)
        /// Touches what has an identifier, once it is there and takes the action.
        case touch(ViewAction, identifier: String, value: String?)
        /// Does it to whatever is in front and takes it: a page, a sheet, a list.
        case front(ViewAction)
        /// Picks the choice with this text.
        case choose(String, identifier: String)
        case screen(ScreenExpectation)
        /// Waits until the app has ended in this way.
        case ended(AppEnd.Kind)
        case status([StatusExpectation])
        case telemetry(TelemetryExpectation)
    }
}

/// What is wanted of the screen.
package struct ScreenExpectation: Hashable, Sendable {
    package var identifier: String?
    package var text: String?
    /// That it is not there.
    package var isAbsent = false

    /// A text is looked for inside the node with the identifier, where there is one.
    func holds(for screen: RenderedTree?) -> Bool {
        guard let screen else { return isAbsent }
        guard let identifier else { return (text.map { screen.contains(text: $0) } ?? true) != isAbsent }
        let nodes = screen.root.all { $0.properties["identifier"]?.string == identifier }
        let isThere = nodes.contains { node in
            text.map { text in node.texts.contains { $0.contains(text) } || node.says(text) } ?? true
        }
        return isThere != isAbsent
    }
}

extension RenderedNode {
    /// Whether a label, value or field says it, where no text does.
    fileprivate func says(_ text: String) -> Bool {
        ["text", "label", "value"].contains { properties[$0]?.string?.contains(text) == true }
    }
}

/// A number that is wanted: `3`, `">= 2"`, `"< 10"`.
package struct NumberExpectation: Hashable, Sendable {
    package enum Relation: String, Hashable, Sendable, CaseIterable {
        case atLeast = ">="
        case atMost = "<="
        case more = ">"
        case less = "<"
        case equal = "=="
    }

    package var relation: Relation
    package var number: Double

    /// - Returns: nil for what is no such wish.
    init?(_ text: String) {
        let text = text.trimmingPrefix { $0 == " " }
        let relation = Relation.allCases.first { text.hasPrefix($0.rawValue) }
        let rest = text.dropFirst(relation?.rawValue.count ?? 0).drop { $0 == " " }
        guard let number = Double(rest) else { return nil }
        self.relation = relation ?? .equal
        self.number = number
    }

    init(_ relation: Relation, _ number: Double) {
        self.relation = relation
        self.number = number
    }

    func holds(for value: Double) -> Bool {
        switch relation {
        case .atLeast: value >= number
        case .atMost: value <= number
        case .more: value > number
        case .less: value < number
        case .equal: value == number
        }
    }
}

/// What is wanted of what the SDK says of itself.
package enum StatusExpectation: Hashable, Sendable {
    case mode(String)
    case upload(String)
    /// Records that wait, in the journal and the queue.
    case waiting(NumberExpectation)
    case queued(NumberExpectation)
    case dropped(NumberExpectation)
    case delivered(NumberExpectation)
    case balanced(Bool)
    case screen(String)
}

/// Records that the collector must have got.
package struct TelemetryExpectation: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case span, event
    }

    package var kind: Kind
    package var name: String
    package var count = NumberExpectation(.atLeast, 1)
    /// `service.name`
    package var service: String?
    /// "unset", "ok" or "error", of a span.
    package var status: String?
    /// Attributes and their values as text.
    package var attributes: [String: String] = [:]
}
