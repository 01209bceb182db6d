import Testing

@testable import TelemetryBoards
@testable import TelemetryQuery

@Suite struct `An alert` {
    private static let second: Int64 = 1_000_000_000

    private static func rule(_ more: String) throws -> AlertRule {
        let yaml = "title: A\nalerts:\n  - {name: B, query: count by name, window: 5m, \(more)}"
        return try #require(try Board(yaml: yaml, file: "").alerts.first)
    }

    /// A change and its group, such as `fired red`.
    private static func words(_ events: [AlertState.Event]) -> [String] {
        events.map { event in event.group.isEmpty ? event.change.rawValue : "\(event.change.rawValue) \(event.group)" }
    }

    @Test func `fires when the threshold is crossed often enough in a row, and recovers`() throws {
        let rule = try Self.rule("above: 5, for: 2")
        var state = AlertState()
        func take(_ value: Double?, at time: Int64) -> [String] {
            Self.words(state.take(value.map { [AlertReading(value: $0)] } ?? [], of: rule, at: time))
        }
        #expect(state.phase == .waiting)
        #expect(take(6, at: 1) == [])
        #expect(state.phase == .pending)
        #expect(take(5, at: 2) == [])
        #expect(state.phase == .ok)
        #expect(take(6, at: 3) == [])
        #expect(take(7, at: 4) == ["fired"])
        #expect(take(7, at: 5) == [])
        #expect(state.since == 4)
        #expect(take(nil, at: 6) == ["recovered"])
        #expect(state.since == 6)
    }

    @Test func `that cannot be evaluated is unknown until it can be, and what fires goes on to fire`() throws {
        let rule = try Self.rule("below: 5")
        var state = AlertState()
        func take(_ value: Double, at time: Int64) -> [String] {
            Self.words(state.take([AlertReading(value: value)], of: rule, at: time))
        }
        #expect(take(4, at: 1) == ["fired"])
        #expect(Self.words(state.fail("no memory", at: 2)) == ["unknown"])
        #expect(state.phase == .unknown)
        #expect(state.since == 2)
        #expect(state.failure == "no memory")
        #expect(state.fail("no memory", at: 3) == [])
        #expect(take(4, at: 4) == ["known"])
        #expect(state.phase == .firing)
        #expect(state.failure == nil)
        #expect(Self.words(state.fail("no memory", at: 5)) == ["unknown"])
        #expect(take(6, at: 6) == ["known", "recovered"])
    }

    @Test func `fires and recovers for each group by itself`() throws {
        let rule = try Self.rule("above: 5, for: 2")
        var state = AlertState()
        func take(_ values: KeyValuePairs<String, Double>, at time: Int64, areAll: Bool = true) -> [String] {
            let readings = values.map { AlertReading(value: $0.value, group: $0.key) }
            return Self.words(state.take(readings, areAll: areAll, of: rule, at: time))
        }
        #expect(take(["red": 6, "blue": 1], at: 1) == [])
        #expect(take(["red": 6, "blue": 6], at: 2) == ["fired red"])
        #expect(take(["blue": 9], at: 3) == ["recovered red", "fired blue"])
        #expect(state.phase == .firing)
        #expect(state.since == 2)
        // Two groups that are one, because their names are equal as far as they are kept.
        #expect(take(["blue": 1, "blue": 9, "red": 6], at: 4) == [])
        #expect(take(["red": 7, "blue": 9], at: 5) == ["fired red"])
        // All that were returned cross, so one that was not may cross as well.
        #expect(take(["red": 9], at: 6, areAll: false) == [])
        #expect(take(["red": 9, "green": 5], at: 7, areAll: false) == ["recovered blue"])
        #expect(take([:], at: 8) == ["recovered red"])
        #expect(state.phase == .ok)
    }

    @Test func `that readers know of begins as they know it`() throws {
        let rule = try Self.rule("above: 5")
        var state = AlertState(firing: ["red": 20, "blue": 10])
        #expect(state.phase == .firing)
        #expect(state.since == 10)
        #expect(state.isDue(rule, at: 11))
        #expect(
            Self.words(state.take([AlertReading(value: 6, group: "red")], of: rule, at: 30)) == ["recovered blue"])
        state = AlertState(firing: ["red": 20], unknownSince: 25)
        #expect(state.phase == .unknown)
        #expect(state.since == 25)
        #expect(Self.words(state.fail("no memory", at: 30)) == [])
        #expect(Self.words(state.take([], of: rule, at: 40)) == ["known", "recovered red"])
    }

    @Test func `is due at its interval, and when the clock was set back`() throws {
        let rule = try Self.rule("above: 5, every: 20s")
        var state = AlertState()
        #expect(state.isDue(rule, at: 0))
        _ = state.take([], of: rule, at: 100 * Self.second)
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
