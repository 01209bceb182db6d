package import AstrolabeJournal
import AstrolabePlatform
package import AstrolabePolicy
package import AstrolabeTelemetryModel
import AstrolabeWire
import Atomics
import Dispatch

/// A sink that writes finished records to the journal, where they survive a kill of the process.
///
/// Drops and counts records that the current mode does not collect. The journal counts the records it refuses, by
/// reason, in the run's file. A record in the middle of the short first segment, or at the start of any other, requests
/// upkeep of the journal. A burst then finds the next segments ready. Upkeep runs on a dispatch queue of its own by
/// default, whose priority is that of the main thread, for which it makes room too.
package final class JournalSink: RecordSink {
    package let journal: RecordJournal
    private let onCritical = Locked<@Sendable () -> Void>({})
    private let onFilling = Locked<@Sendable () -> Void>({})
    /// A bit for each `TelemetryKind` that is collected.
    private let admitted = UnsafeAtomic<UInt8>.create(.max)
    private let notAdmitted = UnsafeAtomic<Int>.create(0)
    /// True if records of the app that the mode does not collect are kept at low priority.
    private let keepsRecordsOfApp = UnsafeAtomic<Bool>.create(true)
    private let onNotAdmitted = Locked<@Sendable (TelemetryKind) -> Void>({ _ in })
    /// The number of the scope passed to `alwaysAdmit`; -1 if there is none.
    private let exemptScope = UnsafeAtomic<Int>.create(-1)
    private let upkeep: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Upkeep was requested and has not begun. While the journal refuses records, each record requests it.
    private let isUpkeepDue = UnsafeAtomic<Bool>.create(false)

    package convenience init(_ journal: RecordJournal) {
        let queue = DispatchQueue(label: "astrolabe.journal", qos: .userInteractive)
        self.init(journal) { work in queue.async(execute: work) }
    }

    /// - Parameter upkeep: Runs the work that makes room in the journal. Called while a record is appended, so it must
    ///   return immediately.
    package init(
        _ journal: RecordJournal, upkeep: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void,
    ) {
        self.journal = journal
        self.upkeep = upkeep
    }

    deinit {
        admitted.destroy()
        notAdmitted.destroy()
        keepsRecordsOfApp.destroy()
        exemptScope.destroy()
        isUpkeepDue.destroy()
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

    /// Returns true if the current mode collects records of this kind.
    package func collects(_ kind: TelemetryKind) -> Bool {
        admitted.load(ordering: .relaxed) & Self.bit(kind) != 0
    }

    /// The number of records dropped because the mode did not collect them.
    package var notAdmittedCount: Int { notAdmitted.load(ordering: .relaxed) }

    package func register(_ scope: InstrumentationScope) -> ScopeNumber {
        // If there is no room for another definition, keep the record without its scope rather than lose it.
        ScopeNumber(rawValue: journal.register(EncodedScope(scope).fields) ?? 0)
    }

    package func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        let kind = Self.kind(of: header)
        var priority = header.priority
        if !collects(kind), Int(header.scope.rawValue) != exemptScope.load(ordering: .relaxed) {
            guard header.isOfApp, keepsRecordsOfApp.load(ordering: .relaxed) else { return refuse(kind) }
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
                if journal.isFilling { onFilling.withLock { $0 }() }
                isUpkeepDue.store(false, ordering: .sequentiallyConsistent)
                // A record that came between these two lines has requested nothing.
            } while journal.needsRoom && !isUpkeepDue.exchange(true, ordering: .acquiringAndReleasing)
        }
    }
}
