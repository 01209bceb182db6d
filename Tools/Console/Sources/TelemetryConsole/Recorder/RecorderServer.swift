import AstrolabeDelivery
package import Foundation

/// The server that the console asks for its part of promoted traces, if that has a flight recorder.
package struct RecorderServer: Sendable {
    /// The path below the address, as `RecorderPromotion` of the bridges answers it.
    static let path = "recorder/promote"

    /// Returns the address, such as `https://shop.example.com`; `nil` while it is not known.
    package var address: @Sendable () -> URL?
    /// The key that the server requires.
    package var key: String
    /// The time for one request. The default is 10 s.
    var timeout: Duration = .seconds(10)
    /// When a request is made again, at most five times.
    var retry = RetryPolicy()

    package init(address: @escaping @Sendable () -> URL?, key: String) {
        self.address = address
        self.key = key
    }
}

extension RecorderServer: CustomStringConvertible {
    /// Without the key.
    package var description: String { "RecorderServer" }
}
