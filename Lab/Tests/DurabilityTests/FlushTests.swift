import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTestSupport
import Dispatch
import Foundation
import Testing

/// The running SDK in this process, against a collector on a real socket.
@Suite(.serialized) struct `A flush` {
    @Test func `that is asked for during another sends what was measured before it, and nothing twice`() async throws {
        for _ in 0..<Thoroughness.count(5, thorough: 20) {
            let gate = Gate()
            let collector = try TestCollector { gate.pass() }
            let telemetry = try start(collector)
            record(1, telemetry)
            async let first = telemetry.flush()
            await gate.waitForSomebody()
            record(2, telemetry)
            telemetry.meter("test").counter("demo.items").add(1)
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            @Sendable func flush() async {
                ask.yield()
                await telemetry.flush()
            }
            async let second: Void = flush()
            async let third: Void = flush()
            var asks = asked.makeAsyncIterator()
            for _ in 0..<2 { await asks.next() }
            // The actor that flushes gives its report after the calls that came before.
            _ = await telemetry.report
            gate.open()
            await second
            #expect(collector.log.delivered.contains(2))
            #expect(collector.log.metrics.contains("demo.items"))
            #expect(collector.log.metrics.contains("process.memory.usage"))
            _ = await (first, third)
            #expect(await telemetry.shutdown(timeout: .seconds(60)).ledger.pending == 0)
            #expect(collector.log.repetitions == 0)
            collector.kill()
        }
    }

    @Test func `fails at once where a connection that has served before is reset, and the next one delivers`()
        async throws
    {
        let isBroken = Locked(false)
        let collector = try TestCollector { isBroken.withLock { $0 } ? .brokenOff : .taken }
        // A flush that waited for the time-out would not return within this test.
        let telemetry = try start(collector, timeout: 86_400)
        for number in 0..<10 as Range<UInt64> {
            record(number, telemetry)
            isBroken.withLock { $0 = number % 2 == 1 }
            let report = await telemetry.flush()
            #expect((report.lastFailure != nil) == (number % 2 == 1))
        }
        isBroken.withLock { $0 = false }
        #expect(await telemetry.shutdown(timeout: .seconds(60)).ledger.pending == 0)
        #expect(Set(collector.log.delivered) == Set(0..<10))
        collector.kill()
    }

    @Test func `gives up a server that takes a request and never answers, after the endpoint's time-out`() async throws
    {
        let gate = Gate()
        let collector = try TestCollector { gate.pass() }
        let folder = TemporaryDirectory()
        let telemetry = try start(collector, in: folder, timeout: 0.3)
        record(1, telemetry)
        // The server answers only after this has returned.
        let report = await telemetry.flush()
        #expect(report.lastFailure != nil)
        #expect(report.ledger.inQueue > 0)
        _ = await telemetry.shutdown(sending: false)
        gate.open()
        let next = try start(collector, in: folder)
        #expect(await next.shutdown(timeout: .seconds(60)).ledger.pending == 0)
        #expect(Set(collector.log.delivered) == [1])
        collector.kill()
    }

    @Test func `at shutdown takes no longer than it may, and what it left is delivered by the next run`() async throws {
        let gate = Gate()
        let collector = try TestCollector { gate.pass() }
        let folder = TemporaryDirectory()
        let telemetry = try start(collector, in: folder)
        record(1, telemetry)
        // The server answers only after this has returned.
        let report = await telemetry.shutdown(timeout: .milliseconds(300))
        #expect(report.ledger.pending > 0)
        #expect(report.ledger.isBalanced)
        gate.open()
        let next = try start(collector, in: folder)
        #expect(await next.shutdown(timeout: .seconds(60)).ledger.pending == 0)
        #expect(Set(collector.log.delivered) == [1])
        collector.kill()
    }

    private func start(
        _ collector: TestCollector, in folder: TemporaryDirectory = TemporaryDirectory(), timeout: Double = 120,
    ) throws -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "durability")
        configuration.storageDirectory = URL(fileURLWithPath: folder.path)
        var endpoint = OTLPEndpoint(url: try #require(URL(string: "http://127.0.0.1:\(collector.port)")))
        endpoint.timeout = .seconds(timeout)
        configuration.endpoint = endpoint
        // Nothing but the test asks for a flush.
        configuration.flushInterval = .seconds(3_600)
        configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        configuration.health.measuresProcess = true
        configuration.conditions = SimulatedConditions(Conditions(network: .wifi, lifecycle: .active))
        return Telemetry.start(configuration)
    }

    private func record(_ number: UInt64, _ telemetry: Telemetry) {
        telemetry.tracer("test").withSpan("work", attributes: ["fixture.number": Int64(number)]) { _ in }
    }
}

/// Holds a collector's requests back until it is opened.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

    func pass() -> TestCollector.Fate {
        arrival.yield()
        opened.wait()
        opened.signal()
        return .taken
    }

    func open() { opened.signal() }

    func waitForSomebody() async {
        for await _ in arrivals { return }
    }
}
