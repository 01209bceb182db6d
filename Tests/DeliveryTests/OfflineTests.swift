import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDelivery

@Suite(.timeLimit(.minutes(5))) struct `A device without a network` {
    @Test func `keeps what it records, and sends it in order when the network returns`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network)
        run.record(["a", "b"])
        await delivery.flush()
        run.record(["c"])
        await delivery.flush()
        #expect(await delivery.currentReport.ledger.summary == [3, 0, 0, 3, 0])
        network.answer(TestNetwork.taken)
        await delivery.flush(.conditions(.networkReturned))
        #expect(network.names == ["a", "b", "c"])
        #expect(await delivery.currentReport.ledger.summary == [3, 3, 0, 0, 0])
    }

    @Test func `sends the most urgent first, and the oldest within a priority`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network, adjust: { $0.batchSize = 2 })
        for turn in 0..<3 {
            run.record(["low-\(turn)"], priority: .low)
            run.record(["normal-\(turn)"])
            run.record(["critical-\(turn)"], priority: .critical)
            run.record(["high-\(turn)"], priority: .high)
            if turn < 2 { await delivery.flush() }
            device.clock.withLock { $0 += 60 }
        }
        #expect(await delivery.currentReport.queued == [.low: 2, .normal: 2, .critical: 2, .high: 2])
        #expect(await delivery.currentReport.lastUpload == nil)
        network.answer(TestNetwork.taken)
        await delivery.flush()
        #expect(await delivery.currentReport.queued.isEmpty)
        #expect(await delivery.currentReport.lastUpload?.timeIntervalSince1970 == device.clock.withLock { $0 })
        let order = ["critical", "high", "normal", "low"].flatMap { name in (0..<3).map { "\(name)-\($0)" } }
        #expect(network.names == order, "two thirds come from the queue, the last from the journal")
    }

    @Test func `evicts the least urgent, then the oldest, and counts them`() async throws {
        var limits = QueueConfiguration()
        limits.maximumRecords = 100
        let device = TestDevice(queue: limits)
        let run = try device.run()
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network)
        for turn in 0..<12 {
            run.record(["normal-\(turn)-0", "normal-\(turn)-1"])
            run.record((0..<8).map { "low-\(turn)-\($0)" }, priority: .low)
            run.record(["critical-\(turn)"], priority: .critical)
            await delivery.flush()
            device.clock.withLock { $0 += 1 }
        }
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.summary == [132, 0, 0, 100, 32])
        #expect(ledger.dropped == [.evicted: 32])
        network.answer(TestNetwork.taken)
        device.clock.withLock { $0 += 60 }
        await delivery.flush()
        let low = (0..<12).flatMap { turn in (0..<8).map { "low-\(turn)-\($0)" } }
        #expect(network.names.prefix(12) == (0..<12).map { "critical-\($0)" }[...])
        #expect(network.names.filter { $0.hasPrefix("low") } == Array(low.dropFirst(32)))
    }

    @Test func `loses nothing with a small journal while the queue has room`() async throws {
        let run = try TestDevice(journalBytes: 32 << 10).run(upkeepAtOnce: true)
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network)
        let isFilling = Locked(false)
        run.sink.whenFilling { isFilling.withLock { $0 = true } }
        let names = (0..<2_000).map { "span-\($0)" }
        for name in names {
            run.record([name])
            if isFilling.exchange(false) { await delivery.flush(.filling) }
        }
        #expect(await delivery.currentReport.ledger.dropped.isEmpty, "ten times what the journal holds")
        network.answer(TestNetwork.taken)
        await delivery.flush()
        #expect(network.names == names)
    }

    @Test func `reserves the last segment of a full journal for urgent records`() async throws {
        let run = try TestDevice(journalBytes: 32 << 10).run(upkeepAtOnce: true)
        let delivery = try run.delivery(by: TestNetwork { _ in TestNetwork.away })
        run.record((0..<1_000).map { "span-\($0)" })
        run.record((0..<50).map { "error-\($0)" }, priority: .high)
        run.record(["crash"], priority: .critical)
        await delivery.flush()
        let report = await delivery.currentReport
        #expect((report.ledger.dropped[.bufferFull] ?? 0) > 0)
        #expect((report.queued[.high], report.queued[.critical]) == (50, 1))
        #expect(report.ledger.isBalanced)
    }

    @Test func `without an endpoint keeps everything in the queue`() async throws {
        let run = try TestDevice().run()
        let delivery = try run.delivery(by: TestNetwork(), adjust: { $0.endpoint = nil })
        run.record(["a"])
        await delivery.flush()
        let report = await delivery.currentReport
        #expect(report.ledger.summary == [1, 0, 0, 1, 0])
        #expect(report.blockers == [.noEndpoint])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The policy's plan for delivery` {
    @Test(arguments: [UploadStrategy.wifiOnly, .queued])
    func `holds records back, but nothing critical`(strategy: UploadStrategy) async throws {
        let run = try TestDevice().run()
        let network = TestNetwork()
        let plan = DeliveryPlan(flushInterval: 30, upload: UploadPlan(strategy, canSend: true))
        let delivery = try run.delivery(by: network, adjust: { $0.plan = plan })
        run.record(["span"])
        run.record(["crash"], priority: .critical)
        await delivery.flush(.scheduled)
        #expect(network.names == ["crash"])
        let report = await delivery.currentReport
        #expect(report.ledger.summary == [2, 1, 0, 1, 0])
        #expect(report.blockers == [strategy == .wifiOnly ? .waitingForWifi : .heldByPolicy])
        await delivery.apply(DeliveryPlan(flushInterval: 30, upload: UploadPlan(.immediate, canSend: true)))
        await delivery.flush(.conditions(.uploadsAllowed))
        #expect(network.names == ["crash", "span"])
    }

    @Test func `without a path sends nothing, not even critical records`() async throws {
        let run = try TestDevice().run()
        let network = TestNetwork()
        let plan = DeliveryPlan(flushInterval: 30, upload: UploadPlan(.queued, canSend: false))
        let delivery = try run.delivery(by: network, adjust: { $0.plan = plan })
        run.record(["crash"], priority: .critical)
        await delivery.flush(.critical)
        #expect(network.requests == 0)
        #expect(await delivery.currentReport.blockers == [.noPath])
    }

    @Test func `a requested flush is never answered by one for critical records`() async throws {
        let run = try TestDevice().run()
        let gate = Gate()
        let network = GatedNetwork(gate: gate)
        let plan = DeliveryPlan(flushInterval: 30, upload: UploadPlan(.batched, canSend: true))
        let delivery = try run.delivery(by: network, adjust: { $0.plan = plan })
        for round in 0..<20 {
            gate.close()
            run.record(["crash-\(round)"], priority: .critical)
            let first = Task { await delivery.flush(.critical) }
            await gate.arrival()
            // Two wait for the first: whichever is served first, each gets what it asked for.
            run.record(["span-\(round)"])
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let requested = Task {
                start.yield()
                return await delivery.flush()
            }
            let critical = Task {
                start.yield()
                return await delivery.flush(.critical)
            }
            var iterator = starts.makeAsyncIterator()
            for _ in 0..<2 { _ = await iterator.next() }
            // The actor serves its callers in order.
            _ = await delivery.isFlushing
            gate.open()
            _ = await (first.value, requested.value)
            #expect(await delivery.currentReport.ledger.pending == 0)
            _ = await critical.value
        }
    }

    @Test func `doubles the interval if uploads are batched`() async throws {
        let run = try TestDevice().run()
        let delivery = try run.delivery(by: TestNetwork())
        await delivery.apply(DeliveryPlan(flushInterval: 30, upload: UploadPlan(.immediate, canSend: true)))
        #expect(await delivery.untilNextFlush == 30)
        await delivery.apply(DeliveryPlan(flushInterval: 30, upload: UploadPlan(.batched, canSend: true)))
        #expect(await delivery.untilNextFlush == 60)
    }

    @Test func `that changes more often than the interval does not postpone the flush`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let network = TestNetwork { _ in
            arrival.yield()
            return TestNetwork.taken
        }
        let (waits, wait) = AsyncStream.makeStream(of: Double.self)
        let clock = device.clock
        let time = DeliveryTime(
            now: { clock.withLock { $0 } },
            sleep: { seconds in
                wait.yield(seconds)
                // Only an overdue wait ends; a new plan cancels any other.
                if seconds > 0.01 { try await untilCancelled() }
            })
        let delivery = try run.delivery(by: network, time: time)
        var plan = DeliveryPlan(flushInterval: 30, upload: UploadPlan(.immediate, canSend: true))
        await delivery.apply(plan)
        await delivery.start()
        run.record(["a"])
        var asked: [Double] = []
        var iterator = waits.makeAsyncIterator()
        for turn in 0..<4 {
            asked.append(try #require(await iterator.next()))
            clock.withLock { $0 += 9 }
            plan.flushInterval = turn % 2 == 0 ? 31 : 30
            await delivery.apply(plan)
        }
        #expect(asked == [30, 22, 12, 4])
        await arrivals.first { true }
        #expect(network.names == ["a"])
        await delivery.shutdown(within: 0)
    }

    @Test func `a record of critical priority requests a flush immediately, and no other does`() throws {
        let run = try TestDevice().run()
        let calls = Locked(0)
        run.sink.whenCritical { calls.withLock { $0 += 1 } }
        run.record(["span"])
        run.record(["error"], priority: .high)
        #expect(calls.withLock { $0 } == 0)
        run.record(["crash"], priority: .critical)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func `records that the mode does not collect are dropped early and counted`() async throws {
        let run = try TestDevice().run()
        var hooks = DeliveryHooks()
        hooks.droppedBefore = { [sink = run.sink] in [.notAdmitted: sink.notAdmittedCount] }
        let network = TestNetwork()
        let delivery = try run.delivery(by: network, hooks: hooks)
        run.sink.admit(.reduced)
        run.record(["debug"], priority: .low)
        run.record(["span"])
        run.record(["error"], priority: .high)
        await delivery.flush()
        #expect(Set(network.names) == ["error", "span", "debug"], "a span's trace was decided about when it began")
        let event = RecordHeader(
            kind: .event, priority: .normal, scope: ScopeNumber(rawValue: 1), timeUnixNano: 1,
        )
        [UInt8](repeating: 0, count: 8).withUnsafeBytes { run.sink.append($0, header: event) }
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.dropped == [.notAdmitted: 1])
        #expect(ledger.isBalanced)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A failing server` {
    @Test func `that specified a time is not contacted before it`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = TestNetwork { _ in .response(status: 503, retryAfter: .seconds(120), body: []) }
        let delivery = try run.delivery(by: network)
        run.record(["a"])
        #expect(await delivery.flush() == .waiting(seconds: 120, reason: "HTTP 503"))
        network.answer(TestNetwork.taken)
        device.clock.withLock { $0 += 119 }
        await delivery.flush()
        #expect(network.requests == 1)
        device.clock.withLock { $0 += 1 }
        await delivery.flush(.scheduled)
        #expect(network.names == ["a"])
    }

    @Test func `that specified no time is contacted on request, and by the timer after the backoff`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network)
        run.record(["a"])
        await delivery.flush(.scheduled)
        await delivery.flush(.scheduled)
        #expect(network.requests == 1, "the timer keeps the backoff")
        await delivery.flush(.requested)
        #expect(network.requests == 2)
        device.clock.withLock { $0 += 2 }
        await delivery.flush(.scheduled)
        #expect(network.requests == 3)
    }

    @Test(arguments: [FlushCause.critical, .requested])
    func `is contacted once before the end of a backoff, however often the app asks`(cause: FlushCause) async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = TestNetwork { _ in .response(status: 503, retryAfter: nil, body: []) }
        let delivery = try run.delivery(by: network)
        for second in 0..<3_600 {
            if second.isMultiple(of: 60) { run.record(["crash-\(second)"], priority: .critical) }
            await delivery.flush(cause)
            device.clock.withLock { $0 += 1 }
        }
        #expect(network.requests <= 60, "\(network.requests) requests in an hour")
        let before = network.requests
        await delivery.flush(.conditions(.networkReturned))
        #expect(network.requests == before + 1, "what the device experiences is another reason to try")
        #expect(await delivery.currentReport.ledger.summary == [60, 0, 0, 60, 0])
    }

    @Test func `that rejects a request as too large gets smaller ones, down to one record`() async throws {
        let run = try TestDevice().run()
        let limit = 3
        let sizes = Locked<[Int]>([])
        let network = SizedNetwork(limit: limit, sizes: sizes)
        let delivery = try run.delivery(by: network, adjust: { $0.batchSize = 16 })
        run.record((0..<40).map { "span-\($0)" })
        await delivery.flush()
        #expect(sizes.withLock { $0 }.allSatisfy { $0 <= limit })
        #expect(sizes.withLock { $0.reduce(0, +) } == 40)
        #expect(await delivery.currentReport.ledger.summary == [40, 40, 0, 0, 0])
    }
}

/// A network whose server accepts a limited number of records per request.
private struct SizedNetwork: OTLPTransport {
    let limit: Int
    let sizes: Locked<[Int]>

    func send(_ request: OTLPRequest) async -> SendResult {
        let count = (try? request.spanNames().count) ?? 0
        guard count <= limit else { return .response(status: 413, retryAfter: nil, body: []) }
        sizes.withLock { $0.append(count) }
        return TestNetwork.taken
    }
}
