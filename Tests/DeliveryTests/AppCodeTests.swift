import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTestSupport
import Dispatch
import Foundation
import Testing

@testable import AstrolabeDelivery

/// Functions of the app that do not return.
@Suite(.timeLimit(.minutes(5))) struct `Code of the app that does not return` {
    private let timers = ManualTimers()
    private let lines = Locked<[String]>([])

    private var hooks: DeliveryHooks {
        var hooks = DeliveryHooks()
        hooks.onDiagnostic = { [lines] line in lines.withLock { $0.append(line) } }
        return hooks
    }

    /// The reason why a flush waits.
    private static func reason(of flush: Task<DeliveryService.FlushResult, Never>) async throws -> String {
        let reason: String? = if case .waiting(_, let reason) = await flush.value { reason } else { nil }
        return try #require(reason)
    }

    /// Waits for ever, also after the task was cancelled.
    private static func never() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    @Test func `for the headers ends with the request's timeout, is named, and is asked again`() async throws {
        let run = try TestDevice().run()
        let network = TestNetwork()
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let count = Locked(0)
        let delivery = try run.delivery(
            by: network,
            adjust: {
                $0.requestHeaders = { _ in
                    let isFirst = count.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if isFirst {
                        call.yield()
                        await Self.never()
                    }
                    return [:]
                }
            }, hooks: hooks, time: timers.time)
        run.record(["a"])
        let flush = Task { await delivery.flush() }
        await calls.first { true }
        #expect(timers.waiting == [10])
        timers.fire()
        let reason = try await Self.reason(of: flush)
        #expect(reason == "TelemetryConfiguration.requestHeaders did not return within 10 s")
        #expect(network.requests == 0)
        #expect(await delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
        await delivery.flush()
        #expect(network.names == ["a"])
        #expect(
            lines.withLock { $0 } == [
                "Cannot deliver to http://127.0.0.1:4318: \(reason). Records are kept and retried.",
                "Delivery to http://127.0.0.1:4318 resumed",
            ])
    }

    @Test func `for the headers holds neither a shutdown nor an end without sending`() async throws {
        for sends in [true, false] {
            let run = try TestDevice().run()
            let (calls, call) = AsyncStream.makeStream(of: Void.self)
            let delivery = try run.delivery(
                by: TestNetwork(),
                adjust: {
                    $0.requestHeaders = { _ in
                        call.yield()
                        await Self.never()
                        return [:]
                    }
                }, time: .system)
            run.record(["a"])
            let flush = Task { await delivery.flush() }
            await calls.first { true }
            if sends { await delivery.shutdown(within: 0.05) } else { await delivery.stop() }
            _ = await flush.value
            #expect(await delivery.currentReport.ledger.pending == 1)
        }
    }

    @Test func `as a transport ends soon after the request's timeout, and is named`() async throws {
        let run = try TestDevice().run()
        let network = HangingNetwork()
        let delivery = try run.delivery(by: network, hooks: hooks, time: timers.time)
        run.record(["a"])
        let flush = Task { await delivery.flush() }
        await network.arrivals.stream.first { true }
        #expect(timers.waiting == [15])
        timers.fire()
        let reason = try await Self.reason(of: flush)
        #expect(reason == "HangingNetwork did not return within 15 s, which is longer than the request's timeout")
        #expect(lines.withLock { $0.count { $0.contains(reason) } } == 1)
        #expect(await delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
    }

    @Test func `as a transport gets a moment after a cancellation, and no more`() async throws {
        let run = try TestDevice().run()
        let network = HangingNetwork()
        let delivery = try run.delivery(by: network, time: timers.time)
        run.record(["a"])
        let flush = Task { await delivery.flush() }
        await network.arrivals.stream.first { true }
        await delivery.expire()
        try await eventually("the moment after the cancellation has begun") { timers.waiting == [15, 1] }
        timers.fire()
        _ = await flush.value
        #expect(await delivery.currentReport.ledger.pending == 1)
    }

    @Test func `is a metric callback: records are sent without it, and it is named`() async throws {
        let run = try TestDevice().run()
        let network = TestNetwork()
        let held = DispatchSemaphore(value: 0)
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        var hooks = hooks
        let checks = Locked(0)
        hooks.checkConsent = { checks.withLock { $0 += 1 } }
        hooks.isCollectionDue = { _ in true }
        hooks.collect = { _ in
            call.yield()
            held.wait()
        }
        let delivery = try run.delivery(by: network, hooks: hooks, time: timers.time)
        run.record(["a"])
        let flush = Task { await delivery.flush() }
        await calls.first { true }
        timers.fire()
        _ = await flush.value
        // It is not called again, and nothing waits for it.
        run.record(["b"])
        let before = checks.withLock { $0 }
        await delivery.flush()
        #expect(checks.withLock { $0 } == before + 1, "a refusal by another process is still followed")
        #expect(network.names == ["a", "b"])
        let told = lines.withLock { $0 }
        #expect(told.count == 1 && told[0].hasPrefix("A metric callback"), "\(told)")
        held.signal()
    }

    @Test func `is onDiagnostic: delivery goes on, and the fallback hears of it`() async throws {
        let run = try TestDevice().run()
        let network = TestNetwork { _ in TestNetwork.away }
        let held = DispatchSemaphore(value: 0)
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let silence = Locked<[String]>([])
        var hooks = DeliveryHooks()
        hooks.onDiagnostic = { _ in
            call.yield()
            held.wait()
        }
        hooks.onSilence = { line in silence.withLock { $0.append(line) } }
        let delivery = try run.delivery(by: network, hooks: hooks, time: timers.time)
        run.record(["a"])
        let flush = Task { await delivery.flush() }
        await calls.first { true }
        timers.fire()
        _ = await flush.value
        network.answer(TestNetwork.taken)
        await delivery.flush()
        #expect(network.names == ["a"])
        #expect(silence.withLock { $0.count } == 1)
        held.signal()
    }

    @Test func `because it flushes itself is no deadlock`() async throws {
        let run = try TestDevice().run()
        let network = TestNetwork()
        let reference = Locked<DeliveryService?>(nil)
        let delivery = try run.delivery(
            by: network,
            adjust: {
                $0.requestHeaders = { _ in
                    await reference.withLock { $0 }?.flush()
                    return [:]
                }
            }, time: timers.time)
        reference.withLock { $0 = delivery }
        run.record(["a"])
        #expect(await delivery.flush() == .done)
        #expect(network.names == ["a"])
        reference.withLock { $0 = nil }
    }
}

/// A network that does not return, not even when its task is cancelled.
private struct HangingNetwork: OTLPTransport {
    let arrivals = AsyncStream.makeStream(of: Void.self)

    func send(_ request: OTLPRequest) async -> SendResult {
        arrivals.continuation.yield()
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        return TestNetwork.taken
    }
}
