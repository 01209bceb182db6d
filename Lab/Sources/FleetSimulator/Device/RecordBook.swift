import AstrolabePlatform
import AstrolabeTelemetryModel

/// What a device has made, known from outside the code under test, and what the collector has got of it.
///
/// The judge of the simulation: it is told of each record when it is made and each time it arrives, and decides by
/// itself what is a duplicate, what is out of order and what is lost.
struct RecordBook: Sendable {
    struct Entry: Sendable {
        /// Nanoseconds since 1970.
        let time: UInt64
        let kind: RecordKind
        let priority: Priority
        /// The device was told that it had arrived.
        var isAcknowledged = false
        /// Why the device was not told of an arrival; `nil` before the first.
        var silence: UnacknowledgedReason?
    }

    /// Why a device does not learn that its records have arrived. At-least-once delivery sends them again.
    enum UnacknowledgedReason: String, Sendable, CaseIterable {
        /// Its process was killed while the request was on its way.
        case kill
        /// The answer did not come through.
        case lostAnswer
    }

    /// What an arrival is.
    enum Arrival: Sendable {
        /// The first of its record.
        case first(Entry)
        /// One more, because of a silence.
        case again(UnacknowledgedReason)
        /// One more that nothing explains, or a record that was never made.
        case wrong(String)
    }

    /// By number, from 1.
    private(set) var entries: [Entry] = []
    /// Records that went to the journal.
    private(set) var kept = 0
    /// Records that the mode of their moment did not collect.
    private(set) var notAdmitted = 0
    /// Spans of traces that were not chosen; they have no number.
    private(set) var sampledOut = 0
    /// Records that the device was told had arrived.
    private(set) var acknowledged = 0
    /// Records that have arrived, once or more.
    private(set) var arrived = 0
    /// The highest number that has arrived, by kind and priority.
    private var latest: [UInt16: UInt64] = [:]
    private(set) var orderViolations = 0

    var made: Int { entries.count + sampledOut }

    /// Gives a record its number.
    mutating func number(_ kind: RecordKind, _ priority: Priority, at time: UInt64) -> UInt64 {
        entries.append(Entry(time: time, kind: kind, priority: priority))
        return UInt64(entries.count)
    }

    mutating func keep(isAdmitted: Bool) {
        if isAdmitted { kept += 1 } else { notAdmitted += 1 }
    }

    mutating func sampleOut(_ count: Int) { sampledOut += count }

    /// - Parameter silence: Why the device will not be told; `nil` where it will.
    mutating func arrive(_ record: ReceivedRecord, silence: UnacknowledgedReason?) -> Arrival {
        guard record.number > 0, record.number <= entries.count else {
            return .wrong("a record arrived with the number \(record.number), which was never given")
        }
        let index = Int(record.number) - 1
        let entry = entries[index]
        guard entry.kind == record.kind, entry.time == record.time else {
            return .wrong("record \(record.number) is not what was made: its kind or its time differs")
        }
        let isFirst = !entry.isAcknowledged && entry.silence == nil
        if silence == nil, !entry.isAcknowledged {
            entries[index].isAcknowledged = true
            acknowledged += 1
        } else if silence != nil {
            entries[index].silence = silence
        }
        guard isFirst else {
            if entry.isAcknowledged { return .wrong("record \(record.number) came again after it was acknowledged") }
            return .again(entry.silence ?? .kill)
        }
        arrived += 1
        let key = UInt16(entry.kind.rawValue) << 8 | UInt16(entry.priority.rawValue)
        if record.number < latest[key] ?? 0 { orderViolations += 1 }
        latest[key] = max(latest[key] ?? 0, record.number)
        return .first(entry)
    }
}
