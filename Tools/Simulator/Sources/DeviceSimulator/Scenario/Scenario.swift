package import Foundation
package import ViewTree

/// A script of user actions on the phone, with expectations about the screen and the telemetry.
///
/// `Docs/Guide/Scenarios.md` describes the file format.
package struct Scenario: Hashable, Sendable {
    /// A description of one line.
    package var name: String
    /// The settings of the phone before the first step.
    package var phone = PhoneSettingsUpdate()
    package var steps: [Step]
    /// The name of an app that is built beside `astrolabe`; `nil` for the shop.
    package var app: String?
    /// True if waits take no real time.
    package var isVirtual = false

    package struct Step: Hashable, Sendable {
        /// The line in the file, starting at 1.
        package var line: Int
        package var action: Action
        /// The seconds that the step waits until its expectation holds.
        package var timeout: Double
        /// The number of times that the step runs.
        package var times = 1

        /// Seconds.
        package static let defaultTimeout = 20.0
    }

    package enum Action: Hashable, Sendable {
        /// Starts or ends the app, or changes its state.
        case perform(PhoneAction)
        /// Starts the app, and waits until it has ended in this way.
        case launch(until: AppEnd.Kind)
        case set(PhoneSettingsUpdate)
        /// Opens the URL in the app, and waits until the app is active.
        case open(URL)
        /// Sends the action to the control, as soon as it is on the screen and accepts the action.
        case touch(ViewAction, on: ControlName, value: String?)
        /// Drags over the view from its top left corner, by so many points.
        case drag(ControlName, x: Double, y: Double)
        /// Swipes over the row, and taps the action with the title; without a title, swipes all the way.
        case swipe(row: String, title: String?)
        /// Sends the action to the frontmost view that accepts it: a page, a sheet or a list.
        case front(ViewAction)
        /// Selects the choice with this text in a picker or a tab view.
        case choose(String, in: ControlName)
        case screen(ScreenExpectation)
        /// Waits until the app has ended in this way.
        case ended(AppEnd.Kind)
        case status([StatusExpectation])
        case telemetry(TelemetryExpectation)
        case promoted(PromotionExpectation)
        /// Lets virtual time pass, in seconds.
        case advance(Double)
        /// Sets the wall clock forward, or back if the seconds are negative.
        case clock(Double)
        case collector(CollectorUpdate)
        /// The number of requests since the last `collector` step.
        case requests(NumberExpectation)
        /// The longest wait of a record since the last `collector` step, in seconds.
        case waited(NumberExpectation)
        /// Every record of the app's witness was delivered, or left out by the mode.
        case accounted
        /// Sets flags of the app's backend.
        case backend([String: NodeValue])
    }
}

/// The response of the collector from now on.
package struct CollectorUpdate: Hashable, Sendable {
    package var response = CollectorResponse.works
    /// Seconds from a request to its response.
    package var delay = 0.0
    /// Bytes of requests a second; `nil` for no limit.
    package var bytesPerSecond: Double?
}

/// An expectation about the screen.
package struct ScreenExpectation: Hashable, Sendable {
    package var identifier: String?
    package var text: String?
    /// True if the view must be missing.
    package var isAbsent = false

    /// Searches for the text inside the node with the identifier, or on the whole screen if there is no identifier.
    func holds(for screen: RenderedTree?) -> Bool {
        guard let screen else { return isAbsent }
        func reads(_ node: RenderedNode) -> Bool {
            text.map { text in node.words.contains { $0.contains(text) } || node.says(text) } ?? true
        }
        guard let identifier else { return reads(screen.root) != isAbsent }
        let isThere = screen.root.all { $0.properties["identifier"]?.string == identifier }.contains(where: reads)
        return isThere != isAbsent
    }
}

extension RenderedNode {
    /// Returns true if the text is part of the label, value or field content.
    fileprivate func says(_ text: String) -> Bool {
        ["text", "label", "value"].contains { properties[$0]?.string?.contains(text) == true }
    }
}

/// An expectation about a number: `3`, `">= 2"`, `"< 10"`.
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

    /// - Returns: `nil` if the text is not a number expectation.
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

/// An expectation about the status that the SDK reports.
package enum StatusExpectation: Hashable, Sendable {
    case mode(String)
    case upload(String)
    /// The number of records in the journal and the queue.
    case waiting(NumberExpectation)
    case queued(NumberExpectation)
    case dropped(NumberExpectation)
    case delivered(NumberExpectation)
    /// The number of records in the flight recorder's ring.
    case recorded(NumberExpectation)
    case balanced(Bool)
    case screen(String)
}

/// An expectation about the records that the collector received.
package struct TelemetryExpectation: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case span, event
    }

    package var kind: Kind
    package var name: String
    package var count = NumberExpectation(.atLeast, 1)
    /// `service.name`
    package var service: String?
    /// The status of a span: "unset", "ok" or "error".
    package var status: String?
    /// Attributes with their values as text.
    package var attributes: [String: String] = [:]
}
