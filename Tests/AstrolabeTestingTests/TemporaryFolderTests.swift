import Astrolabe
import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

/// A folder that a child process finds too, because the folders of its tests lie in those of this process.
private func placeOfExit() -> String {
    _ = TestFolders.path("exit")
    return (ProcessInfo.processInfo.environment["ASTROLABE_TEST_FOLDERS"] ?? "") + "/exit"
}

@Suite(.serialized) struct `The folder of a collector` {
    @Test func `is gone when the process has exited, even if its telemetry was never shut down`() async throws {
        let place = placeOfExit()
        try PrivateFiles.makeDirectory(place)
        await #expect(processExitsWith: .exitCode(7)) {
            setenv("TMPDIR", placeOfExit(), 1)
            let collector = TelemetryCollector()
            let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
            telemetry.logger("app").emit("demo.happened")
            await telemetry.flush()
            let names = PrivateFiles.names(in: FileManager.default.temporaryDirectory.path)
            exit(names.contains { $0.hasPrefix("astrolabe-testing-") } ? 7 : 1)
        }
        #expect(PrivateFiles.names(in: place) == [])
    }
}
