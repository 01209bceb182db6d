/// A message in one direction of the link, sent as one line of JSON.
package protocol LinkMessage: Codable, Sendable {
    /// The largest length of a line in bytes, without its end.
    static var lineLimit: Int { get }
    /// The largest number of bytes in the queue.
    static var queueLimit: Int { get }
}

extension AppMessage: LinkMessage {
    /// An image of 8 MiB, in Base64.
    package static let lineLimit = 16 << 20
    package static let queueLimit = 32 << 20
}

extension DeviceMessage: LinkMessage {
    package static let lineLimit = 64 << 10
    package static let queueLimit = 1 << 20
}
