import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Dispatch
import Foundation
import ShopHistory
import Testing

@testable import TelemetryConsole

/// The examples of the guides, asked of the demo's history.
@Suite(.timeLimit(.minutes(15)))
struct GuideQueryTests {
    private static let end: UInt64 = 1_795_700_000_000_000_000

    /// The queries in the guides with their pages, one a line.
    private static func examples() throws -> [(page: String, query: String)] {
        let folder = Repository.file("Docs/Guide")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
            .sorted { $0.path < $1.path }
            .flatMap { page in
                try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```query\n").dropFirst()
                    .flatMap { $0.components(separatedBy: "\n```")[0].split(separator: "\n") }
                    .map { (page.lastPathComponent, String($0)) }
            }
    }

    /// A query over the last hours as one over a day: a history of two days has few records in its last minutes.
    private static func overADay(_ query: String) -> String {
        query.replacing(/\blast \d+[mh]\b/, with: "last 24h").replacing(/\bevery \d+s\b/, with: "")
    }

    @Test
    func `each query of a guide answers something`() async throws {
        let examples = try Self.examples()
        try #require(examples.count > 20)
        // The history's end, and the time since: what has arrived did so before each query.
        let began = DispatchTime.now().uptimeNanoseconds
        try await ConsoleUnderTest.run {
            $0.store.now = { Self.end + DispatchTime.now().uptimeNanoseconds - began }
        } _: { console in
            var settings = HistorySettings(end: Self.end)
            settings.sessions = 600
            try await console.send(FleetHistory(settings))
            for (page, query) in examples {
                let asked = Self.overADay(query)
                let text = asked.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let rows = try await console.get("/api/v1/query?q=" + text)["rows"].elements
                #expect(!rows.isEmpty, "\(page): \(asked)")
            }
        }
    }
}
