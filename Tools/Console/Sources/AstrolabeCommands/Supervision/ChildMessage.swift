import AstronomyShop
import Foundation

/// A message from a supervised process to its parent, sent as one line of JSON on standard output.
enum ChildMessage: Codable, Sendable {
    /// The server listens on this port.
    case ready(port: Int)
    /// The shopper finished a trip.
    case trip(TripSummary)

    func print() {
        guard let data = try? JSONEncoder().encode(self) else { return }
        FileHandle.standardOutput.write(data + [UInt8(ascii: "\n")])
    }
}
