import OTLP
import Platform
package import TelemetryModel

/// All instruments of one running SDK, and their way into records.
package final class MetricRegistry: Sendable {
    private let core: RecordingCore
    private let temporality: AggregationTemporality
    private let state = Guarded(State())

    private struct State {
        var instruments: [Key: InstrumentStorage] = [:]
        var order: [Key] = []
        var observers: [@Sendable () -> Void] = []
    }

    private struct Key: Hashable {
        var scope: InstrumentationScope
        var name: String
    }

    /// Instruments beyond this number measure nothing, so that a name made of data cannot fill memory.
    private static let instrumentLimit = 1_000

    /// - Parameter temporality: `delta` suits a device, whose counts begin anew at each launch; the OTLP exporter's
    ///   default is `cumulative`.
    package init(core: RecordingCore, temporality: AggregationTemporality = .delta) {
        self.core = core
        self.temporality = temporality
    }

    func storage(for descriptor: InstrumentDescriptor) -> InstrumentStorage? {
        let key = Key(scope: descriptor.scope, name: descriptor.name.lowercased())
        return state.withLock { state in
            if let existing = state.instruments[key] {
                return existing.descriptor.kind == descriptor.kind ? existing : nil
            }
            guard !descriptor.name.isEmpty, state.instruments.count < Self.instrumentLimit else { return nil }
            let storage = InstrumentStorage(descriptor, core: core)
            state.instruments[key] = storage
            state.order.append(key)
            return storage
        }
    }

    func beforeCollecting(_ observe: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(observe) }
    }

    /// Turns what was measured since the last time into records, one for each instrument that has data.
    package func collect() {
        let (observers, instruments) = state.withLock { state in
            (state.observers, state.order.compactMap { state.instruments[$0] })
        }
        for observe in observers { observe() }
        let now = core.clock.now
        for instrument in instruments {
            guard let metric = instrument.collect(temporality, now: now) else { continue }
            var bytes: [UInt8] = []
            bytes.appendWire(metric.wireSize) { metric.write(to: &$0) }
            let header = RecordHeader(
                kind: .metric, priority: .normal, scope: core.sink.register(instrument.descriptor.scope),
                timeUnixNano: now)
            bytes.withUnsafeBytes { core.sink.append($0, header: header) }
        }
    }
}
