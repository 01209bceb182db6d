import AstrolabeTestSupport
import ConsoleModel
import FleetSimulator
import Testing

@testable import AstrolabeCommands

/// The completeness that a console shows for a fleet's hours, against the truth.
@Suite(.timeLimit(.minutes(30))) struct `The completeness of a fleet's hours` {
    private static func results(_ devices: Int, hours: Int, historyDays: Int) async throws -> CompletenessResults {
        var settings = FleetSettings()
        settings.devices = devices
        settings.hours = hours
        return try await CompletenessProof(settings, historyDays: historyDays).run()
    }

    @Test func `is compared with the truth an hour, a day and two days later`() async throws {
        let results = try await Self.results(12, hours: 8, historyDays: 1)
        #expect(results.looks.count > 12 && results.looks.count <= 3 * 8)
        #expect(results.looks.allSatisfy { (0...1).contains($0.truth) && (0...1).contains($0.shown.share) })
        for hour in 0..<8 {
            let course = results.looks.filter { $0.hour == hour }.sorted { $0.age < $1.age }.map(\.truth)
            #expect(course == course.sorted(), "more and more arrives of hour \(hour): \(course)")
        }
        let late = results.looks.filter { $0.age == 48 }
        #expect(late.contains { $0.truth > 0.9 })
        #expect(results.table.contains("48 h later") && results.table.contains("12 phones, 8 h"))
    }

    /// Three days of 5,000 phones, after a week to learn from.
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `is within two points of the truth for 95 % of the hours`() async throws {
        let results = try await Self.results(5_000, hours: 72, historyDays: 7)
        #expect(results.looks.count == 3 * 72)
        #expect(results.shareWithinTolerance >= CompletenessResults.wantedShare, "\(results.table)")
    }
}
