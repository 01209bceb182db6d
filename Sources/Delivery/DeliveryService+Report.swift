import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeTelemetryModel
import Foundation

/// The account of the records so far.
extension DeliveryService {
    /// The ledger of all records so far, and why some are pending.
    package var currentReport: DeliveryReport {
        applyPlan()
        var report = sent
        guard !isShutDown else {
            report.blockers = report.ledger.pending > 0 ? [.shutDown] : []
            return report
        }
        account(in: &report)
        report.recorder = recorderReport
        if report.ledger.pending > 0 {
            let blocker = settings.endpoint == nil ? .noEndpoint : schedule.blocker(at: time.now())
            report.blockers = [blocker ?? .notFlushedYet]
        }
        return report
    }

    var ledger: RecordLedger {
        var report = DeliveryReport()
        account(in: &report)
        return report.ledger
    }

    var recorderReport: RecorderReport? { pendingRecords.recorder?.report(at: time.wall()) }

    func account(in report: inout DeliveryReport) {
        let (queue, isCurrent) = durableLedger.statistics
        let journal = pendingRecords.journal.statistics()
        report.ledger = RecordLedger(
            journal: journal, ring: ring?.statistics(), queue: queue, isCurrent: isCurrent,
            unpersisted: unpersistedCounts)
        report.segmentsPreparedWhileRecording = journal.preparedByProducers
        report.queued = queue.byPriority.reduce(into: [:]) { queued, group in
            if let priority = Priority(rawValue: group.key) { queued[priority] = group.value }
        }
        report.queuedByKind = queue.byKind.reduce(into: [:]) { counts, group in
            if let kind = RecordKind(rawValue: group.key) { counts["\(kind)"] = group.value }
        }
        report.oldestQueued = queue.oldest.map { Date(timeIntervalSince1970: Double($0) / 1e9) }
    }

    /// Moves what the flight recorder was asked for to the queue, from where the next flush sends it.
    package func promote() {
        guard !isShutDown, mayBegin else { return }
        processor.measure {
            pendingRecords.promote(
                at: time.wall(), isReported: hooks.hasReportedRuns(), continuesSession: hooks.continuesSession())
        }
        if let recorder = pendingRecords.recorder { hooks.onRecorderBudget(recorder.isWithinHour) }
    }
}
