import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ConsoleModel
import Foundation
import QueryOracle
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole
@testable import TelemetryQuery

/// Twenty rules over a week of records that arrive up to six days late change as plain counting says.
@Suite(.timeLimit(.minutes(20)))
struct AlertOracleTests {
    private static let rules = [
        "count of events, above: 12, window: 1h", "count of events by name, above: 3, window: 1h",
        "count of events by name, above: 0, window: 15m", "count of events by name, above: 5, window: 6h, for: 2",
        "count of events by kind, above: 8, window: 1d", "count of events where name = crash, above: 0, window: 30m",
        "count of events where name = crash, above: 1, window: 2h, for: 3", "count of events, below: 2, window: 15m",
        "count of events by name, below: 2, window: 6h", "ratio(where name = crash) of events, above: 0.3, window: 1h",
        "ratio(where name = crash) of events by kind, above: 0.4, window: 6h",
        "ratio(where name = tap) of events, below: 0.2, window: 3h", "max(size) of events, above: 95, window: 20m",
        "max(size) of events by name, above: 97, window: 2h", "avg(size) of events by kind, below: 20, window: 1h",
        "sum(size) of events, above: 700, window: 1h", "count_distinct(kind) of events by name, above: 2, window: 1h",
        "count of events by name where kind != red, above: 2, window: 45m",
        "count of events arriving, above: 15, window: 6h", "count of events by name arriving, above: 4, window: 1h",
    ]
    private static let steps = Thoroughness.count(8, thorough: 336)

    private static var board: String {
        let alerts = rules.enumerated().map { index, rule in
            let end = rule.range(of: ", above")?.lowerBound ?? rule.range(of: ", below")?.lowerBound ?? rule.endIndex
            return "  - {name: R\(index), query: \"\(rule[..<end])\"\(rule[end...]), every: 10s}\n"
        }
        return "title: Mine\nalerts:\n" + alerts.joined()
    }

    /// Events with the time at which they arrive.
    private static func events(using random: inout SeededGenerator, step: UInt64) -> [(time: UInt64, arrival: Int)] {
        (0..<steps * 8).map { _ in
            let arrival = Int.random(in: 0..<steps, using: &random)
            let arrived = AlertScene.start + UInt64(arrival) * step
            let hours = [0, 0, 0, 0, 1, 3, 26, 144].randomElement(using: &random) ?? 0
            let age = UInt64.random(in: 0..<7_200, using: &random) * 1_000_000_000 + UInt64(hours) * AlertScene.hour
            return (arrived - age, arrival)
        }
    }

    @Test
    func `the changes of twenty rules over a week are those of a brute-force evaluation`() async throws {
        let step = 168 * AlertScene.hour / UInt64(Self.steps)
        var random = SeededGenerator(seed: 32)
        let events = Self.events(using: &random, step: step)
        let scene = try await AlertScene(board: Self.board)
        let rules = try Board(yaml: Self.board, file: "mine.yaml").alerts
        var oracle = rules.map { NaiveAlert(rule: $0) }
        var known: [QueryRecord] = []
        var (count, late) = (0, 0)
        for index in 0..<Self.steps {
            let now = Int64(scene.now)
            for (number, event) in events.enumerated() where event.arrival == index {
                let name = ["tap", "crash", "order"][number % 3]
                let kind = ["red", "blue", "green", "grey"][number / 3 % 4]
                let size = Int64(number * 37 % 101)
                try await scene.ingest([
                    LogRecordData(
                        timeUnixNano: event.time, severityNumber: 9, eventName: name,
                        attributes: ["kind": kind, "size": size, "number": number])
                ])
                known.append(
                    QueryRecord(
                        time: Int64(event.time),
                        fields: [
                            "name": .string(name), "kind": .string(kind), "size": .int(size),
                            "arrived": .int(now / 60_000_000_000 * 60_000_000_000),
                        ]))
            }
            let changes = await scene.monitor.evaluate(at: now).filter { $0.status.board == "mine" }
            for (rule, position) in zip(rules, oracle.indices) {
                let found = changes.filter { $0.status.rule == rule }.map { "\($0.change) \($0.event.group)" }
                let expected = try oracle[position].changes(at: now, known)
                #expect(found == expected, "\(rule.query.text) \(rule.thresholdText), step \(index)")
                count += found.count
                late += oracle[position].newsCount
            }
            // A restart in the middle of the week.
            if index == Self.steps / 2 { try await scene.restart() }
            scene.advance(by: step)
        }
        #expect(count > 15)
        #expect(late > 10)
        await scene.close()
    }
}

