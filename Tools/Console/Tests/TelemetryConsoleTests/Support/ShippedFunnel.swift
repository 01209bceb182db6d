import Foundation
import TelemetryQuery
import Testing

@testable import TelemetryConsole

extension FunnelQuery {
    /// The funnel that Journeys begins with if the user has no boards.
    static func shipped() async throws -> FunnelQuery {
        let missing = FileManager.default.temporaryDirectory.appendingPathComponent("no-boards-\(UUID())")
        return try #require(await BoardLibrary(folder: missing).firstFunnel())
    }
}
