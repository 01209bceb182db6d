import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ConsoleModel
import Foundation
import GRDB
import Testing

@testable import ConsoleStore

/// The file of a version of the console, with a few rows in each table. They are of a visit to the shop with a failed
/// request, a crash, a metric and a replay.
enum ReleasedStore {
    /// All versions, today's included: a change of its tables needs the next version.
    static let versions = Array(1...Schema.version)

    /// Makes the file of a version by its SQL in `Tools/Console/Tests/Fixtures`.
    ///
    /// - Parameter changes: SQL that changes the rows.
    static func write(_ version: Int, to path: String, changes: String = "") async throws {
        let file = Repository.file("Tools/Console/Tests/Fixtures/store-\(version).sql")
        let sql = try String(contentsOf: file, encoding: .utf8) + changes
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Checks that a store has what the file of a version had.
    static func expectRecords(of version: Int, in store: SQLiteStore) async throws {
        let trace = try #require(try await store.trace(TraceID(high: 0xA5, low: 2)))
        #expect(trace.spans.map(\.span.name) == ["POST /api/checkout", "POST /api/checkout"])
        #expect(trace.spans.map(\.depth) == [0, 1])
        #expect(trace.spans.map(\.span.flags) == (version < 5 ? [0, 0] : [0x101, 0x101]))
        #expect(trace.sessions == ["s-1"])
        let session = try #require(try await store.session("s-1"))
        #expect(session.spans == 2 && session.events == 2 && session.crashes == 1)
        #expect(session.errors == 1, "a request and its handling fail once")
        #expect(session.screens == ["Checkout"])
        #expect(session.triggers == (version < 11 ? [] : ["crash"]))
        #expect(session.hasReplay == (version >= 4))
        let logs = try await store.logs().page.elements.map(\.event)
        #expect(logs.map(\.name).sorted() == ["app.crash", "session.start"])
        #expect(try await store.metrics().elements.first?.series.first?.points.first?.value == 2.5)
        let device = try #require(try await store.device("i-1"))
        #expect(device.sessions == 1 && device.appVersions == ["1.4.2"])
        let replay = try await store.replay(ReplayQuery(session: "s-1"))
        #expect(replay?.recordings.map(\.id) == (version < 4 ? [] : ["r-1"]))
        try await expectCrash(of: version, in: store)
        #expect(try await store.sealedRanges(of: "spans").ranges.map(\.sequence) == (version < 8 ? [] : [6...7]))
    }

    /// Versions 1 and 2 knew no issues, so their crashes are read now.
    private static func expectCrash(of version: Int, in store: SQLiteStore) async throws {
        guard version >= 3 else {
            #expect(try await store.unindexedIssueEvents().map(\.session) == ["s-1"])
            return
        }
        let group = try #require(try await store.issues(IssueQuery(kind: .crash)).first)
        #expect(group.fingerprint == "f-1" && group.count == 1 && group.services == ["astronomy-shop"])
        #expect(try await store.wantedBuilds() == ["0a1b2c3d"])
        #expect(try await store.unindexedIssueEvents().isEmpty)
    }
}
