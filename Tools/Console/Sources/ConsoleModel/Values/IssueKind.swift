import AstrolabeSemantics

/// The kind of a crash or hang. Raw values are stored in the database.
package enum IssueKind: UInt8, Sendable, CaseIterable {
    case crash = 1
    case hang = 2

    /// The name of the event that reports the crash or hang.
    package var eventName: String {
        switch self {
        case .crash: EventName.appCrash
        case .hang: EventName.hang
        }
    }

    package init?(eventName: String) {
        guard let kind = Self.allCases.first(where: { $0.eventName == eventName }) else { return nil }
        self = kind
    }

    /// The name used by the API.
    package var name: String {
        switch self {
        case .crash: "crash"
        case .hang: "hang"
        }
    }

    package init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
