import AstrolabePlatform
import AstrolabeTestSupport
import Testing

@testable import TelemetryConsole

/// Tests of the line in which queries wait for their turn.
@Suite(.timeLimit(.minutes(5)))
struct QueryTurnsTests {
    @Test
    func `a place that becomes free goes to the one that waits the longest`() {
        var line = QueryLine(limits: QueryLine.Limits(running: 1, waiting: 2))
        #expect(line.enter() == .runs)
        #expect(line.enter() == .waits(ticket: 0))
        #expect(line.enter() == .waits(ticket: 1))
        #expect(line.enter() == .refused)
        #expect(line.leave() == 0)
        #expect(line.enter() == .waits(ticket: 2))
        #expect(line.leave() == 1)
        #expect(line.leave() == 2)
        #expect(line.leave() == nil)
        #expect(line.enter() == .runs, "the line is empty again")
    }

    @Test
    func `one that gives up leaves its place in the line, once`() {
        var line = QueryLine(limits: QueryLine.Limits(running: 1, waiting: 2))
        _ = (line.enter(), line.enter(), line.enter())
        #expect(line.giveUp(0) == true)
        #expect(line.giveUp(0) == false)
        #expect(line.enter() == .waits(ticket: 2))
        #expect(line.leave() == 1)
        #expect(line.giveUp(1) == false, "its turn has come")
    }

    /// Runs `body` while one query runs and no other may.
    private static func withFullHouse(
        _ limits: QueryLine.Limits = QueryLine.Limits(running: 1, patience: .seconds(3_600)),
        _ body: (_ turns: QueryTurns, _ end: @escaping @Sendable () -> Void) async throws -> Void,
    ) async throws {
        let turns = QueryTurns(limits)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            try await turns.take {
                start.finish()
                for await _ in ends {}
            }
        }
        for await _ in starts {}
        try await body(turns) { end.finish() }
        end.finish()
        try await running.value
    }

    @Test
    func `those that wait run one after the other, in the order in which they came`() async throws {
        try await Self.withFullHouse { turns, end in
            let order = Locked<[Int]>([])
            let isInside = Locked(false)
            var waiting: [Task<Void, any Error>] = []
            for number in 0..<8 {
                waiting.append(
                    Task {
                        try await turns.take {
                            #expect(!isInside.withLock { $0 })
                            isInside.withLock { $0 = true }
                            order.withLock { $0.append(number) }
                            await Task.yield()
                            isInside.withLock { $0 = false }
                        }
                    })
                try await eventually("it waits") { await turns.waitingCount > number }
            }
            end()
            for task in waiting { try await task.value }
            #expect(order.withLock { $0 } == Array(0..<8))
        }
    }

    @Test
    func `one that is cancelled while it waits ends at once`() async throws {
        try await Self.withFullHouse { turns, _ in
            let waiting = Task { try await turns.take { Issue.record("it must not run") } }
            try await eventually("it waits") { await turns.waitingCount == 1 }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            #expect(await turns.waitingCount == 0)
        }
    }

    @Test
    func `one that waits too long is refused, and others go on`() async throws {
        try await Self.withFullHouse(QueryLine.Limits(running: 1, patience: .zero)) { turns, end in
            await #expect(throws: QuerySource.Busy.self) { try await turns.take { Issue.record("it must not run") } }
            end()
        }
    }
}
