import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation

/// Moves the records of a session, or on a server of a trace, from the flight recorder's ring to the queue when
/// something has asked for them.
///
///     span of a sampled-out trace --> ring --+-- overwritten, or its run ended          --> not sent
///                                            +-- in the window of a request             --> queue, once
///     request: an event in the ring, by `RecordingCore.keepRecording` ------------------/
///
/// A request is a record of the ring itself, so a kill does not lose it: the next run performs it. It stays there until
/// its window has passed, and follows its records into the queue then.
package final class FlightRecorder {
    /// The limits of what is sent.
    package struct Settings: Sendable {
        /// Nanoseconds before a trigger whose records are promoted. Default 15 minutes.
        package var before: UInt64 = 900_000_000_000
        /// Nanoseconds after a trigger whose records are promoted too. Default one minute.
        package var after: UInt64 = 60_000_000_000
        /// Bytes of records that may be promoted in a day of UTC. Default 2 MiB.
        package var dailyBytes = 2_097_152
        /// Bytes that the ring may write in an hour. Default 64 MiB.
        package var hourlyBytes = 67_108_864
        /// True if a request is about the trace of its event, and not about its session. Default false.
        package var promotesTraces = false

        package init() {}
    }

    /// Stores a batch in the queue; returns whether it could.
    typealias Store = (QueueBatch, QueueChange) -> Bool

    let ring: RecordJournal
    private let settings: Settings
    /// Bytes of records that may be promoted in a day of UTC.
    var dailyBytes: Int
    private let durableLedger: DurableLedger
    /// The counts of the requests whose window is open; `nil` before they were read.
    private var known: RecorderProgress?
    /// Records that had no room, by requests.
    private var refused: [String: Int] = [:]
    /// The last hour since 1970 that was seen, and the bytes that the ring had written when it began.
    private var hour: (number: UInt64, bytes: Int) = (0, 0)
    /// False if the ring has written its bytes of this hour.
    private(set) var isWithinHour = true

    /// Bytes of records in one transaction.
    private static let batchBytes = 1 << 20

    init(_ ring: RecordJournal, settings: Settings, durableLedger: DurableLedger) {
        self.ring = ring
        self.settings = settings
        dailyBytes = settings.dailyBytes
        self.durableLedger = durableLedger
    }

    /// True if this run or a previous one has a record in the ring.
    var isUsed: Bool { !ring.isUnused || ring.hasEarlierRuns }

    /// Bounds what previous runs left: their newest records stay, as many as one ring holds.
    func wait() {
        ring.evictExcess()
        ring.maintain()
    }

    /// Performs all requests, and returns the disk space of previous runs.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds since 1970.
    ///   - isReported: False if the ends of previous runs may still lead to requests for their records.
    ///   - continuesSession: True if the session of the last run goes on. The previous runs then stay for its requests,
    ///     as far as `wait` keeps them.
    func promote(at now: UInt64, isReported: Bool, continuesSession: Bool, store: Store) {
        followHour(at: now)
        let requests = requests
        known?.keep(requests.map(\.id))
        refused = refused.filter { refusal in requests.contains { $0.id == refusal.key } }
        let found = traces(of: requests)
        for request in requests {
            guard perform(request, traces: found, at: now, isReported: isReported, store) else { return wait() }
        }
        guard isReported else { return ring.maintain() }
        // Of more runs than are read at once, the newer ones follow.
        if !continuesSession || ring.hasMoreRuns { ring.abandonEarlierRuns(as: .notSent) }
        wait()
    }

    /// The requests in the ring, oldest first.
    private var requests: [RecorderRequest] {
        var found: [RecorderRequest] = []
        ring.forEach(priority: Priority.critical.rawValue, kind: RecordKind.event.rawValue) { run, record in
            found.append(RecorderRequest(record, of: run, isOfTrace: settings.promotesTraces))
        }
        return found.ordered { $0.time < $1.time }
    }

    /// The traces of requests that the ring has records of. One pass finds them, because a server has many requests.
    private func traces(of requests: [RecorderRequest]) -> Set<TraceID> {
        let wanted = Set(requests.compactMap(\.trace))
        guard !wanted.isEmpty else { return [] }
        var found: Set<TraceID> = []
        for run in ring.runs {
            for kind in [RecordKind.span, .event] {
                _ = ring.lease(of: run.id, kind: kind.rawValue) { record in
                    if record.priority != Priority.critical.rawValue, let id = TraceID(of: record.bytes, kind),
                        wanted.contains(id)
                    {
                        found.insert(id)
                    }
                    return false
                }
            }
        }
        return found
    }

    /// Returns false if the queue does not take records now.
    ///
    /// - Parameter traces: Those that the ring has records of.
    private func perform(
        _ request: RecorderRequest, traces: Set<TraceID>, at now: UInt64, isReported: Bool, _ store: Store,
    ) -> Bool {
        guard !request.isOfFlow || hasAbandonedFlow(request) else { return finish(request, at: now, store) }
        refused[request.id] = nil
        let (end, isBeyond) = request.time.addingReportingOverflow(settings.after)
        // A session may have ended long after its last record.
        let before = request.isOfFlow ? request.time : min(settings.before, request.time)
        let window = (request.time - before)...(isBeyond ? .max : end)
        let hasNone = if let trace = request.trace { !traces.contains(trace) } else { false }
        for run in hasNone ? [] : ring.runs {
            for kind in [RecordKind.span, .event] {
                guard promote(kind, of: run, for: request, in: window, at: now, store) else { return false }
            }
        }
        // Nothing follows in a run that has ended. The report of a crash may still add the spans that were open.
        guard isReported && now > window.upperBound || request.run.id != ring.run.id else { return true }
        return finish(request, at: now, store)
    }

    /// Returns true if the ring has records of the session on the first screen of a flow, and none on the last, or if
    /// that was so before.
    private func hasAbandonedFlow(_ request: RecorderRequest) -> Bool {
        if progress[request.id] > 0 { return true }
        var (from, to) = (false, false)
        for run in ring.runs {
            for kind in [RecordKind.span, .event] {
                _ = ring.lease(of: run.id, kind: kind.rawValue) { record in
                    guard record.priority != Priority.critical.rawValue, request.concerns(record.bytes, kind) else {
                        return false
                    }
                    let screens = request.screens(of: record.bytes)
                    (from, to) = (from || screens.from, to || screens.to)
                    return false
                }
            }
        }
        return from && !to
    }

    private func promote(
        _ kind: RecordKind, of run: JournalRun, for request: RecorderRequest, in window: ClosedRange<UInt64>,
        at now: UInt64, _ store: Store,
    ) -> Bool {
        let isWanted = { (record: JournalLease.Record) in
            record.priority != Priority.critical.rawValue && window.contains(record.time)
                && request.concerns(record.bytes, kind)
        }
        while true {
            var day = today(at: now)
            let room = dailyBytes - day.bytes
            guard room > 0 else {
                _ = ring.lease(of: run.id, kind: kind.rawValue) { record in
                    if isWanted(record) { refused[request.id, default: 0] += 1 }
                    return false
                }
                return true
            }
            let lease = ring.lease(
                of: run.id, kind: kind.rawValue, maximumBytes: min(room, Self.batchBytes), where: isWanted)
            guard let lease else { return true }
            var progress = progress
            progress[request.id] += lease.records.count
            day.bytes += lease.byteCount
            day.promoted[request.trigger, default: 0] += lease.records.count
            guard move(lease, adding: request.marks(for: kind), progress, day, store) else { return false }
        }
    }

    /// Moves a request whose window has passed; drops one that found nothing, unless the app made it.
    private func finish(_ request: RecorderRequest, at now: UInt64, _ store: Store) -> Bool {
        let (records, refused) = (progress[request.id], refused[request.id] ?? 0)
        let lease = ring.lease(of: request.run.id, kind: RecordKind.event.rawValue) { record in
            record.sequence == request.sequence
        }
        guard let lease else { return true }
        guard records + refused > 0 || request.isAsked else {
            ring.acknowledge(lease, as: .notSent)
            return true
        }
        var result: Attributes = [AttributeKey.astrolabeRecorderRecords: records]
        if refused > 0 { result[AttributeKey.astrolabeRecorderRefused] = .int(Int64(refused)) }
        if refused > 0 || !isWithinHour {
            result[AttributeKey.astrolabeRecorderRefusal] = .string(refused > 0 ? "daily_bytes" : "hourly_bytes")
        }
        var suffix: [UInt8] = []
        suffix.appendWire(result.wireSize) { result.write(as: LogRecordField.attributes, to: &$0) }
        var rest = progress
        rest[request.id] = 0
        var day = today(at: now)
        day.refused += refused
        guard move(lease, adding: suffix, rest, day, store) else { return false }
        self.refused[request.id] = nil
        return true
    }

    /// Moves records to the queue, each with more fields at its end, which protobuf reads as part of it.
    ///
    /// - Parameters:
    ///   - progress: The counts after that.
    ///   - day: The day's account after that.
    private func move(
        _ lease: JournalLease, adding suffix: [UInt8], _ progress: RecorderProgress, _ day: RecorderDay,
        _ store: Store,
    ) -> Bool {
        var batch = QueueBatch()
        batch.append(lease, priority: .normal, adding: suffix)
        let sequences = lease.records.map(\.sequence)
        let marks = [
            DurableLedger.transferMark(lease.run.id): sequences.littleEndianBytes,
            DurableLedger.recorderProgress: progress.bytes, DurableLedger.recorderDay: day.stored,
        ]
        guard store(batch, QueueChange(marks: marks)) else {
            ring.release(lease)
            return false
        }
        ring.acknowledge(lease, as: .queued)
        known = progress
        return true
    }

    /// The counts of the requests whose window is open, also of runs before this one.
    private var progress: RecorderProgress {
        if let known { return known }
        guard let queue = durableLedger.queue else { return RecorderProgress([]) }
        let read = RecorderProgress((try? queue.mark(DurableLedger.recorderProgress)) ?? [])
        known = read
        return read
    }
}

