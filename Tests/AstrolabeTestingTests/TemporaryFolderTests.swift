import Astrolabe
import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@Suite(.serialized) struct `The folder of a collector` {
    @Test func `is gone when the process has exited, even if its telemetry was never shut down`() async throws {
        let place = TestFolders.folder("exit")
        try PrivateFiles.makeDirectory(place.path)
        let usual = ProcessInfo.processInfo.environment["TMPDIR"]
        setenv("TMPDIR", place.path, 1)
        defer { if let usual { setenv("TMPDIR", usual, 1) } else { unsetenv("TMPDIR") } }
        await #expect(processExitsWith: .exitCode(7)) {
            let collector = TelemetryCollector()
            let telemetry = collector.start(TelemetryConfiguration(serviceName: "app"))
            telemetry.logger("app").emit("demo.happened")
            await telemetry.flush()
            let names = PrivateFiles.names(in: FileManager.default.temporaryDirectory.path)
            exit(names.contains { $0.hasPrefix("astrolabe-testing-") } ? 7 : 1)
        }
        #expect(PrivateFiles.names(in: place.path) == [])
    }
}
