import Testing

@testable import TelemetryBoards
@testable import TelemetryQuery

@Suite struct `An alert` {
    private static let second: Int64 = 1_000_000_000

    private static func rule(_ more: String) throws -> AlertRule {
        let yaml = "title: A\nalerts:\n  - {name: B, query: count by name, window: 5m, \(more)}"
        return try #require(try Board(yaml: yaml, file: "").alerts.first)
    }

    @Test func `fires when the threshold is crossed often enough in a row, and recovers`() throws {
        let rule = try Self.rule("above: 5, for: 2")
        var state = AlertState()
        #expect(state.phase == .waiting)
        #expect(state.take(AlertReading(value: 6), of: rule, at: 1) == nil)
        #expect(state.phase == .pending)
        #expect(state.take(AlertReading(value: 5), of: rule, at: 2) == nil)
        #expect(state.phase == .ok)
        #expect(state.take(AlertReading(value: 6), of: rule, at: 3) == nil)
        #expect(state.take(AlertReading(value: 7), of: rule, at: 4) == .fired)
        #expect(state.take(AlertReading(value: 7), of: rule, at: 5) == nil)
        #expect(state.since == 4)
        #expect(state.take(nil, of: rule, at: 6) == .recovered)
        #expect(state.since == 6)
    }

    @Test func `that cannot be evaluated is unknown until it can be`() throws {
        let rule = try Self.rule("below: 5")
        var state = AlertState()
        #expect(state.take(AlertReading(value: 4), of: rule, at: 1) == .fired)
        #expect(state.fail("no memory", at: 2) == .unknown)
        #expect(state.phase == .unknown)
        #expect(state.since == 2)
        #expect(state.failure == "no memory")
        #expect(state.fail("no memory", at: 3) == nil)
        #expect(state.take(AlertReading(value: 4), of: rule, at: 4) == .fired)
        #expect(state.failure == nil)
        #expect(state.fail("no memory", at: 5) == .unknown)
        #expect(state.take(AlertReading(value: 6), of: rule, at: 6) == .recovered)
    }

    @Test func `is due at its interval, and when the clock was set back`() throws {
        let rule = try Self.rule("above: 5, every: 20s")
        var state = AlertState()
        #expect(state.isDue(rule, at: 0))
        _ = state.take(nil, of: rule, at: 100 * Self.second)
        #expect(!state.isDue(rule, at: 119 * Self.second))
        #expect(state.isDue(rule, at: 120 * Self.second))
        #expect(state.isDue(rule, at: 0))
    }

    @Test func `asks for the groups that are nearest to crossing, and shows the worst`() throws {
        let rows = [AlertReading(value: 2, group: "a"), AlertReading(value: 9, group: "b")]
        let above = try Self.rule("above: 5")
        #expect(above.question.description == "count by name order count desc last 5m every total")
        #expect(above.reading(of: rows)?.group == "b")
        let below = try Self.rule("below: 5")
        #expect(below.question.description == "count by name order count asc last 5m every total")
        #expect(below.reading(of: rows)?.group == "a")
    }
}
