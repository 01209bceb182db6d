import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDelivery
@testable import AstrolabeOfflineQueue

/// A queue that cannot be used for a while: records stay whole, and each is counted once.
@Suite(.timeLimit(.minutes(5))) struct `A queue that cannot be used` {
    /// A device whose queue has the records "a" and "b" of a previous run.
    private func device() async throws -> TestDevice {
        var configuration = QueueConfiguration()
        configuration.busyTimeout = 20
        let device = TestDevice(queue: configuration)
        let last = try device.run()
        last.record(["a", "b"])
        let delivery = try last.delivery(by: TestNetwork { _ in TestNetwork.away })
        await delivery.flush()
        #expect(await delivery.currentReport.ledger.summary == [2, 0, 0, 2, 0])
        last.end()
        last.durableLedger.close()
        return device
    }

    private func lock(_ device: TestDevice) throws -> SQLiteDatabase {
        let other = try SQLiteDatabase(path: device.folder.path + "/queue.db", busyTimeout: 1_000)
        try other.execute("BEGIN IMMEDIATE")
        return other
    }

    @Test func `because another process holds it has no corrupt records`() async throws {
        let device = try await device()
        let other = try lock(device)
        let run = try device.run()
        let network = TestNetwork()
        let delivery = try run.delivery(by: network)
        run.record(["c"])
        await delivery.flush()
        #expect(network.names == ["c"])
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.dropped == [:])
        #expect(ledger.summary == [3, 1, 0, 2, 0])
        try other.execute("COMMIT")
        await delivery.flush()
        #expect(network.names == ["c", "a", "b"])
        #expect(await delivery.currentReport.ledger.summary == [3, 3, 0, 0, 0])
    }

    @Test func `after it was read is counted as it was`() async throws {
        let device = try await device()
        let run = try device.run()
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network)
        run.record(["c"])
        await delivery.flush()
        #expect(await delivery.currentReport.ledger.summary == [3, 0, 0, 3, 0])
        let other = try lock(device)
        run.record(["d"])
        await delivery.flush()
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.isBalanced)
        #expect(ledger.dropped == [:])
        #expect((ledger.created, ledger.pending) == (4, 4))
        try other.execute("COMMIT")
    }

    @Test func `for lack of space has no corrupt records`() async throws {
        let device = try await device()
        let (path, aside) = (device.folder.path + "/queue.db", device.folder.path + "/aside")
        try PrivateFiles.move(path, to: aside)
        try PrivateFiles.makeDirectory(path)
        let delivery = try device.run().delivery(by: TestNetwork())
        await delivery.flush()
        #expect(await delivery.currentReport.ledger.summary == [2, 0, 0, 2, 0])
        #expect(await delivery.currentReport.ledger.dropped == [:])
        #expect(PrivateFiles.removeDirectory(path))
        try PrivateFiles.move(aside, to: path)
        await delivery.flush(.conditions(.becameActive))
        #expect(await delivery.currentReport.ledger.summary == [2, 2, 0, 0, 0])
    }

    @Test func `when a move was interrupted sends nothing twice after all`() async throws {
        var configuration = QueueConfiguration()
        configuration.busyTimeout = 20
        let device = TestDevice(queue: configuration)
        let run = try device.run()
        let before = try run.delivery(by: TestNetwork { _ in TestNetwork.away })
        run.record(["a", "b"])
        let journalBefore = try device.folder.copy()
        await before.flush()
        // The queue after the move with the journal before it: a kill between the two steps.
        let torn = TestDevice(folder: try device.folder.copy(), queue: configuration)
        try FileManager.default.removeItem(atPath: torn.folder.path + "/journal")
        try PrivateFiles.move(journalBefore.path + "/journal", to: torn.folder.path + "/journal")
        let other = try lock(torn)
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try torn.run().delivery(by: network)
        await delivery.flush()
        try other.execute("COMMIT")
        network.answer(TestNetwork.taken)
        await delivery.flush()
        #expect(network.names == ["a", "b"])
        #expect(await delivery.currentReport.ledger.summary == [2, 2, 0, 0, 0])
    }

    @Test func `because another process holds it can be asked meanwhile`() async throws {
        let device = try await device()
        let other = try lock(device)
        let waited = Locked<UInt64>(0)
        let asked = Locked<DurableLedger?>(nil)
        let answers = Locked<[Bool]>([])
        let timeout = LockTimeout(
            milliseconds: 20, now: { waited.withLock { $0 } },
            pause: { milliseconds in
                waited.withLock { $0 += UInt64(milliseconds) * 1_000_000 }
                guard let isOpen = asked.withLock({ $0 })?.isOpen else { return }
                answers.withLock { $0.append(isOpen) }
            })
        let ledger = try device.run(timeout: timeout).durableLedger
        asked.withLock { $0 = ledger }
        #expect(ledger.queue == nil)
        #expect(answers.withLock { Set($0) } == [false])
        asked.withLock { $0 = nil }
        withExtendedLifetime(other) {}
    }

    @Test func `because another process holds it does not prolong a shutdown, which delivers what it can`() async throws
    {
        let device = TestDevice()
        do { await (try device.run().delivery(by: TestNetwork())).shutdown(within: 1) }
        let other = try lock(device)
        let waited = Locked<UInt64>(0)
        let timeout = LockTimeout(
            milliseconds: 10_000, now: { waited.withLock { $0 } },
            pause: { milliseconds in waited.withLock { $0 += UInt64(milliseconds) * 1_000_000 } })
        let run = try device.run(timeout: timeout)
        let network = TestNetwork()
        // The time for the shutdown never ends, so only the queue's waits could prolong it.
        let time = DeliveryTime(now: { 0 }, sleep: { _ in try await untilCancelled() })
        let delivery = try run.delivery(by: network, time: time)
        run.record(["a"])
        await delivery.shutdown(within: 8)
        #expect(waited.withLock { $0 } < 2_100_000_000, "one wait would be 10 s, and there are many")
        #expect(network.names == ["a"])
        withExtendedLifetime(other) {}
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Storage that is less durable than it should be` {
    @Test func `is reported once if the journal is in memory`() async throws {
        let device = TestDevice()
        try PrivateFiles.makeDirectory(device.folder.path)
        try PrivateFile(device.folder.path + "/journal").write([1])
        let lines = try await linesOfTwoFlushes(device)
        #expect(lines.filter { $0.contains("kept in memory only") }.count == 1)
    }

    @Test func `is reported once if the queue cannot be opened`() async throws {
        let device = TestDevice()
        try PrivateFiles.makeDirectory(device.folder.path + "/queue.db")
        let lines = try await linesOfTwoFlushes(device)
        #expect(lines.filter { $0.contains("not moved to the queue") }.count == 1)
    }

    @Test func `is reported with the number of records that were lost, again when it has doubled and at the end`()
        async throws
    {
        let device = TestDevice(journalBytes: 32_768)
        try PrivateFiles.makeDirectory(device.folder.path + "/queue.db")
        let lines = Locked<[String]>([])
        var hooks = DeliveryHooks()
        hooks.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        let run = try device.run(upkeepAtOnce: true)
        let delivery = try run.delivery(by: TestNetwork { _ in TestNetwork.away }, hooks: hooks)
        var reported: [Int] = []
        for _ in 0..<4 {
            run.record((0..<1_000).map { "span \($0)" })
            await delivery.flush()
            let dropped = await delivery.currentReport.ledger.dropped[.bufferFull] ?? 0
            #expect(dropped > 0)
            reported.append(dropped)
        }
        let losses = lines.withLock { $0.filter { $0.hasPrefix("Lost ") } }
        #expect(losses.count == 3, "\(losses)")
        #expect(losses.first?.hasPrefix("Lost \(reported[0]) records since the start as \"buffer full\"") == true)
        await delivery.stop()
        let last = lines.withLock { $0.filter { $0.hasPrefix("Lost ") } }
        #expect(last.count <= 4)
        #expect(last.last?.hasPrefix("Lost \(reported[3]) records") == true)
    }

    /// The diagnostic lines of a run that flushes twice.
    private func linesOfTwoFlushes(_ device: TestDevice) async throws -> [String] {
        let lines = Locked<[String]>([])
        var hooks = DeliveryHooks()
        hooks.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        let delivery = try device.run().delivery(by: TestNetwork(), hooks: hooks)
        await delivery.flush()
        await delivery.flush()
        return lines.withLock { $0 }
    }
}
