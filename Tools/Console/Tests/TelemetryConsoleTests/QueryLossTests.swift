import ConsoleModel
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Tests of what an answer says of lost records.
@Suite
struct QueryLossTests {
    /// A phone that lost 5 of 1,000 records, and one that lost none.
    private static func withPhones(
        dropped: [(reason: String, count: Int)] = [("expired", 5), ("sampled out", 100)],
        _ body:
            @escaping @Sendable (_ source: QuerySource, _ loser: ShopVisit, _ other: ShopVisit) async throws -> Void,
    ) async throws {
        let (loser, other) = (ShopVisit.purchase(number: 1), ShopVisit.purchase(number: 2))
        try await ConsoleUnderTest.run({ $0.store.now = { loser.now + 60_000_000_000 } }) { console in
            for visit in [loser, other] {
                try await console.send(visit)
                let lost = visit.session == loser.session ? dropped : []
                let sampledOut = lost.first { $0.reason == "sampled out" }?.count ?? 0
                let account = LedgerAccount(
                    time: visit.now, created: 1_000 + sampledOut,
                    delivered: 1_000 + sampledOut - lost.reduce(0) { $0 + $1.count }, dropped: lost)
                try await console.send(account.body(visit.phone), to: .metrics)
            }
            try await body(QuerySource(console.console.store), loser, other)
        }
    }

    private static func expect(
        _ warnings: [String], of text: String, _ source: QuerySource, sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws {
        let answer = try await source.answer(Query(text: text + " last 1h every total"))
        #expect(answer.result.matchedRecords > 0, sourceLocation: sourceLocation)
        #expect(answer.warnings == warnings, "\(text)", sourceLocation: sourceLocation)
    }

    @Test
    func `an answer says which share of the records its devices lost`() async throws {
        try await Self.withPhones { source, loser, other in
            for dataset in ["spans", "events", "sessions"] {
                try await Self.expect(
                    ["0.5 % of these devices' records were dropped: expired."],
                    of: "count of \(dataset) where session.id = \"\(loser.session)\"", source)
                try await Self.expect([], of: "count of \(dataset) where session.id = \"\(other.session)\"", source)
            }
            try await Self.expect(
                ["0.25 % of these devices' records were dropped: expired."],
                of: "count by name where service.name = astronomy-shop", source)
            try await Self.expect([], of: "count where service.name = shop-backend", source)
        }
    }

    @Test
    func `several reasons have their shares, the largest first`() async throws {
        try await Self.withPhones(dropped: [("evicted", 20), ("expired", 100)]) { source, loser, _ in
            try await Self.expect(
                ["12 % of these devices' records were dropped: expired 10 %, evicted 2 %."],
                of: "count where session.id = \"\(loser.session)\"", source)
        }
    }

    @Test
    func `what a device lost at another time is not part of an answer`() async throws {
        try await Self.withPhones { source, loser, _ in
            let from = Timestamp.text(Int64(loser.start) - 60_000_000_000)
            let to = Timestamp.text(Int64(loser.now) - 1_000_000)
            let answer = try await source.answer(Query(text: "count from \(from) to \(to) every total"))
            #expect(answer.result.matchedRecords > 0)
            #expect(answer.warnings == [])
        }
    }
}
