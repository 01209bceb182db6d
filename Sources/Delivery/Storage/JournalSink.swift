package import AstrolabeJournal
import AstrolabePlatform
package import AstrolabePolicy
package import AstrolabeTelemetryModel
import AstrolabeWire
import Atomics
import Dispatch

/// A sink that writes finished records to the journal, where they survive a kill of the process.
///
/// Records of sampled-out traces, and those that the mode does not collect, go to the flight recorder if there is one.
///
/// Drops and counts records that the current mode does not collect. The journal counts the records it refuses, by
/// reason, in the run's file. A record in the middle of the short first segment, or at the start of any other, requests
/// upkeep of the journal. A burst then finds the next segments ready. Upkeep runs on a dispatch queue of its own by
/// default, whose priority is that of the main thread, for which it makes room too.
package final class JournalSink: RecordSink {
    package let journal: RecordJournal
    /// The flight recorder's ring; `nil` if there is none.
    package let ring: RecordJournal?
    /// True while the mode permits the ring.
    private let isRecorderOn = UnsafeAtomic<Bool>.create(true)
    private let onRequest = Locked<@Sendable () -> Void>({})
    private let onCritical = Locked<@Sendable () -> Void>({})
    private let onFilling = Locked<@Sendable () -> Void>({})
    /// A bit for each `TelemetryKind` that is collected.
    private let admitted = UnsafeAtomic<UInt8>.create(.max)
    private let notAdmitted = UnsafeAtomic<Int>.create(0)
    /// True if records of the app that the mode does not collect are kept at low priority.
    private let keepsRecordsOfApp = UnsafeAtomic<Bool>.create(true)
    private let onNotAdmitted = Locked<@Sendable (TelemetryKind) -> Void>({ _ in })
    /// The instruments that are off.
    private let switches = InstrumentSwitches()
    /// The number of the scope passed to `alwaysAdmit`; -1 if there is none.
    private let exemptScope = UnsafeAtomic<Int>.create(-1)
    private let upkeep: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Upkeep was requested and has not begun. While the journal refuses records, each record requests it.
    private let isUpkeepDue = UnsafeAtomic<Bool>.create(false)

    package convenience init(_ journal: RecordJournal, ring: RecordJournal? = nil) {
        let queue = DispatchQueue(label: "astrolabe.journal", qos: .userInteractive)
        self.init(journal, ring: ring) { work in queue.async(execute: work) }
    }

    /// - Parameter upkeep: Runs the work that makes room in the journal. Called while a record is appended, so it must
    ///   return immediately.
    package init(
        _ journal: RecordJournal, ring: RecordJournal? = nil,
        upkeep: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void,
    ) {
        self.journal = journal
        self.ring = ring
        self.upkeep = upkeep
    }

    deinit {
        admitted.destroy()
        notAdmitted.destroy()
        keepsRecordsOfApp.destroy()
        exemptScope.destroy()
        isUpkeepDue.destroy()
        isRecorderOn.destroy()
    }

    /// Sets a callback that runs after each stored record of critical priority; `body` must return immediately.
    package func whenCritical(_ body: @escaping @Sendable () -> Void) {
        onCritical.withLock { $0 = body }
    }

    /// Sets a callback that runs during upkeep if at least half of the journal is in use.
    ///
    /// Its records must then be sent or moved to the queue before the journal is full. `body` must return immediately.
    package func whenFilling(_ body: @escaping @Sendable () -> Void) {
        onFilling.withLock { $0 = body }
    }

    /// Sets a callback that runs after each request to the flight recorder; `body` must return immediately.
    package func whenRequested(_ body: @escaping @Sendable () -> Void) {
        onRequest.withLock { $0 = body }
    }

    /// Turns the flight recorder off or on: what the mode does not collect is dropped while it is off.
    package func record(inRing isOn: Bool) { isRecorderOn.store(isOn, ordering: .relaxed) }

    /// Sets a callback that runs once, for the first record that the mode does not collect; `body` must return
    /// immediately.
    package func whenNotAdmitted(_ body: @escaping @Sendable (TelemetryKind) -> Void) {
        onNotAdmitted.withLock { $0 = body }
    }

    /// Collects the kinds of records that the mode admits from now on.
    ///
    /// Spans are always accepted: their trace was sampled when it began, so no trace loses some of its spans.
    package func admit(_ mode: TelemetryMode, _ rule: PolicyConfiguration.Admission = .standard) {
        let kinds = TelemetryKind.allCases.filter { $0 == .trace || $0.admission(in: mode, rule) != .never }
        keepsRecordsOfApp.store(rule == .standard, ordering: .relaxed)
        admitted.store(kinds.reduce(0) { $0 | Self.bit($1) }, ordering: .relaxed)
    }

    /// Keeps the records of one scope in every mode, because the policy limits their number at the source. The replay,
    /// for example, has its frame rate.
    package func alwaysAdmit(_ scope: InstrumentationScope) {
        exemptScope.store(Int(register(scope).rawValue), ordering: .relaxed)
    }

    /// Drops the records of these instruments from now on, and counts them as not admitted.
    ///
    /// - Parameter scopes: The names of the scopes of apps and libraries that are off too.
    package func turnOff(_ instruments: Set<Instrument>, scopes: Set<String>) {
        switches.turnOff(instruments, scopes: scopes)
    }

    /// Returns true if all records of this kind are off.
    package func isOff(_ kind: RecordKind) -> Bool { switches.isOff(kind) }

    /// Returns true if the current mode collects records of this kind.
    package func collects(_ kind: TelemetryKind) -> Bool {
        admitted.load(ordering: .relaxed) & Self.bit(kind) != 0
    }

    /// The number of records dropped because the mode did not collect them.
    package var notAdmittedCount: Int { notAdmitted.load(ordering: .relaxed) }

    package func register(_ scope: InstrumentationScope) -> ScopeNumber {
        // If there is no room for another definition, keep the record without its scope rather than lose it.
        let definition = EncodedScope(scope).fields
        let tag = journal.register(definition)
        // Both have the same definitions in the same order. A ring without room for one cannot name later ones.
        if let ring, ring.register(definition) != tag { ring.close() }
        if let tag { switches.register(scope.name, tag) }
        return ScopeNumber(rawValue: tag ?? 0)
    }

    package func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        if switches.turnsOff(header) { return refuse(Self.kind(of: header)) }
        if header.isSampledOut { return appendSampledOut(bytes, header: header) }
        let kind = Self.kind(of: header)
        var priority = header.priority
        if !collects(kind), Int(header.scope.rawValue) != exemptScope.load(ordering: .relaxed) {
            guard header.isOfApp, keepsRecordsOfApp.load(ordering: .relaxed) else {
                return appendUncollected(bytes, header: header, kind)
            }
            priority = .low
        }
        let result = journal.append(
            bytes, kind: header.kind.rawValue, priority: priority.rawValue, tag: header.scope.rawValue,
            time: header.timeUnixNano,
        )
        if journal.needsRoom { requestUpkeep() }
        guard case .appended = result else { return requestUpkeep() }
        if header.priority == .critical { onCritical.withLock { $0 }() }
    }

    /// Stores a record of a sampled-out trace in the ring. One of critical priority is a request to promote a session,
    /// for which the ring must have had a record.
    private func appendSampledOut(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        let isRequest = header.priority == .critical
        guard let ring, !isRequest || !ring.isUnused || ring.hasEarlierRuns else {
            // The app has asked for it, and gets its reason as an event.
            guard header.isOfApp else { return }
            var header = header
            (header.isSampledOut, header.priority) = (false, .normal)
            return append(bytes, header: header)
        }
        append(bytes, header: header, to: ring)
        if isRequest { onRequest.withLock { $0 }() }
    }

    /// Stores an event that the mode does not collect in the ring; drops it if there is none, and any other record.
    private func appendUncollected(_ bytes: UnsafeRawBufferPointer, header: RecordHeader, _ kind: TelemetryKind) {
        guard header.kind == .event, let ring, isRecorderOn.load(ordering: .relaxed) else { return refuse(kind) }
        append(bytes, header: header, to: ring)
    }

    @inline(__always)
    private func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader, to ring: RecordJournal) {
        ring.append(
            bytes, kind: header.kind.rawValue, priority: header.priority.rawValue, tag: header.scope.rawValue,
            time: header.timeUnixNano)
        if ring.needsRoom { requestUpkeep() }
    }

    /// Counts records that were dropped before they came to this sink, because memory had no room for them.
    package func refuse(_ count: Int) {
        journal.countRefused(count)
    }

    private func refuse(_ kind: TelemetryKind) {
        let before = notAdmitted.loadThenWrappingIncrement(ordering: .relaxed)
        if before == 0 { onNotAdmitted.withLock { $0 }(kind) }
    }

    @inline(__always)
    private static func kind(of header: RecordHeader) -> TelemetryKind {
        switch (header.priority, header.kind) {
        case (.critical, _): .crash
        case (.high, _): .error
        case (_, .span): .trace
        case (_, .metric): .metric
        case (.normal, .event): .info
        case (.low, .event): .debug
        }
    }

    @inline(__always)
    private static func bit(_ kind: TelemetryKind) -> UInt8 {
        switch kind {
        case .debug: 1
        case .info: 2
        case .metric: 4
        case .trace: 8
        case .error: 16
        case .crash: 32
        }
    }

    private func requestUpkeep() {
        guard !isUpkeepDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Holds the sink, to whose memory the flag belongs.
        upkeep { [self] in
            repeat {
                // Stays on its thread during a burst, so that the threads that record need not wake it.
                repeat { journal.makeRoom() } while journal.needsRoom
                if let ring, ring.needsRoom { ring.makeRoom() }
                if journal.isFilling { onFilling.withLock { $0 }() }
                isUpkeepDue.store(false, ordering: .sequentiallyConsistent)
                // A record that came between these two lines has requested nothing.
            } while (journal.needsRoom || ring?.needsRoom ?? false)
                && !isUpkeepDue.exchange(true, ordering: .acquiringAndReleasing)
        }
    }
}
