import Testing

@testable import TelemetryConsole

/// Tests of the order in which queries take turns, without threads and clocks.
@Suite
struct QueryScheduleTests {
    /// Gives turns of a schedule, one after another.
    private struct Machine {
        var schedule: QuerySchedule
        var now = ContinuousClock.now
        private var ticket = 0
        private var queries: [Int: Int] = [:]

        init(_ adjust: (inout QuerySchedule.Limits) -> Void = { _ in }) {
            var limits = QuerySchedule.Limits()
            limits.running = 1
            limits.runningOfViewer = 1
            adjust(&limits)
            schedule = QuerySchedule(limits: limits)
        }

        /// Opens a query that waits for its first turn.
        mutating func open(_ viewer: String, _ kind: QueryClass = .interactive) throws -> Int {
            let opened = schedule.open(QueryAsker(viewer: viewer, kind: kind), at: now)
            let query = try #require(opened)
            wait(query)
            return query
        }

        mutating func wait(_ query: Int) {
            ticket += 1
            queries[ticket] = query
            schedule.wait(query, ticket: ticket)
        }

        /// Interrupts the turn of a query, if there is a reason. Returns whether.
        mutating func interrupt(_ query: Int, ticket: Int) -> Bool {
            queries[ticket] = query
            return schedule.interrupt(query, ticket: ticket, at: now)
        }

        /// Returns the query that gets the next turn.
        mutating func next() -> Int? {
            guard let ticket = schedule.next(at: now) else { return nil }
            return queries[ticket]
        }

        /// Gives turns of the same length to queries that all want another one. Returns who got them.
        mutating func run(_ count: Int, turn: Duration = .milliseconds(200)) -> [Int] {
            var order: [Int] = []
            while order.count < count, let query = next() {
                order.append(query)
                schedule.end(query, after: turn, at: now)
                wait(query)
            }
            return order
        }
    }

    @Test
    func `a light query overtakes the heavy ones of its own viewer`() throws {
        var machine = Machine()
        var heavy: [Int] = []
        for _ in 0..<4 { heavy.append(try machine.open("a")) }
        let order = machine.run(8)
        #expect(order == heavy + heavy, "those that need the same take turns in their order")
        let light = try machine.open("a")
        #expect(machine.run(2) == [light, light])
    }

    @Test
    func `of two viewers, the one who has used less goes first`() throws {
        var machine = Machine()
        let first = try machine.open("a")
        #expect(machine.run(1, turn: .seconds(10)) == [first])
        let (another, other) = (try machine.open("a"), try machine.open("b"))
        #expect(machine.run(9, turn: .seconds(1)) == Array(repeating: other, count: 9))
        #expect(machine.run(2, turn: .seconds(2)) == [other, another])
    }

    @Test
    func `fifty heavy queries of a viewer do not delay another viewer's`() throws {
        var machine = Machine { $0.queriesOfViewer = 50 }
        for _ in 0..<50 { _ = try machine.open("a") }
        _ = machine.run(200)
        let light = try machine.open("b")
        #expect(machine.run(1) == [light])
    }

    @Test
    func `a light query waits for a slice of the heavy ones, and not for their turns`() throws {
        var machine = Machine { $0.queriesOfViewer = 50 }
        for number in 0..<50 { _ = try machine.open("viewer \(number % 5)") }
        _ = machine.run(200)
        for ticket in 1_000..<1_010 {
            let first = machine.next()
            let heavy = try #require(first)
            let light = try machine.open("other")
            machine.schedule.charge(heavy, .milliseconds(4), at: machine.now)
            let isInterrupted = machine.interrupt(heavy, ticket: ticket)
            #expect(isInterrupted)
            #expect(machine.next() == light)
            machine.schedule.end(light, after: .milliseconds(4), at: machine.now)
            machine.schedule.close(light)
            while let next = machine.next() {
                machine.schedule.end(next, after: .milliseconds(200), at: machine.now)
                machine.wait(next)
                if next == heavy { break }
            }
        }
    }

    @Test
    func `a turn of a new query is interrupted, too, if its viewer has used much`() throws {
        var machine = Machine()
        let former = try machine.open("a")
        #expect(machine.run(1, turn: .seconds(1)) == [former])
        let fresh = try machine.open("a")
        #expect(machine.next() == fresh)
        _ = try machine.open("b")
        machine.schedule.charge(fresh, .milliseconds(4), at: machine.now)
        let isInterrupted = machine.interrupt(fresh, ticket: 1_000)
        #expect(isInterrupted)
    }

