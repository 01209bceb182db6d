import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe

@Suite(.timeLimit(.minutes(5))) struct `A second shutdown` {
    private func configuration() -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration(serviceName: "shutdown")
        configuration.storageDirectory = temporaryFolder()
        configuration.conditions = SimulatedDevice()
        configuration.flushInterval = .seconds(3_600)
        return configuration
    }

    /// Names of this process's threads; empty where the system does not list them.
    private var threads: [String] {
        let path = "/proc/self/task"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return tasks.compactMap { try? String(contentsOfFile: "\(path)/\($0)/comm", encoding: .utf8) }
    }

    @Test func `finds no watchdog any more, and does nothing`() async throws {
        var running: Telemetry?
        // One recorder of health lives in a process, and other tests start one too.
        try await eventually("this instance records health") {
            let telemetry = Telemetry.start(configuration(), transport: Receiver(), recordsHealth: true)
            if telemetry.run.withLock({ $0?.health != nil }) {
                running = telemetry
                return true
            }
            await telemetry.shutdown(sending: false)
            return false
        }
        let telemetry = try #require(running)
        telemetry.tracer("test").withSpan("work") { _ in }
        let first = await telemetry.shutdown()
        try await eventually("the watchdog's thread has ended") { !threads.contains("astrolabe.hangs\n") }
        let second = await telemetry.shutdown()
        #expect(second.ledger == first.ledger)
        await telemetry.shutdown(sending: false)
    }

    @Test func `beside the first, a flush and a refusal ends as they do`() async {
        let telemetry = Telemetry.start(configuration(), transport: Receiver())
        for _ in 0..<100 { telemetry.tracer("test").withSpan("work") { _ in } }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { await telemetry.shutdown() }
                group.addTask { await telemetry.flush() }
            }
            group.addTask { await telemetry.setConsent(.denied) }
        }
        let ledger = await telemetry.report.ledger
        #expect(ledger.isBalanced)
        await telemetry.shutdown()
    }
}
