import ConsoleModel
import ConsoleStore
import InMemoryLogging
import Logging
import Testing

@testable import TelemetryConsole

@Suite struct `Lines about retention` {
    private static let passes: [(removed: Int, stored: Int, level: Logger.Level)] = [
        (1, 3, .notice), (9, 1_000, .info), (10, 1_000, .notice), (999, 10_000_000, .info),
        (1_000, 10_000_000, .notice),
    ]

    @Test func `say how many of how many were removed and when they had arrived, loudly from a hundredth on`() throws {
        for pass in Self.passes {
            let log = InMemoryLogHandler()
            var logger = Logger(label: "test") { _ in log }
            logger.logLevel = .trace
            var lines = RetentionLog(logger: logger)
            var report = RetentionReport()
            report.expiredRecords = pass.removed
            report.storedBefore = pass.stored
            report.minutes = 30_000_000...30_000_001
            lines.take(report)
            let entry = try #require(log.entries.first)
            #expect(log.entries.count == 1)
            #expect(entry.level == pass.level, "\(pass)")
            #expect(entry.metadata["expired"] == "\(pass.removed)")
            #expect(entry.metadata["storedBefore"] == "\(pass.stored)")
            #expect(entry.metadata["arrivedFrom"] == "2027-01-15T08:00:00Z")
            #expect(entry.metadata["arrivedUntil"] == "2027-01-15T08:01:00Z")
        }
    }
}
