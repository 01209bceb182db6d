/// The category of a record on a timeline. Raw values are stored in the database.
package enum RecordCategory: UInt8, Sendable, CaseIterable {
    case span = 0
    /// An HTTP request, recorded by the client.
    case request = 1
    /// A span of a view: its body, its appearance, or the time until it first appeared.
    case view = 2
    /// The server's work for a request.
    case server = 3
    /// A log record without an event name.
    case log = 8
    case event = 9
    case crash = 10

    package var isSpan: Bool { rawValue < Self.log.rawValue }

    /// The name used by the API.
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

/// The side of the network that a record comes from. Raw values are stored in the database.
package enum OriginSide: UInt8, Sendable, CaseIterable {
    case backend = 0
    /// A phone or another user device.
    case device = 1

    package var name: String { self == .device ? "device" : "backend" }
}
