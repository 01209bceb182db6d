import AstrolabePlatform
package import AstrolabeTelemetryModel

/// All instruments of one running SDK, and their way into records.
package final class MetricRegistry: Sendable {
    private let core: RecordingCore
    private let temporality: AggregationTemporality
    private let histograms: HistogramAggregation
    private let state = Locked(State())

    private struct State {
        var instruments: [Key: InstrumentStorage] = [:]
        var order: [Key] = []
        var observers: [(number: UInt64, observe: @Sendable () -> Void)] = []
        var lastObserver: UInt64 = 0
    }

    /// Two kinds under one name are a mistake, but not one that loses data: both are kept (specification, "Duplicate
    /// instrument registration").
    private struct Key: Hashable {
        var scope: InstrumentationScope
        var name: String
        var kind: InstrumentKind
    }

    /// Instruments beyond this number measure nothing, so that a name made of data cannot fill memory.
    private static let instrumentLimit = 1_000
    /// UTF-8 bytes of a description; a longer one is cut.
    private static let descriptionLimit = 1_024

    /// - Parameters:
    ///   - temporality: `delta` suits a device, whose counts begin anew at each launch; the OTLP exporter's default is
    ///     `cumulative`.
    ///   - histograms: How histograms aggregate.
    package init(
        core: RecordingCore, temporality: AggregationTemporality = .delta,
        histograms: HistogramAggregation = .explicitBuckets,
    ) {
        self.core = core
        self.temporality = temporality
        self.histograms = histograms
    }

    func storage(for requested: InstrumentDescriptor) -> InstrumentStorage? {
        var descriptor = requested
        descriptor.scope = core.admitted(requested.scope)
        descriptor.name = core.admitted(name: requested.name)
        descriptor.unit = core.admitted(name: requested.unit)
        descriptor.description = core.admitted(name: requested.description, limit: Self.descriptionLimit)
        let key = Key(
            scope: descriptor.scope, name: descriptor.name.lowercased(), kind: descriptor.kind.identity, )
        return state.withLock { state in
            if let existing = state.instruments[key] { return existing }
            guard !descriptor.name.isEmpty, state.instruments.count < Self.instrumentLimit else { return nil }
            let stream = MetricStream(
                descriptor, aggregation: descriptor.kind.aggregation(histograms), start: core.clock.now, )
            let storage = InstrumentStorage(descriptor, stream: stream, core: core)
            state.instruments[key] = storage
            state.order.append(key)
            return storage
        }
    }

    /// Calls `observe` before each collection, until the number that this returns is passed to `stopObserving`.
    func beforeCollecting(_ observe: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.lastObserver += 1
            state.observers.append((state.lastObserver, observe))
            return state.lastObserver
        }
    }

    func stopObserving(_ number: UInt64) {
        let removed = state.withLock { state in
            state.observers.firstIndex { $0.number == number }.map { state.observers.remove(at: $0) }
        }
        // What the callback holds is released here, outside of the lock.
        _ = removed
    }

    /// Turns what was measured since the last time into records, one for each instrument that has data; more where its
    /// points would not fit in one.
    package func collect() {
        let (observers, instruments) = state.withLock { state in
            (state.observers, state.order.compactMap { state.instruments[$0] })
        }
        for observer in observers { observer.observe() }
        let now = core.clock.now
        for instrument in instruments {
            guard let metric = instrument.stream.collect(temporality, now: now) else { continue }
            let header = RecordHeader(
                kind: .metric, priority: .normal, scope: core.sink.register(instrument.descriptor.scope),
                timeUnixNano: now, )
            core.append(metric, header: header)
        }
    }
}

extension MetricData {
    /// The same metric with each half of its points; `nil` where it has but one.
    var halves: (MetricData, MetricData)? {
        func with(_ points: Points) -> MetricData {
            MetricData(name: name, description: description, unit: unit, data: points)
        }
        func halves<Point>(
            of points: [Point], _ make: ([Point]) -> Points,
        ) -> (MetricData, MetricData)? {
            guard points.count > 1 else { return nil }
            let middle = points.count / 2
            return (with(make(Array(points[..<middle]))), with(make(Array(points[middle...]))))
        }
        switch data {
        case .gauge(let points): return halves(of: points) { .gauge($0) }
        case .sum(let points, let temporality, let isMonotonic):
            return halves(of: points) { .sum($0, temporality: temporality, isMonotonic: isMonotonic) }
        case .histogram(let points, let temporality):
            return halves(of: points) { .histogram($0, temporality: temporality) }
        case .exponentialHistogram(let points, let temporality):
            return halves(of: points) { .exponentialHistogram($0, temporality: temporality) }
        case .summary, .unknown: return nil
        }
    }
}
