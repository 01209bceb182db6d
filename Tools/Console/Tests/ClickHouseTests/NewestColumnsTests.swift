import ClickHouseFixture
import ConsoleModel
import TelemetryQuery
import Testing

@testable import ClickHouse

@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(10)))
struct `Columns of the newest records` {
    @Test func `say that older records are left out, by number and by bytes`() async throws {
        try await ClickHouseDatabase.run { client in
            try await SchemaMigrator(client).run()
            let writer = ClickHouseWriter(client, now: { Sample.time })
            try await writer.write(traces: Sample.traces(count: 5_000, trace: 3))
            let time = Int64(Sample.time)
            var query = Query().ofRecords()
            query.time = .between(from: time - 1, to: time + 1)
            let plan = try QueryPlan(query, now: time)

            let all = try await client.columns(plan, limit: 5_000)
            #expect(all.rowCount == 5_000)
            #expect(!all.leavesOut)
            let few = try await client.columns(plan, fields: ["name"], limit: 4_999)
            #expect(few.rowCount == 4_999)
            #expect(few.leavesOut)
            #expect(few.segments.map(\.rowCount) == [4_999])

            var configuration = client.configuration
            configuration.responseBytes = 1 << 20
            let cut = try await ClickHouseClient(configuration).columns(plan, limit: 5_000)
            #expect(cut.leavesOut)
            #expect((1..<5_000).contains(cut.rowCount))
        }
    }
}
