/// What a record is to a person who reads a timeline. Raw values are what the database holds.
package enum RecordCategory: UInt8, Sendable, CaseIterable {
    case span = 0
    /// An HTTP request, seen from the side that sent it.
    case request = 1
    /// A span of a view: its body, its appearance, the time until it was first seen.
    case view = 2
    /// The work of a server for a request.
    case server = 3
    /// A log record without an event name.
    case log = 8
    case event = 9
    case crash = 10

    package var isSpan: Bool { rawValue < Self.log.rawValue }

    /// The word that the API uses.
    package var name: String {
        switch self {
        case .span: "span"
        case .request: "request"
        case .view: "view"
        case .server: "server"
        case .log: "log"
        case .event: "event"
        case .crash: "crash"
        }
    }
}

/// Which side of the network a record comes from. Raw values are what the database holds.
package enum OriginSide: UInt8, Sendable, CaseIterable {
    case backend = 0
    /// A phone, or another thing a person holds.
    case device = 1

    package var name: String { self == .device ? "device" : "backend" }
}
