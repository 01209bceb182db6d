/// Why there is no link, in words for a person.
package struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Hashable, Sendable {
        /// A socket's path is longer than the system takes.
        case pathTooLong
        /// Nobody listens at the path.
        case nobodyListens
        /// Somebody listens there already.
        case inUse
        /// There is a file at the path that is no socket; it is left alone.
        case notASocket
        /// The system said no.
        case system
    }

    package let reason: Reason
    package let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