    @Test
    func `viewers who have used about the same do not interrupt each other`() throws {
        var machine = Machine()
        let (first, second) = (try machine.open("a"), try machine.open("b"))
        #expect(machine.run(2, turn: .milliseconds(300)) == [first, second])
        #expect(machine.next() == first)
        machine.schedule.charge(first, .milliseconds(200), at: machine.now)
        _ = try machine.open("b")
        let isInterrupted = machine.interrupt(first, ticket: 1_000)
        #expect(!isInterrupted)
    }

    @Test
    func `what is left of a turn comes before the other turns of its viewer`() throws {
        var machine = Machine()
        let heavy = try machine.open("a")
        #expect(machine.run(1) == [heavy])
        #expect(machine.next() == heavy)
        let (own, light) = (try machine.open("a"), try machine.open("b"))
        machine.schedule.charge(heavy, .milliseconds(4), at: machine.now)
        let isInterrupted = machine.interrupt(heavy, ticket: 1_000)
        #expect(isInterrupted)
        #expect(machine.next() == light)
        machine.schedule.end(light, after: .seconds(10), at: machine.now)
        #expect(machine.next() == heavy)
        machine.schedule.end(heavy, after: .zero, at: machine.now)
        #expect(machine.next() == own)
    }

    @Test
    func `a turn is interrupted for other viewers only, and few are at a time`() throws {
        var machine = Machine {
            $0.running = 2
            $0.interrupted = 1
        }
        let (first, second) = (try machine.open("a"), try machine.open("b"))
        #expect(machine.run(1, turn: .seconds(1)) == [first])
        #expect(machine.run(1, turn: .seconds(2)) == [second])
        #expect([machine.next(), machine.next()] == [first, second])
        let isInterruptedForNobody = machine.interrupt(second, ticket: 1_000)
        #expect(!isInterruptedForNobody)
        _ = try machine.open("a")
        let isInterruptedForItself = machine.interrupt(first, ticket: 1_001)
        #expect(!isInterruptedForItself)
        _ = try machine.open("c")
        let isInterrupted = machine.interrupt(second, ticket: 1_002)
        let isAnother = machine.interrupt(first, ticket: 1_003)
        #expect(isInterrupted && !isAnother)
    }

    @Test
    func `what a viewer has used counts half after the half-life`() throws {
        var machine = Machine()
        let first = try machine.open("a")
        #expect(machine.run(1, turn: .seconds(8)) == [first])
        machine.now += machine.schedule.limits.halfLife * 2
        let second = try machine.open("b")
        #expect(machine.run(2, turn: .seconds(3)) == [second, first])
    }

    @Test
    func `classes get the processors by their weights`() throws {
        var machine = Machine()
        let queries = try QueryClass.allCases.map { try machine.open($0.rawValue, $0) }
        let order = machine.run(700)
        for (kind, query) in zip(QueryClass.allCases, queries) {
            let count = order.count { $0 == query }
            #expect(abs(count - Int(100 * kind.weight)) <= 1, "\(kind)")
        }
    }

    @Test
    func `a class without queries does not save up its share`() throws {
        var machine = Machine()
        _ = try machine.open("a", .interactive)
        _ = machine.run(100)
        let late = try machine.open("b", .board)
        let count = machine.run(6).count { $0 == late }
        #expect((1...3).contains(count))
    }

    @Test
    func `a viewer never has all threads`() throws {
        var machine = Machine {
            $0.running = 3
            $0.runningOfViewer = 2
        }
        let first = try machine.open("a")
        let second = try machine.open("a")
        let third = try machine.open("a")
        #expect([machine.next(), machine.next(), machine.next()] == [first, second, nil])
        let other = try machine.open("b")
        #expect([machine.next(), machine.next()] == [other, nil])
        machine.schedule.end(first, after: .seconds(1), at: machine.now)
        #expect([machine.next(), machine.next()] == [third, nil])
    }

    @Test
    func `a viewer with too many queries is refused, and others are not`() throws {
        var machine = Machine { $0.queriesOfViewer = 2 }
        let first = try machine.open("a")
        _ = try machine.open("a")
        let refused = machine.schedule.open(QueryAsker(viewer: "a"), at: machine.now)
        #expect(refused == nil)
        _ = try machine.open("b")
        #expect(machine.next() == first)
        machine.schedule.end(first, after: .zero, at: machine.now)
        machine.schedule.close(first)
        _ = try machine.open("a")
    }

    @Test
    func `one that gives up leaves the line, once`() {
        var schedule = Machine().schedule
        let query = schedule.open(QueryAsker(viewer: "a"), at: .now)
        schedule.wait(query ?? 0, ticket: 7)
        let (first, second) = (schedule.giveUp(7), schedule.giveUp(7))
        #expect(first && !second)
        let next = schedule.next(at: .now)
        #expect(next == nil)
    }
}