/// An alert, evaluated record by record.
private struct NaiveAlert {
    let rule: AlertRule
    private var heard: Int64?
    private var crossings: [String: Int] = [:]
    private var firing: Set<String> = []
    /// The groups with news of past windows, until a time.
    private var news: [String: Int64] = [:]
    /// The number of groups that had news in the last evaluation.
    private(set) var newsCount = 0

    init(rule: AlertRule) {
        self.rule = rule
    }

    /// The groups that cross the threshold in a time.
    private func crossing(from start: Int64, to end: Int64, _ records: [QueryRecord]) throws -> Set<String> {
        var query = rule.question
        query.time = .between(from: start, to: end)
        let result = NaiveEvaluator.evaluate(try QueryPlan(query, now: end), over: records)
        let rows = result.rows.filter { row in
            guard !row.isOther, let value = row.values.totals.first?.number else { return false }
            return rule.threshold.isCrossed(by: value)
        }
        return Set(rows.map { row in row.key.map { $0.text ?? "(missing)" }.joined(separator: ", ") })
    }

    private func groupsWithNews(at now: Int64, _ records: [QueryRecord]) throws -> Set<String> {
        guard rule.query.query.clock == .event else { return [] }
        let since = (heard ?? now - rule.window) / 60_000_000_000 * 60_000_000_000
        func arrived(_ record: QueryRecord) -> Int64 {
            if case .int(let arrived) = record.fields["arrived"] { arrived } else { .max }
        }
        let condition = rule.query.query.condition
        let late = records.filter { record in
            guard arrived(record) >= since, record.time < now + 1 - rule.window else { return false }
            guard let condition, case .leaf(let term) = condition, case .field(let name) = term.subject else {
                return true
            }
            let isEqual = record.fields[name] == term.values.first?.value
            return term.comparison == .equal ? isEqual : !isEqual
        }
        let before = records.filter { arrived($0) < since }
        var groups: Set<String> = []
        for number in Set(late.map { $0.time / rule.window }) {
            let (start, end) = (number * rule.window, (number + 1) * rule.window)
            let present = try crossing(from: start, to: end, records)
            groups.formUnion(present.subtracting(try crossing(from: start, to: end, before)))
        }
        return groups
    }

    /// Returns the changes, ends before beginnings, each by group.
    mutating func changes(at now: Int64, _ records: [QueryRecord]) throws -> [String] {
        let found = try groupsWithNews(at: now, records)
        newsCount = found.count
        heard = now
        news = news.filter { $0.value > now }
        for group in found { news[group] = now + rule.window }
        var crossing: Set<String>
        if rule.query.query.clock == .event {
            crossing = try self.crossing(from: now + 1 - rule.window, to: now + 1, records)
        } else {
            let inTime = records.filter { record in
                guard case .int(let arrived) = record.fields["arrived"] else { return false }
                return arrived >= now + 1 - rule.window
            }
            var query = rule.question
            query.clock = .event
            crossing = try groups(of: query, inTime, now)
        }
        crossing.formUnion(news.keys)
        var changes: [String] = []
        for group in firing.subtracting(crossing).sorted() {
            firing.remove(group)
            changes.append("recovered \(group)")
        }
        crossings = crossings.filter { crossing.contains($0.key) }
        for group in crossing.sorted() {
            crossings[group, default: 0] += 1
            if crossings[group, default: 0] >= rule.times, firing.insert(group).inserted {
                changes.append("fired \(group)")
            }
        }
        return changes
    }

    /// The groups of all records, whenever they happened.
    private func groups(of query: Query, _ records: [QueryRecord], _ now: Int64) throws -> Set<String> {
        var query = query
        query.time = .between(from: now - 100 * 86_400_000_000_000, to: now + 1)
        let result = NaiveEvaluator.evaluate(try QueryPlan(query, now: now), over: records)
        let rows = result.rows.filter { $0.values.totals.first?.number.map(rule.threshold.isCrossed) == true }
        return Set(rows.map { row in row.key.map { $0.text ?? "(missing)" }.joined(separator: ", ") })
    }
}
