package import AstrolabeJournal
import AstrolabeOTLP
import AstrolabePlatform
package import AstrolabePolicy
package import AstrolabeTelemetryModel
import Atomics
import Dispatch

/// Puts finished records into the journal, from where a kill does not take them any more.
///
/// What the mode of the moment does not collect is dropped and counted here; what the journal refuses it counts by
/// reason in the run's own file. The first record of each segment asks for the journal's upkeep, on a thread of its own
/// unless somebody wants it elsewhere, so that a burst finds the next segments ready.
package final class JournalSink: RecordSink {
    package let journal: RecordJournal
    private let onCritical = Locked<@Sendable () -> Void>({})
    private let onFilling = Locked<@Sendable () -> Void>({})
    /// A bit for each `TelemetryKind` that is collected.
    private let admitted = ManagedAtomic<UInt8>(.max)
    private let notAdmitted = ManagedAtomic<Int>(0)
    /// The number of the scope that `pass` names; -1 until it does.
    private let passing = ManagedAtomic<Int>(-1)
    private let upkeep: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Upkeep was asked for and has not begun: while the journal refuses records, each of them asks.
    private let isUpkeepDue = ManagedAtomic(false)
    /// The number of the last segment that upkeep was asked for.
    private let lastSegment = ManagedAtomic<UInt64>(0)

    package convenience init(_ journal: RecordJournal) {
        let queue = DispatchQueue(label: "astrolabe.journal", qos: .utility)
        self.init(journal) { work in queue.async(execute: work) }
    }

    /// - Parameter upkeep: Does the work that makes room in the journal. It is called on the path of a record and must
    ///   return at once.
    package init(
        _ journal: RecordJournal, upkeep: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void,
    ) {
        self.journal = journal
        self.upkeep = upkeep
    }

    /// Calls back after each record of critical priority that was kept; `body` must return at once.
    package func whenCritical(_ body: @escaping @Sendable () -> Void) {
        onCritical.withLock { $0 = body }
    }

    /// Calls back, where room is made, whenever another segment is begun and half of the journal is in use or more:
    /// what is in it must leave, or be set aside, before there is no room. `body` must return at once.
    package func whenFilling(_ body: @escaping @Sendable () -> Void) {
        onFilling.withLock { $0 = body }
    }

    /// Collects from now on what the mode admits. Spans pass: their trace was decided about when it began, so that none
    /// is torn.
    package func admit(_ mode: TelemetryMode) {
        let kinds = TelemetryKind.allCases.filter { $0 == .trace || $0.admission(in: mode) != .never }
        admitted.store(kinds.reduce(0) { $0 | Self.bit($1) }, ordering: .relaxed)
    }

    /// Keeps the records of one scope whatever the mode: it is the policy itself that tells their maker how many there
    /// are to be. The replay has its frame rate.
    package func pass(_ scope: InstrumentationScope) {
        passing.store(Int(register(scope).rawValue), ordering: .relaxed)
    }

    /// Whether the mode of the moment collects records of this kind.
    package func collects(_ kind: TelemetryKind) -> Bool {
        admitted.load(ordering: .relaxed) & Self.bit(kind) != 0
    }

    /// Records that the mode of their moment did not collect.
    package var notAdmittedCount: Int { notAdmitted.load(ordering: .relaxed) }

    package func register(_ scope: InstrumentationScope) -> ScopeNumber {
        // Past the room for definitions a record goes without its scope: that is better than to lose it.
        ScopeNumber(rawValue: journal.register(EncodedScope(scope).fields) ?? 0)
    }

    package func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        guard collects(Self.kind(of: header)) || Int(header.scope.rawValue) == passing.load(ordering: .relaxed) else {
            return notAdmitted.wrappingIncrement(ordering: .relaxed)
        }
        let result = journal.append(
            bytes, kind: header.kind.rawValue, priority: header.priority.rawValue, tag: header.scope.rawValue,
            time: header.timeUnixNano,
        )
        guard case .appended(let sequence) = result else { return askForUpkeep() }
        let segment = sequence >> 32
        if segment != lastSegment.load(ordering: .relaxed) {
            lastSegment.store(segment, ordering: .relaxed)
            askForUpkeep()
        }
        if header.priority == .critical { onCritical.withLock { $0 }() }
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

    private func askForUpkeep() {
        guard !isUpkeepDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        upkeep { [journal, onFilling, isUpkeepDue] in
            isUpkeepDue.store(false, ordering: .sequentiallyConsistent)
            journal.makeRoom()
            if journal.isFilling { onFilling.withLock { $0 }() }
        }
    }
}