/// The number of records that were promoted for each request whose window is open.
///
/// Stored with the records, in the queue: a line for each request with its id and the number.
struct RecorderProgress {
    private var counts: [String: Int] = [:]

    init(_ bytes: [UInt8]) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 2, let count = Int(parts[1]) { counts[String(parts[0])] = count }
        }
    }

    /// The number of a request; setting it to 0 forgets the request.
    subscript(id: String) -> Int {
        get { counts[id] ?? 0 }
        set { counts[id] = newValue == 0 ? nil : newValue }
    }

    /// Forgets requests that the ring does not have any more.
    mutating func keep(_ ids: [String]) {
        let ids = Set(ids)
        counts = counts.filter { ids.contains($0.key) }
    }

    var bytes: [UInt8] { Array(counts.map { "\($0.key) \($0.value)" }.joined(separator: "\n").utf8) }
}

/// The bytes written in this hour, and the records promoted today.
extension FlightRecorder {
    private func followHour(at now: UInt64) {
        let (number, bytes) = (now / (RecorderDay.length / 24), ring.bytesBegun)
        if hour.number == 0 { hour = (number, 0) }
        if hour.number != number { hour = (number, bytes) }
        isWithinHour = bytes - hour.bytes <= settings.hourlyBytes
    }

    private func today(at now: UInt64) -> RecorderDay {
        RecorderDay(at: now, stored: (try? durableLedger.queue?.mark(DurableLedger.recorderDay)) ?? [])
    }

    /// The state of the ring and of the budgets.
    func report(at now: UInt64) -> RecorderReport {
        let (statistics, day) = (ring.statistics(), today(at: now))
        var report = RecorderReport()
        report.records = statistics.pendingRecords
        report.bytes = statistics.pendingBytes
        report.capacity = ring.capacity
        report.oldest = statistics.oldestTime.map { Date(timeIntervalSince1970: Double($0) / 1e9) }
        report.isWithinHour = isWithinHour
        report.promoted = day.promoted
        report.promotedBytes = day.bytes
        report.dailyBytes = dailyBytes
        // Of those whose minute has not passed, the day does not know yet.
        report.refused = refused.values.reduce(day.refused, +)
        return report
    }
}
