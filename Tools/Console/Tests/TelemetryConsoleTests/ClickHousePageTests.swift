import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ClickHouseFixture
import ConsoleModel
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import TelemetryConsole

/// The pages' requests to a console on ClickHouse.
@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(10)))
struct ClickHousePageTests {
    @Test func `every request of the pages is answered`() async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleInProcess.run(on: .clickHouse) { console in
            let replay = try ReplayVisit.crash()
            let visit = replay.visit
            try await console.send(visit.phoneTraceBody, to: .traces)
            try await console.send(visit.backendTraceBody, to: .traces)
            try await console.send(visit.phoneLogBody, to: .logs)
            try await console.send(replay.body, to: .logs)
            try await console.send(LedgerAccount.body(visit.ledgerHistory(), of: visit.phone), to: .metrics)
            let trouble = Trouble(program: program)
            try await console.store.ingest(logs: trouble.group([try trouble.crash(), try trouble.hang()]))
            let paths = try await APICrawler(console: console, limit: Thoroughness.count(2, thorough: 20))
                .readEverything()
            for prefix in [
                "sessions/", "traces/", "devices/", "metrics/", "health/groups/", "health/problems/", "health/screens",
                "health/releases", "journeys/funnel", "journeys/flow", "map", "logs/patterns", "query/differences",
            ] {
                #expect(paths.contains { $0.hasPrefix(prefix) }, "nothing was read from \(prefix)")
            }
            #expect(paths.contains { $0.contains("/replay/") })
        }
    }

    /// Every type and magnitude in every place.
    ///
    /// ClickHouse removes records of impossible times while pages are read, so what a list names may be gone.
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `whatever is ingested, every page can be read`() async throws {
        try await ConsoleInProcess.run(on: .clickHouse) { console in
            var hostile = HostileTelemetry(seed: 20_261_125)
            for _ in 0..<10 {
                let (signal, body) = hostile.request(records: 20)
                try await console.send(body, to: signal)
            }
            let crawler = APICrawler(limit: 5) { path in
                do {
                    return try await console.get(path)
                } catch let error as UnexpectedStatus where error.response.status == .notFound {
                    return try JSONResponse(Array("{}".utf8))
                }
            }
            let paths = try await crawler.readEverything()
            for prefix in ["sessions/", "traces/", "devices/", "metrics/", "health/problems/"] {
                #expect(paths.contains { $0.hasPrefix(prefix) }, "nothing was stored for \(prefix)")
            }
        }
    }
}
