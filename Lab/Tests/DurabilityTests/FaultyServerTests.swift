import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

#if os(Linux)
/// A process with the SDK, and a server that misbehaves whenever it is asked.
struct `A server that misbehaves` {
    /// Each has a server and a process of its own, all at the same time.
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `costs an app less than 64 MB, and less than 2 % of a processor over 100 s`() async throws {
        let window = 100.0
        let runs = try ServerFault.all.map { fault in
            let server = try RawServer { _, connection in fault.act(connection) }
            let folder = TemporaryDirectory()
            let process = try KilledProcess(["wait", folder.path, "\(server.port)", "1", "100"], of: "SDKFixture")
            return (fault: fault, server: server, folder: folder, process: process)
        }
        for _ in 1...2 {
            let half = ContinuousClock.now + .seconds(window / 2)
            try await eventually("half of the time has passed") { ContinuousClock.now > half }
        }
        for run in runs {
            let usage = run.process.usage
            print("\(run.fault): \(usage.seconds) s, \(usage.mebibytes) MiB, \(run.server.requests.count) requests")
            #expect(usage.mebibytes > 0 && usage.mebibytes < 64, "\(run.fault) took \(usage.mebibytes) MiB")
            #expect(usage.seconds < window * 0.02, "\(run.fault) took \(usage.seconds) s of CPU time")
            #expect(!run.server.requests.isEmpty)
            run.process.kill()
        }
    }
}
#endif
