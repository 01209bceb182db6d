/// An error of opening the link.
package struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Hashable, Sendable {
        /// The socket's path is longer than the system allows.
        case pathTooLong
        /// No device listens at the path.
        case nobodyListens
        /// Another device already listens at the path.
        case inUse
        /// A file that is not a socket exists at the path. It is not removed.
        case notASocket
        /// The system reported an error.
        case system
    }

    package let reason: Reason
    package let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
