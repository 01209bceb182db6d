import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import Foundation

/// The lines that the app gets about storage and delivery.
extension DeliveryService {
    /// Reports once that records are less durable than they should be.
    func reportStorageFailures() {
        if case .memory(let reason) = pendingRecords.journal.storage, reportedFailures.insert("journal").inserted {
            note(
                "Records are kept in memory only, and are lost if the process is killed: \(reason). Expected a "
                    + "writable storage directory with free space.")
        }
        let incidents = durableLedger.incidents
        if incidents.replacedFiles > 0, reportedFailures.insert("replaced queue").inserted {
            note(
                "Another file has taken the place of the queue's. Its records are sent too, which may be twice. "
                    + "Expected that no one else writes in the storage directory.")
        }
        if incidents.damagedFiles > 0, reportedFailures.insert("damaged queue").inserted {
            note("The queue's file was damaged and moved aside. Records that cannot be read are counted as corrupt.")
        }
        if let failure = durableLedger.failure, reportedFailures.insert("queue").inserted {
            note("Records that cannot be sent are not moved to the queue: \(failure)")
        }
    }

    /// Reports records that were lost in this process, by reason: the first, and again when their number has doubled.
    ///
    /// - Parameter isLast: Whether all are reported that have not been.
    func reportLosses(isLast: Bool = false) {
        for (reason, count) in losses.ordered(by: { $0.key.rawValue < $1.key.rawValue }) {
            let reported = reportedLosses[reason] ?? 0
            guard count > reported, isLast || count >= 2 * reported else { continue }
            reportedLosses[reason] = count
            note(
                "Lost \(Self.count(count)) since the start as \"\(reason.rawValue)\": \(reason.lossDescription)"
                    + (reason == .expired ? timesOfExpired : ""))
        }
    }

    /// When the expired records were made, by the clock of then.
    private var timesOfExpired: String {
        guard let times = durableLedger.incidents.expiredTimes else { return "" }
        let (first, last) = (Self.date(times.lowerBound), Self.date(times.upperBound))
        return ". They were made from \(first) to \(last)"
    }

    private static func date(_ nanoseconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(nanoseconds) / 1e9).formatted(.iso8601)
    }

    /// Records that were lost in this process, and those of previous runs that it found to be lost.
    private var losses: [DropReason: Int] {
        let journal = journal.statistics()
        var losses = pendingRecords.losses
        losses[.corrupt, default: 0] += journal.recoveredTorn + journal.current.torn + durableLedger.incidents.lost
        for (refusal, count) in journal.current.refused { losses[DropReason(refusal), default: 0] += count }
        // Each of these is reported where it happens.
        for reason in [DropReason.oversized, .rejected, .retriesSpent, .shutDown] { losses[reason] = nil }
        return losses.filter { $0.value > 0 }
    }

    /// Notes a line for the app, which gets it with the next `report`.
    func note(_ line: String) { lines.append(line) }

    /// Hands the app the lines that were noted.
    func report() async {
        guard !lines.isEmpty else { return }
        let noted = lines
        lines = []
        let outcome = await diagnostics.run(call(within: Self.callbackLimit)) { [hooks] in
            for line in noted { hooks.onDiagnostic(line) }
        }
        if case .hangs = outcome, reportedFailures.insert("onDiagnostic").inserted {
            hooks.onSilence(
                "TelemetryConfiguration.onDiagnostic has not returned for \(Self.text(Self.callbackLimit)). Expected a "
                    + "function that returns soon. It gets no more lines of delivery until it does.")
        }
    }
}

extension DropReason {
    /// Why a record was lost, for a person.
    fileprivate var lossDescription: String {
        switch self {
        case .bufferFull: "they came faster than they could be sent or stored, or all storage is in use"
        case .diskFull: "the disk is full, and so is the memory for records"
        case .evicted: "the storage for records that wait is full, and others are more urgent or newer"
        case .expired: "they waited longer than records are kept, while the device was on"
        case .corrupt: "a file was damaged or removed, or the process was killed"
        case .sampledOut, .filtered, .notAdmitted, .retriesSpent, .rejected, .oversized, .shutDown: rawValue
        }
    }
}
