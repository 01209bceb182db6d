import AstrolabePlatform
import AstrolabeTelemetryModel

/// The reference record of what a device made and what the collector received, independent of the code under test.
///
/// It is informed of each record when it is made and each time it arrives. From that it determines duplicates, order
/// violations and losses.
struct RecordBook: Sendable {
    struct Entry: Sendable {
        /// Nanoseconds since 1970.
        let time: UInt64
        let kind: RecordKind
        let priority: Priority
        /// True if the device received an acknowledgement.
        var isAcknowledged = false
        /// Why the device received no acknowledgement; `nil` before the first arrival.
        var unacknowledged: UnacknowledgedReason?
    }

    /// Why a device receives no acknowledgement of records that arrived. At-least-once delivery sends them again.
    enum UnacknowledgedReason: String, Sendable, CaseIterable {
        /// The process was killed during the request.
        case kill
        /// The response was lost.
        case lostResponse
    }

    /// The classification of an arrival.
    enum Arrival: Sendable {
        /// The first arrival of the record.
        case first(Entry)
        /// A duplicate after a missing acknowledgement.
        case again(UnacknowledgedReason)
        /// An unexplained duplicate, or a record that was never made.
        case wrong(String)
    }

    /// The entries by number, starting at 1.
    private(set) var entries: [Entry] = []
    /// The records written to the journal.
    private(set) var kept = 0
    /// The records that the mode did not collect.
    private(set) var notAdmitted = 0
    /// The spans of unsampled traces, which have no number.
    private(set) var sampledOut = 0
    /// The records that were acknowledged to the device.
    private(set) var acknowledged = 0
    /// The records that arrived at least once.
    private(set) var arrived = 0
    /// The highest number that has arrived, by kind and priority.
    private var latest: [UInt16: UInt64] = [:]
    private(set) var orderViolations = 0

    var made: Int { entries.count + sampledOut }

    /// Returns the number of a new record.
    mutating func number(_ kind: RecordKind, _ priority: Priority, at time: UInt64) -> UInt64 {
        entries.append(Entry(time: time, kind: kind, priority: priority))
        return UInt64(entries.count)
    }

    mutating func keep(isAdmitted: Bool) {
        if isAdmitted { kept += 1 } else { notAdmitted += 1 }
    }

    mutating func sampleOut(_ count: Int) { sampledOut += count }

    /// - Parameter unacknowledged: Why the device receives no acknowledgement; `nil` if it does.
    mutating func arrive(_ record: ReceivedRecord, unacknowledged: UnacknowledgedReason?) -> Arrival {
        guard record.number > 0, record.number <= entries.count else {
            return .wrong("a record arrived with the unknown number \(record.number)")
        }
        let index = Int(record.number) - 1
        let entry = entries[index]
        guard entry.kind == record.kind, entry.time == record.time else {
            return .wrong("record \(record.number) arrived with a different kind or time")
        }
        let isFirst = !entry.isAcknowledged && entry.unacknowledged == nil
        if unacknowledged == nil, !entry.isAcknowledged {
            entries[index].isAcknowledged = true
            acknowledged += 1
        } else if unacknowledged != nil {
            entries[index].unacknowledged = unacknowledged
        }
        guard isFirst else {
            if entry.isAcknowledged { return .wrong("record \(record.number) arrived again after its acknowledgement") }
            return .again(entry.unacknowledged ?? .kill)
        }
        arrived += 1
        let key = UInt16(entry.kind.rawValue) << 8 | UInt16(entry.priority.rawValue)
        if record.number < latest[key] ?? 0 { orderViolations += 1 }
        latest[key] = max(latest[key] ?? 0, record.number)
        return .first(entry)
    }
}
