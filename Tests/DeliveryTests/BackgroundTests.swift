import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTestSupport
import Testing

@testable import AstrolabeDelivery

/// A network that does not respond until its task is cancelled.
private struct SilentNetwork: OTLPTransport {
    let request: AsyncStream<Void>.Continuation

    func send(_ request: OTLPRequest) async -> SendResult {
        self.request.yield()
        try? await untilCancelled()
        return TestNetwork.away
    }
}

@Suite(.timeLimit(.minutes(5))) struct `An app that leaves the foreground` {
    @Test(arguments: [FlushTrigger.enteredBackground, .terminating])
    func `has requested time when the call returns, and releases it when the flush ends`(trigger: FlushTrigger)
        async throws
    {
        let run = try TestDevice().run()
        let network = TestNetwork()
        let asked = Locked(false)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let background = BackgroundWork { work, _ in
            asked.withLock { $0 = true }
            Task {
                await work()
                end.yield()
            }
        }
        let orders = DeliveryCommands(try run.delivery(by: network), background: background)
        run.record(["a"])
        orders.flush(trigger)
        let isAsked = asked.withLock { $0 }
        #expect(isAsked)
        await ends.first { true }
        #expect(network.names == ["a"])
    }

    @Test func `ends its request when time runs out, and keeps the records`() async throws {
        let run = try TestDevice().run()
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let expiry = Locked<(@Sendable () -> Void)?>(nil)
        let background = BackgroundWork { work, onExpire in
            expiry.withLock { $0 = onExpire }
            Task {
                await work()
                end.yield()
            }
        }
        let delivery = try run.delivery(by: SilentNetwork(request: request))
        let orders = DeliveryCommands(delivery, background: background)
        run.record(["a"])
        orders.flush(.enteredBackground)
        await requests.first { true }
        let expire = try #require(expiry.withLock { $0 })
        expire()
        await ends.first { true }
        #expect(await delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
    }

    @Test func `does not hold its request against the server when time runs out`() async throws {
        let run = try TestDevice().run()
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let delivery = try run.delivery(by: SilentNetwork(request: request))
        run.record(["a"])
        let flush = Task { await delivery.flush(.scheduled) }
        await requests.first { true }
        await delivery.expire()
        #expect(await flush.value == .waiting(seconds: 0, reason: "cancelled"))
        let report = await delivery.currentReport
        #expect(report.lastFailure == nil)
        #expect(report.blockers == [.notFlushedYet])
        #expect(report.ledger.summary == [1, 0, 0, 1, 0])
    }

    @Test func `stores what there is before it waits for the flush in progress`() async throws {
        let run = try TestDevice().run()
        let gate = Gate()
        let (collections, collected) = AsyncStream.makeStream(of: Void.self)
        var hooks = DeliveryHooks()
        hooks.isCollectionDue = { $0 == .conditions(.enteredBackground) }
        hooks.collect = { _ in
            run.record(["metric"])
            collected.yield()
        }
        let delivery = try run.delivery(by: GatedNetwork(gate: gate), hooks: hooks)
        run.record(["a"])
        gate.close()
        let first = Task { await delivery.flush() }
        await gate.arrival()
        run.record(["b", "c"])
        let second = Task { await delivery.flush(.conditions(.enteredBackground)) }
        await collections.first { true }
        let ledger = await delivery.currentReport.ledger
        #expect([ledger.inQueue, ledger.inJournal] == [2, 2], "one is on its way, one was just collected")
        gate.open()
        _ = await (first.value, second.value)
        #expect(await delivery.currentReport.ledger.pending == 0)
    }

    @Test func `stores no more bytes than the queue holds, because what remains may still be sent`() async throws {
        var queue = QueueConfiguration()
        queue.maximumBytes = 2_000
        let run = try TestDevice(queue: queue).run()
        let gate = Gate()
        let (collections, collected) = AsyncStream.makeStream(of: Void.self)
        var hooks = DeliveryHooks()
        hooks.isCollectionDue = { $0 == .conditions(.enteredBackground) }
        hooks.collect = { _ in collected.yield() }
        let delivery = try run.delivery(by: GatedNetwork(gate: gate), hooks: hooks)
        run.record(["a"])
        gate.close()
        let first = Task { await delivery.flush() }
        await gate.arrival()
        run.record((0..<10).map { String(repeating: "\($0)", count: 500) })
        let second = Task { await delivery.flush(.conditions(.enteredBackground)) }
        await collections.first { true }
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.inQueue > 0 && ledger.droppedTotal == 0)
        gate.open()
        _ = await (first.value, second.value)
        #expect(await delivery.currentReport.ledger.summary == [11, 11, 0, 0, 0])
    }

    @Test func `sends nothing more when its time ran out during the flush before`() async throws {
        let run = try TestDevice().run()
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let (collections, collected) = AsyncStream.makeStream(of: Void.self)
        var hooks = DeliveryHooks()
        hooks.isCollectionDue = { $0 == .conditions(.enteredBackground) }
        hooks.collect = { _ in collected.yield() }
        let delivery = try run.delivery(by: SilentNetwork(request: request), hooks: hooks)
        run.record(["a"])
        let first = Task { await delivery.flush() }
        await requests.first { true }
        let second = Task { await delivery.flush(.conditions(.enteredBackground)) }
        await collections.first { true }
        // The actor serves it after the call that waits now.
        await delivery.expire()
        _ = await (first.value, second.value)
        #expect(await delivery.currentReport.requests == 1)
        #expect(await delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
    }

    @Test func `requests no time if it stays`() async throws {
        let run = try TestDevice().run()
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let network = TestNetwork { _ in
            arrival.yield()
            return TestNetwork.taken
        }
        let background = BackgroundWork { _, _ in Issue.record("time was asked for") }
        let orders = DeliveryCommands(try run.delivery(by: network), background: background)
        run.record(["a"])
        orders.flush(.networkReturned)
        await arrivals.first { true }
    }
}
