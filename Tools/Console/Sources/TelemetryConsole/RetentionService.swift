import ConsoleModel
import Foundation
import Logging
import ServiceLifecycle

/// Applies retention periodically while the console runs, and returns freed memory to the system.
struct RetentionService: Service {
    let store: any TelemetryStore
    let interval: Duration
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var log = RetentionLog(logger: logger)
            var release = MemoryRelease(at: .now)
            while !Task.isCancelled {
                do {
                    let report = try await store.applyRetention()
                    log.take(report)
                    let removed = report.expiredRecords + report.evictedRecords
                    let last = try await store.arrivals?.lastSequence() ?? 0
                    if release.isDue(removed: removed, sequence: last, at: .now) {
                        ProcessMemory.release()
                    }
                } catch  where Task.isCancelled {
                    return
                } catch {
                    logger.error("retention failed: \(error)")
                }
                try? await Task.sleep(for: interval)
            }
        }
    }
}

/// The lines of the log on retention.
///
/// A pass that removes 1,000 records or more, or a hundredth of what was stored, is a notice, a smaller one is
/// information. The log receives a doubt on the clock when the doubt begins, changes by more than a minute, and ends.
struct RetentionLog {
    let logger: Logger
    private var doubt: Duration?

    init(logger: Logger) { self.logger = logger }

    mutating func take(_ report: RetentionReport) {
        removed(report)
        doubted(report.clockDoubt)
    }

    private func removed(_ report: RetentionReport) {
        let count = report.expiredRecords + report.evictedRecords
        guard count > 0 else { return }
        var metadata: Logger.Metadata = [
            "expired": "\(report.expiredRecords)", "evicted": "\(report.evictedRecords)",
            "storedBefore": "\(report.storedBefore)",
        ]
        if let minutes = report.minutes {
            metadata["arrivedFrom"] = "\(Self.time(minutes.lowerBound))"
            metadata["arrivedUntil"] = "\(Self.time(minutes.upperBound))"
        }
        let isLarge = count >= 1_000 || count >= report.storedBefore / 100
        logger.log(level: isLarge ? .notice : .info, "retention removed records", metadata: metadata)
    }

    private mutating func doubted(_ now: Duration?) {
        defer { doubt = now }
        switch (doubt, now) {
        case (nil, nil): return
        case (_?, nil): logger.notice("the clocks agree again, and retention removes records by age")
        case (let before, let now?):
            if let before, abs((before - now).components.seconds) <= 60 { return }
            let seconds = now.components.seconds
            let reason =
                seconds < 0
                ? "the clock is \(-seconds) s behind the time that is expected"
                : "the console was off for \(seconds) s, or its clock is ahead"
            logger.log(
                level: seconds < 0 || before != nil ? .warning : .notice,
                "nothing is removed by age until the clock has gone steadily and devices agree with it: \(reason)")
        }
    }

    private static func time(_ minute: Int64) -> String {
        Date(timeIntervalSince1970: Double(minute) * 60).formatted(.iso8601)
    }
}
