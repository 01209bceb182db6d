import AstrolabeTesting
import Foundation

@testable import Astrolabe

extension TelemetryConfiguration {
    /// Of an app that stores in this folder, samples nothing out, and flushes only when a test asks for it.
    static func quiet(_ serviceName: String, in folder: URL) -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration(serviceName: serviceName)
        configuration.storageDirectory = folder
        configuration.conditions = SimulatedDevice()
        configuration.endpoint?.isCompressed = false
        configuration.sampling = .everything
        configuration.flushInterval = .seconds(3_600)
        return configuration
    }
}
