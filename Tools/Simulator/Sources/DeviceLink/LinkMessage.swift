/// What goes over the link in one direction, a line of JSON each.
package protocol LinkMessage: Codable, Sendable {
    /// Bytes of a line at most, without its end.
    static var lineLimit: Int { get }
    /// Bytes that wait to be sent at most.
    static var queueLimit: Int { get }
}

extension AppMessage: LinkMessage {
    /// A picture of 8 MiB and what JSON makes of it.
    package static let lineLimit = 16 << 20
    package static let queueLimit = 32 << 20
}

extension DeviceMessage: LinkMessage {
    package static let lineLimit = 64 << 10
    package static let queueLimit = 1 << 20
}
