import AstronomyShop
import Foundation

/// What a supervised process tells its parent: one JSON object a line, on standard output.
enum ChildMessage: Codable, Sendable {
    /// A server listens on this port.
    case ready(port: Int)
    /// The shopper has come back from a trip.
    case trip(TripSummary)

    func print() {
        guard let data = try? JSONEncoder().encode(self) else { return }
        FileHandle.standardOutput.write(data + [UInt8(ascii: "\n")])
    }
}
