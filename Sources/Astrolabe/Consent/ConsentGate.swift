import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import Atomics

/// The sink of all records: passes them on to the current run's journal, or drops them while consent is denied.
///
/// Until there is a journal, it keeps them in memory: during a start, and before the device's first unlock.
///
/// A scope has one number in all runs, because tracers keep it. Each run's journal numbers the scopes in the order in
/// which they are registered, so all known ones are registered with a new journal first.
final class ConsentGate: RecordSink {
    private struct State {
        /// All scopes that have a number, in the order of their numbers, from 1.
        var scopes: [InstrumentationScope] = []
        /// All sinks so far. They live as long as the gate, because another thread may be appending to one.
        var sinks: [JournalSink] = []
        var isOpen = false
        /// True if the current journal has all scopes under their numbers, so that it can take another one.
        var isComplete = true
        /// The records that wait for the next sink.
        var held: PreUnlockBuffer?
        /// The number of times that the gate was closed.
        var closings = 0
    }

    /// Held during I/O: a journal may extend its file to number a scope.
    private let state = Locked(State(), isHeldDuringIO: true)
    /// The address of the current sink; 0 if records are dropped, and ``holding`` if they are kept in memory.
    private let current = UnsafeAtomic<UInt>.create(0)
    private static let holding: UInt = 1

    deinit {
        current.destroy()
    }

    /// Keeps records in memory from now on, for the next sink.
    func hold() {
        state.withLock { state in
            state.held = PreUnlockBuffer()
            current.store(Self.holding, ordering: .releasing)
        }
    }

    /// The number of times that the gate was closed: a sink is opened only if it has not changed since that was
    /// decided.
    var closings: Int { state.withLock { $0.closings } }

    /// Passes records on to this sink from now on, after those that were kept in memory.
    ///
    /// - Parameter closings: Does nothing if the gate was closed more often than this.
    func open(_ sink: JournalSink, unlessClosedSince closings: Int) {
        let isOpen = state.withLock { state in
            guard state.closings == closings else { return false }
            // One without room would give its number to the next.
            state.isComplete = state.scopes.enumerated().allSatisfy { index, scope in
                Int(sink.register(scope).rawValue) == index + 1
            }
            state.sinks.append(sink)
            state.isOpen = true
            return true
        }
        guard isOpen else { return }
        // Without the lock, since a record may make the journal call others. Those of other threads wait meanwhile.
        while let held = takeHeld(for: sink, unlessClosedSince: closings) {
            for record in held.records { record.bytes.withUnsafeBytes { sink.append($0, header: record.header) } }
            sink.refuse(held.refused)
        }
    }

    /// Returns what was kept in memory, and keeps on; if there is nothing, passes records on to the sink instead.
    private func takeHeld(for sink: JournalSink, unlessClosedSince closings: Int) -> PreUnlockBuffer? {
        state.withLock { state in
            guard state.closings == closings else { return nil }
            if let held = state.held, !held.isEmpty {
                state.held = PreUnlockBuffer()
                return held
            }
            state.held = nil
            current.store(UInt(bitPattern: Unmanaged.passUnretained(sink).toOpaque()), ordering: .releasing)
            return nil
        }
    }

    /// Drops all records from now on, and those that were kept in memory.
    func close() {
        state.withLock { state in
            state.closings += 1
            current.store(0, ordering: .releasing)
            state.isOpen = false
            state.held = nil
        }
    }

    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        state.withLock { state in
            if let index = state.scopes.firstIndex(of: scope) { return ScopeNumber(rawValue: UInt16(index + 1)) }
            let next = UInt16(clamping: state.scopes.count + 1)
            if state.isOpen, let sink = state.sinks.last,
                !state.isComplete || sink.register(scope).rawValue != next
            {
                // The journal has no room for the definition.
                return ScopeNumber(rawValue: 0)
            }
            state.scopes.append(scope)
            return ScopeNumber(rawValue: next)
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        let address = current.load(ordering: .acquiring)
        guard address != Self.holding else { return hold(bytes, header: header) }
        guard let sink = UnsafeRawPointer(bitPattern: address) else { return }
        Unmanaged<JournalSink>.fromOpaque(sink)._withUnsafeGuaranteedRef { $0.append(bytes, header: header) }
    }

    /// Takes a lock, unlike the path of every other record.
    @inline(never)
    private func hold(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        let isHeld = state.withLock { state in
            state.held?.add(bytes, header: header)
            return state.held != nil
        }
        // A journal was opened meanwhile, or the gate was closed.
        if !isHeld { append(bytes, header: header) }
    }
}
