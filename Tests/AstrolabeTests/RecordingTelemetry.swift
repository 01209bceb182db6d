import Astrolabe
import AstrolabeTestSupport
import Foundation

/// A folder that no other test uses.
func temporaryFolder() -> URL { TestFolders.folder("telemetry") }

/// The SDK recording into memory, with storage of its own.
func telemetry(
    into sink: MemorySink, folder: URL = temporaryFolder(), _ change: (inout TelemetryConfiguration) -> Void = { _ in },
) -> Telemetry {
    var configuration = TelemetryConfiguration(serviceName: "test")
    configuration.storageDirectory = folder
    change(&configuration)
    return Telemetry(configuration, sink: sink)
}
