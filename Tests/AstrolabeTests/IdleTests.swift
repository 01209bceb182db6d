import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe

/// Counts requests and takes them.
private final class CountingServer: OTLPTransport {
    let requests = Locked(0)

    func send(_ request: OTLPRequest) async -> SendResult {
        requests.withLock { $0 += 1 }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

/// The tasks of the SDK that sleep until a time comes, on a clock that a test moves.
private final class CountedSleeps: Sendable {
    let clock = TestClock()
    /// The number of times that the task of the scheduled flush was woken, and that of the samples of the SDK's use.
    let flushes = Locked(0)
    let samples = Locked(0)

    var time: DeliveryTime {
        var time = DeliveryTime(
            now: { [clock] in clock.now.offset.seconds },
            wall: { [clock] in UInt64(nanosecondsIn: 1_800_000_000 + clock.now.offset.seconds) },
            sleep: { [self] in try await pause($0, countedBy: flushes) },
        )
        time.sleepUntilSample = { [self] in try await pause($0, countedBy: samples) }
        return time
    }

    private func pause(_ seconds: Double, countedBy count: Locked<Int>) async throws {
        try await clock.sleep(for: .seconds(seconds))
        count.withLock { $0 += 1 }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `An app that does nothing` {
    @Test(arguments: [true, false])
    func `flushes twice and samples its use once a minute, and sends nothing`(hasRecorder: Bool) async throws {
        let (sleeps, server) = (CountedSleeps(), CountingServer())
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = TelemetryConfiguration(serviceName: "idle")
        configuration.storageDirectory = folder
        configuration.conditions = SimulatedDevice(
            Conditions(network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .active))
        configuration.sampling = .ratio(hasRecorder ? 0 : 1)
        configuration.recorder.isEnabled = hasRecorder
        let telemetry = Telemetry.start(configuration, transport: server, time: sleeps.time)
        // The start is work, after which the SDK looks at its use every 5 s for a while.
        try await sleeps.clock.advance(by: .seconds(600), sleepers: 2)
        let requests = server.requests.withLock { $0 }
        for count in [sleeps.flushes, sleeps.samples] { count.withLock { $0 = 0 } }
        try await sleeps.clock.advance(by: .seconds(3_600), sleepers: 2)
        #expect(sleeps.flushes.withLock { $0 } == 120)
        #expect(sleeps.samples.withLock { $0 } == 60)
        #expect(server.requests.withLock { $0 } == requests)
        await telemetry.shutdown(sending: false)
    }
}
