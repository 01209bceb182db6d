import AstrolabePlatform
import AstrolabeTestSupport
import Dispatch
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Tests of the turns that queries take.
@Suite(.timeLimit(.minutes(5)))
struct QuerySchedulerTests {
    private static func limits(_ adjust: (inout QuerySchedule.Limits) -> Void = { _ in }) -> QuerySchedule.Limits {
        var limits = QuerySchedule.Limits()
        limits.running = 1
        limits.runningOfViewer = 1
        adjust(&limits)
        return limits
    }

    @Test
    func `a query over its processor time ends with the ways to narrow it`() async throws {
        let time = Locked(Duration.zero)
        let scheduler = QueryScheduler(Self.limits(), threadTime: { time.withLock { $0 } })
        @Sendable func work(_ isOver: @escaping () -> Bool) -> Bool {
            time.withLock { $0 += .seconds(20) }
            return isOver()
        }
        try await scheduler.run(limit: .seconds(30)) { turns async throws in
            #expect(try await turns.take(work) == false)
            let error = await #expect(throws: QueryError.self) { try await turns.take(work) }
            #expect(
                error?.message == "The query took longer than 30.0 seconds to compute. Ask for a shorter time, group "
                    + "by fewer fields, or narrow it with where.")
            await #expect(throws: QueryError.self) { try await turns.take { _ in Issue.record("it must not run") } }
        }
        try await scheduler.run(limit: .seconds(30)) { turns async throws in
            #expect(try await turns.take(work) == false, "each query has a budget of its own")
        }
        #expect(scheduler.queryCount(of: "console") == 0)
    }

    @Test
    func `time in which others run costs nothing`() async throws {
        let time = Locked(Duration.zero)
        let scheduler = QueryScheduler(Self.limits(), threadTime: { time.withLock { $0 } })
        try await scheduler.run(limit: .seconds(30)) { turns async throws in
            for _ in 0..<5 {
                try await turns.take { _ in time.withLock { $0 += .seconds(1) } }
                try await scheduler.run(limit: .seconds(30)) { others in
                    try await others.take { _ in time.withLock { $0 += .seconds(20) } }
                }
            }
        }
    }

    @Test
    func `a light query is answered in the middle of another viewer's turn`() async throws {
        let time = Locked(Duration.zero)
        let scheduler = QueryScheduler(Self.limits(), threadTime: { time.withLock { $0 } })
        let order = Locked<[String]>([])
        @Sendable func run(_ viewer: String, _ work: @escaping @Sendable (() -> Bool) -> Void) async throws {
            try await QueryAsker.$current.withValue(QueryAsker(viewer: viewer)) {
                try await scheduler.run(limit: .seconds(30)) { turns in
                    try await turns.take { isOver in
                        work(isOver)
                        order.withLock { $0.append(viewer) }
                    }
                }
            }
        }
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let goesOn = DispatchSemaphore(value: 0)
        async let heavy: Void = run("heavy") { isOver in
            start.yield()
            goesOn.wait()
            time.withLock { $0 += .seconds(1) }
            _ = isOver()
        }
        defer { goesOn.signal() }
        for await _ in started.prefix(1) {}
        async let light: Void = run("light") { _ in }
        try await eventually("the light one waits") { scheduler.waitingCount == 1 }
        goesOn.signal()
        try await light
        try await heavy
        #expect(order.withLock { $0 } == ["light", "heavy"])
        #expect(scheduler.waitingCount == 0)
    }

    @Test
    func `turns that are interrupted keep no thread from others`() async throws {
        let time = Locked(Duration.zero)
        let scheduler = QueryScheduler(Self.limits(), threadTime: { time.withLock { $0 } })
        let (begun, ended) = (Locked<[Int]>([]), Locked<[Int]>([]))
        let goesOn = DispatchSemaphore(value: 0)
        @Sendable func run(_ viewer: Int) async throws {
            try await QueryAsker.$current.withValue(QueryAsker(viewer: "\(viewer)")) {
                try await scheduler.run(limit: .seconds(30)) { turns in
                    try await turns.take { isOver in
                        begun.withLock { $0.append(viewer) }
                        if viewer == 0 { goesOn.wait() }
                        time.withLock { $0 += .seconds(1) }
                        _ = isOver()
                        ended.withLock { $0.append(viewer) }
                    }
                }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { goesOn.signal() }
            tasks.addTask { try await run(0) }
            try await eventually("the first one has the turn") { begun.withLock { $0 } == [0] }
            for viewer in 1...10 { tasks.addTask { try await run(viewer) } }
            try await eventually("the others wait") { scheduler.waitingCount == 10 }
            goesOn.signal()
            try await tasks.waitForAll()
        }
        let order = begun.withLock { $0 }
        #expect(order.count == 11)
        // The last one interrupts all others, which go on in their order.
        #expect(ended.withLock { $0 } == Array(order.suffix(1) + order.dropLast()))
    }

    @Test
    func `work that fails gives its turn on`() async throws {
        struct Failure: Error {}
        let scheduler = QueryScheduler(Self.limits())
        try await scheduler.run(limit: .seconds(30)) { turns async throws in
            await #expect(throws: Failure.self) { try await turns.take { _ in throw Failure() } }
            await #expect(throws: Failure.self) { try await turns.wait { throw Failure() } }
            #expect(try await turns.take { _ in 1 } == 1)
        }
    }

    @Test
    func `a query that is cancelled while it waits for a turn ends at once`() async throws {
        let scheduler = QueryScheduler(Self.limits())
        try await scheduler.run(limit: .seconds(30)) { turns async throws in
            try await turns.wait {
                let waiting = Task {
                    try await scheduler.run(limit: .seconds(30)) { turns async throws in
                        try await turns.take { _ in Issue.record("it must not run") }
                    }
                }
                try await eventually("it waits") { scheduler.waitingCount == 1 }
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
                #expect(scheduler.waitingCount == 0)
                #expect(scheduler.queryCount(of: "console") == 1)
            }
        }
    }

    @Test
    func `a query for which others leave too little memory ends, and a small one does not`() async throws {
        let scheduler = QueryScheduler(Self.limits { $0.bytes = 100 << 20 })
        try await scheduler.run(limit: .seconds(30)) { large in
            try large.hold(90 << 20)
            try await scheduler.run(limit: .seconds(30)) { other in
                try other.hold(40 << 20)
                #expect(throws: QueryRefusal.tooLittleMemory(limit: 100 << 20)) { try other.hold(50 << 20) }
            }
            try large.hold(110 << 20)
            try await scheduler.run(limit: .seconds(30)) { small in
                try small.hold(16 << 20)
                #expect(throws: QueryRefusal.tooLittleMemory(limit: 100 << 20)) { try small.hold(24 << 20) }
            }
        }
    }
}
