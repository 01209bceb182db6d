import AstrolabePlatform
package import AstrolabeTelemetryModel

/// All instruments of one running SDK, and their way into records.
package final class MetricRegistry: Sendable {
    private let core: RecordingCore
    private let temporality: AggregationTemporality
    private let histograms: HistogramAggregation
    private let views: [MetricView]
    private let exemplars: ExemplarSource?
    private let state = Locked(State())

    private struct State {
        /// By their names in lower case.
        var instruments: [String: [Instrument]] = [:]
        var instrumentCount = 0
        var streams: [MetricStream] = []
        /// The metrics by scope and name, if there are views. Two of one name are a conflict.
        var names: Set<StreamName> = []
        var observers: [(number: UInt64, observe: @Sendable () -> Void)] = []
        var lastObserver: UInt64 = 0

        func instrument(_ descriptor: InstrumentDescriptor, named name: String) -> Instrument? {
            instruments[name]?.first { $0.kind == descriptor.kind.identity && $0.scope == descriptor.scope }
        }
    }

    /// Two kinds under one name are a mistake, but not one that loses data: both are kept (specification, "Duplicate
    /// instrument registration").
    private struct Instrument {
        let scope: InstrumentationScope
        let kind: InstrumentKind
        /// `nil` for an instrument whose measurements are dropped.
        let storage: InstrumentStorage?
    }

    private struct StreamName: Hashable {
        var scope: InstrumentationScope
        var name: String
    }

    /// Instruments beyond this number measure nothing, so that a name made of data cannot fill memory.
    private static let instrumentLimit = 1_000
    /// UTF-8 bytes of a description; a longer one is cut.
    private static let descriptionLimit = 1_024

    /// - Parameters:
    ///   - temporality: `delta` suits a device, whose counts are 0 at each launch; the OTLP exporter's default is
    ///     `cumulative`.
    ///   - histograms: How histograms aggregate without a view.
    ///   - views: What is different for some instruments.
    ///   - exemplars: Which measurements may become exemplars.
    package init(
        core: RecordingCore, temporality: AggregationTemporality = .delta,
        histograms: HistogramAggregation = .explicitBuckets, views: [MetricView] = [],
        exemplars: ExemplarFilter = .off,
    ) {
        self.core = core
        self.temporality = temporality
        self.histograms = histograms
        self.views = views
        self.exemplars = ExemplarSource(exemplars, core: core)
    }

    func storage(for requested: InstrumentDescriptor) -> InstrumentStorage? {
        guard core.records(.metric) else { return nil }
        var descriptor = requested
        descriptor.scope = core.admitted(requested.scope)
        descriptor.name = core.admitted(name: requested.name)
        descriptor.unit = core.admitted(name: requested.unit)
        descriptor.description = core.admitted(name: requested.description, limit: Self.descriptionLimit)
        let name = descriptor.name.lowercased()
        if let known = state.withLock({ $0.instrument(descriptor, named: name) }) { return known.storage }
        let plans = plans(for: descriptor)
        let (storage, problem) = state.withLock { state -> (InstrumentStorage?, Problem?) in
            // Another thread may have made it meanwhile.
            if let known = state.instrument(descriptor, named: name) { return (known.storage, nil) }
            guard !descriptor.name.isEmpty else { return (nil, nil) }
            guard state.instrumentCount < Self.instrumentLimit else { return (nil, .tooMany(descriptor)) }
            return make(descriptor, name, plans.streams, &state)
        }
        plans.unusable.map { Problem.unusable($0, descriptor) }?.report(to: core.notices)
        problem?.report(to: core.notices)
        return storage
    }

    /// The metrics of an instrument, with names that may be recorded, and the first view that cannot be followed.
    ///
    /// Called without the lock, because the redactor reports to the app.
    private func plans(for descriptor: InstrumentDescriptor) -> (streams: [StreamPlan], unusable: MetricView?) {
        let (plans, unusable) = StreamPlan.plans(for: descriptor, views: views, histograms: histograms)
        let admitted = plans.map { plan in
            var plan = plan
            plan.descriptor.name = core.admitted(name: plan.descriptor.name)
            plan.descriptor.description = core.admitted(
                name: plan.descriptor.description, limit: Self.descriptionLimit)
            return plan
        }
        return (admitted, unusable)
    }

    private func make(
        _ descriptor: InstrumentDescriptor, _ name: String, _ plans: [StreamPlan], _ state: inout State,
    ) -> (InstrumentStorage?, Problem?) {
        var problem: Problem?
        var streams: [MetricStream] = []
        for plan in plans {
            if !views.isEmpty {
                let name = StreamName(scope: descriptor.scope, name: plan.descriptor.name.lowercased())
                if !state.names.insert(name).inserted { problem = problem ?? .conflict(plan.descriptor) }
            }
            streams.append(
                MetricStream(
                    plan, instrument: descriptor.kind, start: core.clock.now, period: core.periods.number))
        }
        let storage = streams.first.map {
            InstrumentStorage(
                descriptor, first: $0, others: Array(streams.dropFirst()), core: core, exemplars: exemplars)
        }
        let new = Instrument(scope: descriptor.scope, kind: descriptor.kind.identity, storage: storage)
        state.instruments[name, default: []].append(new)
        state.instrumentCount += 1
        state.streams += streams
        return (storage, problem)
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

    /// Turns what was measured since the last time into records, one for each metric that has data, or more if its
    /// points would not fit in one.
    package func collect() {
        guard core.records(.metric), let period = core.periods.permitted else { return }
        let (observers, streams) = state.withLock { ($0.observers, $0.streams) }
        LockRule.checkCall("calling the callbacks of instruments")
        for observer in observers { observer.observe() }
        let now = core.clock.now
        for stream in streams {
            guard let metric = stream.collect(temporality, now: now, in: period) else { continue }
            let header = RecordHeader(
                kind: .metric, priority: .normal, scope: core.sink.register(stream.descriptor.scope),
                timeUnixNano: now)
            core.append(metric, header: header)
        }
    }

    /// Starts all metrics from zero at this moment, for the current period. Measurements of another one, also of
    /// threads that have not finished them, go nowhere.
    package func beginPeriod() {
        let streams = state.withLock { $0.streams }
        let (period, now) = (core.periods.number, core.clock.now)
        for stream in streams { stream.begin(period, at: now) }
    }
}

extension MetricRegistry {
    /// A fault of the views that is worth a diagnostic line.
    fileprivate indirect enum Problem {
        case unusable(MetricView, InstrumentDescriptor)
        case conflict(InstrumentDescriptor)
        case tooMany(InstrumentDescriptor)

        func report(to notices: RecordingNotices) {
            switch self {
            case .unusable(let view, let instrument):
                notices.report(.unusableView) {
                    "A view with aggregation \(view.aggregation) matches the observable instrument "
                        + "\"\(instrument.name)\", which cannot be a histogram. Expected default, drop, sum or lastValue. "
                        + "The view is ignored for it."
                }
            case .conflict(let metric):
                notices.report(.conflictingMetrics) {
                    "Two metrics of the meter \"\(metric.scope.name)\" have the name \"\(metric.name)\". Expected "
                        + "one. Give one of them another name with a view. Both are recorded."
                }
            case .tooMany(let instrument):
                notices.report(.tooManyInstruments) {
                    "The instrument \"\(instrument.name)\" of the meter \"\(instrument.scope.name)\" measures nothing, "
                        + "as there are \(MetricRegistry.instrumentLimit) instruments, the most that are possible. "
                        + "Put what varies into attributes instead of names."
                }
            }
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
