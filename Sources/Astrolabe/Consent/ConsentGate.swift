import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import Atomics

/// The sink of all records: passes them on to the current run's journal, or drops them while consent is denied.
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
    }

    private let state = Locked(State())
    /// The address of the current sink; 0 if there is none.
    private let current = ManagedAtomic<UInt>(0)

    /// Passes records on to this sink from now on.
    func open(_ sink: JournalSink) {
        state.withLock { state in
            for scope in state.scopes { _ = sink.register(scope) }
            state.sinks.append(sink)
            state.isOpen = true
        }
        current.store(UInt(bitPattern: Unmanaged.passUnretained(sink).toOpaque()), ordering: .releasing)
    }

    /// Drops all records from now on.
    func close() {
        current.store(0, ordering: .releasing)
        state.withLock { $0.isOpen = false }
    }

    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        state.withLock { state in
            if let index = state.scopes.firstIndex(of: scope) { return ScopeNumber(rawValue: UInt16(index + 1)) }
            let next = UInt16(clamping: state.scopes.count + 1)
            if state.isOpen, let sink = state.sinks.last, sink.register(scope).rawValue != next {
                // The journal has no room for the definition.
                return ScopeNumber(rawValue: 0)
            }
            state.scopes.append(scope)
            return ScopeNumber(rawValue: next)
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        guard let sink = UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring)) else { return }
        Unmanaged<JournalSink>.fromOpaque(sink)._withUnsafeGuaranteedRef { $0.append(bytes, header: header) }
    }
}
