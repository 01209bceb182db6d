import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TestClockCancellationTests {
    private let clock = TestClock()

    @Test func `a sleeper that is cancelled wakes at once with an error and leaves the clock`() async throws {
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(30)) }
        try await clock.waitForSleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
        #expect(clock.nextDeadline == nil)
        #expect(clock.now.offset == .zero)
    }

    @Test func `cancelling one sleeper leaves the others asleep`() async throws {
        let sleepers = (1...3).map { seconds in Task { [clock] in try await clock.sleep(for: .seconds(seconds)) } }
        try await clock.waitForSleepers(3)
        sleepers[1].cancel()
        await #expect(throws: CancellationError.self) { try await sleepers[1].value }
        #expect(clock.sleeperCount == 2)
        clock.advance(by: .seconds(3))
        try await sleepers[0].value
        try await sleepers[2].value
    }

    @Test func `cancelling who woke already changes nothing`() async throws {
        let (signal, send) = AsyncStream.makeStream(of: Void.self)
        let sleeper = Task { [clock] in
            try await clock.sleep(for: .seconds(1))
            for await _ in signal {}
            return Task.isCancelled
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        sleeper.cancel()
        send.finish()
        #expect(try await sleeper.value)
    }

    @Test func `waiting for sleepers and moving the clock for them can be cancelled`() async throws {
        let waiting = Task { [clock] in try await clock.waitForSleepers(2) }
        let moving = Task { [clock] in try await clock.advance(by: .seconds(60), sleepers: 1) }
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(5)) }
        try await sleeper.value
        waiting.cancel()
        moving.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await moving.value }
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func `whether the deadline or the cancellation comes first, sleep ends once`() async throws {
        let woken = Locked(0)
        let cancelled = Locked(0)
        let count = Thoroughness.count(200, thorough: 2_000)
        for _ in 0..<count {
            let clock = TestClock()
            let sleeper = Task {
                do {
                    try await clock.sleep(for: .seconds(1))
                    woken.withLock { $0 += 1 }
                } catch {
                    cancelled.withLock { $0 += 1 }
                }
            }
            async let movement: Void = clock.advance(by: .seconds(1))
            sleeper.cancel()
            await movement
            await sleeper.value
            #expect(clock.sleeperCount == 0)
        }
        #expect(woken.withLock { $0 } + cancelled.withLock { $0 } == count)
    }

    @Test func `a task that was cancelled before does not sleep, by this clock as by the system's`() async {
        await expectNoSleep(by: clock)
        await expectNoSleep(by: ContinuousClock())
    }

    private func expectNoSleep<Time: Clock<Duration>>(by clock: Time) async {
        let sleeper = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
        }
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
