import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TestClockTests {
    private let clock = TestClock()

    @Test func `a sleeper wakes when its deadline comes and not before`() async throws {
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(30)) }
        try await clock.waitForSleepers()
        #expect(clock.nextDeadline == TestClock.Instant(offset: .seconds(30)))
        clock.advance(by: .milliseconds(29_999))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(clock.sleeperCount == 0)
        try await sleeper.value
        #expect(clock.now.offset == .seconds(30))
        #expect(clock.nextDeadline == nil)
    }

    @Test func `sleepers wake in the order of their deadlines, in whatever order they fell asleep`() async throws {
        let (woken, woke) = AsyncStream.makeStream(of: Int.self)
        for seconds in [3, 1, 4, 2] {
            Task { [clock] in
                try await clock.sleep(until: TestClock.Instant(offset: .seconds(seconds)))
                woke.yield(seconds)
            }
        }
        try await clock.waitForSleepers(4)
        var wakings = woken.makeAsyncIterator()
        for seconds in 1...4 {
            let deadline = try #require(clock.nextDeadline)
            clock.advance(to: deadline)
            #expect(await wakings.next() == seconds)
            #expect(clock.now.offset == .seconds(seconds))
            #expect(clock.sleeperCount == 4 - seconds)
        }
    }

    @Test func `loops take their rounds in order, one at a time, however often it is tried`() async throws {
        for _ in 0..<Thoroughness.count(20, thorough: 200) {
            let clock = TestClock()
            let rounds = Locked<[String]>([])
            let loops = [("a", 2), ("b", 3)].map { name, seconds in
                Task {
                    while true {
                        try await clock.sleep(for: .seconds(seconds))
                        rounds.withLock { $0.append("\(name)\(clock.now.offset.components.seconds)") }
                    }
                }
            }
            try await clock.advance(by: .seconds(12), sleepers: 2)
            let expected = ["a2", "b3", "a4", "b6", "a6", "a8", "b9", "a10", "b12", "a12"]
            #expect(rounds.withLock { $0 } == expected)
            #expect(clock.now.offset == .seconds(12))
            for loop in loops { loop.cancel() }
        }
    }

    @Test func `who sleeps until a moment that has passed does not sleep`() async throws {
        clock.advance(by: .seconds(5))
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        try await clock.sleep(until: TestClock.Instant(offset: .seconds(5)))
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func `the clock never goes back`() {
        clock.advance(by: .seconds(5))
        clock.advance(by: .seconds(-3))
        clock.advance(to: TestClock.Instant(offset: .seconds(1)))
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func `waiting for sleepers ends when there are enough`() async throws {
        try await clock.waitForSleepers(0)
        let waiting = Task { [clock] in
            try await clock.waitForSleepers(3)
            return clock.sleeperCount
        }
        let sleepers = (1...3).map { seconds in Task { [clock] in try await clock.sleep(for: .seconds(seconds)) } }
        #expect(try await waiting.value == 3)
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(3))
        for sleeper in sleepers { try await sleeper.value }
    }

    @Test func `of many sleepers at mixed deadlines none wakes early and none is forgotten`() async throws {
        let count = Thoroughness.count(200, thorough: 1_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let deadline = TestClock.Instant(offset: .milliseconds(1 + number * 379 % 500))
                group.addTask { [clock] in
                    try await clock.sleep(until: deadline)
                    #expect(clock.now >= deadline)
                }
            }
            try await clock.waitForSleepers(count)
            while let deadline = clock.nextDeadline { clock.advance(to: deadline) }
            try await group.waitForAll()
        }
        #expect(clock.now.offset <= .milliseconds(500))
    }
}
