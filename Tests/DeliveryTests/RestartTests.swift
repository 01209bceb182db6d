import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDelivery

@Suite(.timeLimit(.minutes(5))) struct `The next run of the app` {
    @Test func `delivers what the previous one recorded and did not send`() async throws {
        let device = TestDevice()
        let last = try device.run()
        last.record(["a", "b"])
        last.end()
        let network = TestNetwork()
        let run = try device.run()
        let delivery = try run.delivery(by: network)
        run.record(["c"])
        await delivery.flush()
        #expect(Set(network.names) == ["a", "b", "c"])
        #expect(await delivery.currentReport.ledger.summary == [3, 3, 0, 0, 0])
    }

    @Test func `delivers what many launches left that ended before their first flush`() async throws {
        let device = TestDevice()
        // More than the runs that are open at a time.
        let launches = Thoroughness.count(70, thorough: 300)
        for launch in 0..<launches {
            let run = try device.run()
            run.record((0..<10).map { "\(launch)-\($0)" })
            run.end()
        }
        let network = TestNetwork()
        let delivery = try device.run().delivery(by: network)
        await delivery.flush()
        #expect(Set(network.names).count == launches * 10)
        #expect(await delivery.currentReport.ledger.summary == [launches * 10, launches * 10, 0, 0, 0])
    }

    @Test func `sends what previous ones left at once, without a scheduled flush`() async throws {
        let device = TestDevice()
        let last = try device.run()
        last.record(["a", "b"])
        last.end()
        let (sends, send) = AsyncStream.makeStream(of: Void.self)
        let network = TestNetwork { _ in
            send.yield()
            return TestNetwork.taken
        }
        let time = DeliveryTime(now: { 0 }, sleep: { _ in try await untilCancelled() })
        let delivery = try device.run().delivery(by: network, time: time)
        await delivery.start()
        for await _ in sends { break }
        await delivery.shutdown(within: 1)
        #expect(network.names == ["a", "b"])
    }

    @Test func `keeps what launches without a network left, in a few files`() async throws {
        let device = TestDevice()
        let away = TestNetwork { _ in TestNetwork.away }
        for launch in 0..<60 {
            let run = try device.run()
            run.record((0..<10).map { "\(launch)-\($0)" })
            if launch % 10 == 9 { await (try run.delivery(by: away)).flush() }
            run.end()
            run.durableLedger.close()
        }
        #expect(device.folder.files.filter { $0.hasSuffix("/run") }.count <= 12)
        let network = TestNetwork()
        let delivery = try device.run().delivery(by: network)
        await delivery.flush()
        #expect(Set(network.names).count == 600)
        #expect(await delivery.currentReport.ledger.summary == [600, 600, 0, 0, 0])
    }

    @Test func `continues the ledger over any number of restarts`() async throws {
        let device = TestDevice()
        let network = TestNetwork { $0 % 3 == 0 ? TestNetwork.away : TestNetwork.taken }
        for turn in 0..<12 {
            let run = try device.run()
            let delivery = try run.delivery(by: network)
            run.record((0..<5).map { "span-\(turn)-\($0)" })
            await delivery.flush()
            run.record(["left-\(turn)"])
            let ledger = await delivery.currentReport.ledger
            #expect(ledger.isBalanced)
            #expect(ledger.created == 6 * (turn + 1))
            if turn % 2 == 0 { await delivery.shutdown(within: 5) } else { run.end() }
        }
        let delivery = try device.run().delivery(by: network)
        network.answer(TestNetwork.taken)
        await delivery.flush()
        #expect(await delivery.currentReport.ledger.summary == [72, 72, 0, 0, 0])
        #expect(network.names.count == 72)
        #expect(Set(network.names).count == 72)
    }

    @Test func `does not send twice what a kill left in both the queue and the journal`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let away = TestNetwork { _ in TestNetwork.away }
        let before = try run.delivery(by: away)
        run.record(["a", "b"])
        let journalBefore = try device.folder.copy()
        await before.flush()
        // The queue after the transfer with the journal before it: a kill between the two steps.
        let torn = try device.folder.copy()
        try FileManager.default.removeItem(atPath: torn.path + "/journal")
        try PrivateFiles.move(journalBefore.path + "/journal", to: torn.path + "/journal")
        let network = TestNetwork()
        let delivery = try TestDevice(folder: torn).run().delivery(by: network)
        await delivery.flush()
        #expect(network.names == ["a", "b"])
        #expect(await delivery.currentReport.ledger.summary == [2, 2, 0, 0, 0])
    }

    @Test func `remembers the drops of a run that was killed in the background`() async throws {
        let device = TestDevice()
        for cause in [FlushCause.conditions(.enteredBackground), .conditions(.terminating)] {
            let dropped = Locked(0)
            var hooks = DeliveryHooks()
            hooks.droppedBefore = { [.sampledOut: dropped.withLock { $0 }] }
            let delivery = try device.run().delivery(by: TestNetwork(), hooks: hooks)
            await delivery.flush()
            dropped.withLock { $0 = 10 }
            await delivery.flush(cause)
        }
        let delivery = try device.run().delivery(by: TestNetwork())
        #expect(await delivery.currentReport.ledger.dropped == [.sampledOut: 20])
    }

    @Test func `corrects persisted drops of records that are recorded after all`() async throws {
        let device = TestDevice()
        let dropped = Locked(10)
        var hooks = DeliveryHooks()
        hooks.droppedBefore = { [.sampledOut: dropped.withLock { $0 }] }
        let delivery = try device.run().delivery(by: TestNetwork(), hooks: hooks)
        await delivery.flush(.conditions(.enteredBackground))
        dropped.withLock { $0 = 9 }
        #expect(await delivery.currentReport.ledger.dropped == [.sampledOut: 9])
        await delivery.flush(.conditions(.enteredBackground))
        dropped.withLock { $0 = 0 }
        await delivery.shutdown(within: 1)
        let later = try device.run().delivery(by: TestNetwork())
        let ledger = await later.currentReport.ledger
        #expect(ledger.dropped.isEmpty && ledger.created == 0)
    }

    @Test func `remembers what previous runs dropped before the journal`() async throws {
        let device = TestDevice()
        for _ in 0..<2 {
            var hooks = DeliveryHooks()
            hooks.droppedBefore = { [.sampledOut: 10] }
            let delivery = try device.run().delivery(by: TestNetwork(), hooks: hooks)
            await delivery.flush()
            await delivery.shutdown(within: 1)
        }
        let delivery = try device.run().delivery(by: TestNetwork())
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.dropped == [.sampledOut: 20])
        #expect(ledger.isBalanced)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Two processes at one folder` {
    @Test func `send no record twice`() async throws {
        var configuration = QueueConfiguration()
        // A busy machine must not exceed it.
        configuration.busyTimeout = 60_000
        let device = TestDevice(queue: configuration)
        let away = TestNetwork { _ in TestNetwork.away }
        let (first, second) = (try device.run(), try device.run())
        let network = TestNetwork()
        let senders = [
            try first.delivery(by: network, adjust: { $0.batchSize = 7 }),
            try second.delivery(by: network, adjust: { $0.batchSize = 11 }),
        ]
        let blocked = try first.delivery(by: away)
        first.record((0..<300).map { "first-\($0)" })
        second.record((0..<300).map { "second-\($0)" })
        await blocked.flush()
        await withTaskGroup(of: Void.self) { group in
            for sender in senders { for _ in 0..<3 { group.addTask { await sender.flush() } } }
        }
        for sender in senders { await sender.flush() }
        #expect(network.names.count == 600)
        #expect(Set(network.names).count == 600)
        #expect(await senders[1].currentReport.ledger.isBalanced)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A disk that fails` {
    @Test func `leaves records in the journal if no queue can be opened`() async throws {
        let device = TestDevice()
        try PrivateFiles.makeDirectory(device.folder.path + "/queue.db")
        let run = try device.run()
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network)
        run.record(["a"])
        await delivery.flush()
        #expect(await delivery.currentReport.ledger.summary == [1, 0, 1, 0, 0])
        network.answer(TestNetwork.taken)
        await delivery.flush()
        #expect(network.names == ["a"])
    }

    @Test func `that works again makes the queue available, and no counts of a previous run are lost`()
        async throws
    {
        let device = TestDevice()
        try PrivateFiles.makeDirectory(device.folder.path + "/queue.db")
        let last = try device.run()
        last.record(["a"])
        last.end()
        let run = try device.run()
        let network = TestNetwork()
        let delivery = try run.delivery(by: network)
        await delivery.flush()
        #expect(network.names == ["a"])
        try FileManager.default.removeItem(atPath: device.folder.path + "/queue.db")
        network.answer(TestNetwork.away)
        run.record(["b"])
        await delivery.flush()
        #expect(await delivery.currentReport.ledger.inQueue == 0, "it is not tried with every flush")
        await delivery.flush(.conditions(.becameActive))
        #expect(await delivery.currentReport.ledger.summary == [2, 1, 0, 1, 0])
        await delivery.shutdown(within: 0)
        let later = try device.run().delivery(by: network)
        #expect(await later.currentReport.ledger.summary == [2, 1, 0, 1, 0])
    }

    @Test func `is retried at upkeep`() async throws {
        let device = TestDevice()
        try PrivateFiles.makeDirectory(device.folder.path + "/queue.db")
        let run = try device.run()
        let delivery = try run.delivery(by: TestNetwork { _ in TestNetwork.away })
        run.record(["a"])
        await delivery.flush()
        try FileManager.default.removeItem(atPath: device.folder.path + "/queue.db")
        device.clock.withLock { $0 += 300 }
        await delivery.flush(.scheduled)
        #expect(await delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
    }

    @Test(arguments: [1_000, 270_176, 270_177, 1_200_000])
    func `takes or counts a record of any size`(size: Int) async throws {
        let run = try TestDevice().run()
        let network = TestNetwork()
        let delivery = try run.delivery(by: network)
        let header = RecordHeader(kind: .span, priority: .normal, scope: ScopeNumber(rawValue: 1), timeUnixNano: 1)
        let attribute: [UInt8] = SpanBytes.padding(to: size)
        attribute.withUnsafeBytes { run.sink.append($0, header: header) }
        await delivery.flush()
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.isBalanced)
        #expect(ledger.created == 1)
        #expect(ledger.delivered + (ledger.dropped[.oversized] ?? 0) == 1)
        #expect((ledger.delivered == 1) == (size <= 270_176))
    }

    @Test(arguments: [1, 511, 512, 513, 5_000])
    func `delivers a batch of any size`(count: Int) async throws {
        let run = try TestDevice().run()
        let network = TestNetwork()
        let delivery = try run.delivery(by: network)
        run.record((0..<count).map { "span-\($0)" })
        await delivery.flush()
        #expect(network.names == (0..<count).map { "span-\($0)" })
        #expect(network.batches.allSatisfy { $0 <= 512 })
        #expect(await delivery.currentReport.ledger.summary == [count, count, 0, 0, 0])
    }
}
