import AstrolabePlatform
import AstrolabeTelemetryModel

/// One metric of an instrument: a running aggregation with a cell for each set of attributes.
///
/// Measuring takes the lock for a dictionary look-up; it is not on the span path.
final class MetricStream: Sendable {
    let descriptor: InstrumentDescriptor
    private let aggregation: StreamAggregation
    private let filter: AttributeFilter?
    /// Whether it is cumulative whatever is preferred, as an up-down counter is.
    private let isCumulative: Bool
    /// Whether its values are observed before each collection, so that those of before are not reported again.
    private let isAsynchronous: Bool
    /// The limit on sets of attributes. Measurements beyond it go to one cell that says so.
    private let cardinalityLimit: Int
    /// The limit on sets of attributes as they are measured. For observed totals it is before the filter.
    private let cellLimit: Int
    private let state: Locked<State>

    /// Exemplars of one collection.
    private static let exemplarLimit = 1_000
    private static let overflow: Attributes = ["otel.metric.overflow": true]

    private struct State {
        var cells: [Attributes: MetricCell] = [:]
        var resolved: [Attributes: ResolvedCell] = [:]
        /// The observed totals that have been reported.
        var reported: [Attributes: MetricNumber] = [:]
        var startTimeUnixNano: UInt64
        /// How many exemplars the cells have.
        var exemplarCount = 0
        /// The number in `RecordingPeriods` of what is measured here.
        var period: UInt64
        /// Totals from before a refusal, which cumulative points leave out.
        var baseline: [Attributes: MetricNumber] = [:]
        /// Whether the totals that are observed next become the baseline.
        var awaitsBaseline = false

        mutating func offer(_ offer: ExemplarOffer, _ value: MetricNumber, to key: Attributes) {
            let hasRoom = exemplarCount < exemplarLimit
            if cells[key]?.offer(offer, value, of: key, hasRoom: hasRoom) == true { exemplarCount += 1 }
        }

        mutating func removeExemplars() {
            guard exemplarCount > 0 else { return }
            exemplarCount = 0
            for index in cells.values.indices { cells.values[index].removeExemplars() }
        }

        /// Takes the observed totals as those of before the period, if they are the first in it.
        mutating func takeBaseline(isReset: Bool, at now: UInt64) {
            guard awaitsBaseline, !cells.isEmpty else { return }
            awaitsBaseline = false
            let totals = cells.mapValues(\.number)
            if isReset { reported = totals } else { baseline = totals }
            cells.removeAll(keepingCapacity: true)
            startTimeUnixNano = now
        }

        /// Turns observed totals into what has been added since the baseline.
        mutating func sinceBaseline(_ cells: [Attributes: MetricCell]) -> [Attributes: MetricCell] {
            guard !baseline.isEmpty else { return cells }
            var differences = cells
            for (key, cell) in cells {
                guard let before = baseline[key] else { continue }
                if before.doubleValue <= cell.number.doubleValue {
                    differences[key]?.number = cell.number.subtracting(before)
                } else {
                    // A total that has become smaller has started again from 0.
                    baseline[key] = nil
                }
            }
            return differences
        }

        /// Turns observed totals into what has been added since each was reported, without those that have not changed.
        mutating func differences(of cells: [Attributes: MetricCell], limit: Int) -> [Attributes: MetricCell] {
            if reported.count > limit { reported = reported.filter { cells[$0.key] != nil } }
            var differences = cells
            for (key, cell) in cells {
                // A total that has become smaller has started again from 0.
                if let last = reported[key], last.doubleValue <= cell.number.doubleValue {
                    let difference = cell.number.subtracting(last)
                    if difference.doubleValue == 0 {
                        differences[key] = nil
                    } else {
                        differences[key]?.number = difference
                    }
                }
                reported[key] = cell.number
            }
            return differences
        }
    }

    /// The cell of one set of attributes, which are checked and looked up once. Measuring takes an uncontended lock.
    final class ResolvedCell: Sendable {
        private let aggregation: StreamAggregation
        private let content: Locked<(cell: MetricCell?, period: UInt64)>

        fileprivate init(_ aggregation: StreamAggregation, period: UInt64) {
            self.aggregation = aggregation
            content = Locked((nil, period))
        }

        func add(_ value: MetricNumber, in period: UInt64) {
            content.withLock { content in
                guard content.period == period else { return }
                if content.cell == nil { content.cell = MetricCell(aggregation) }
                content.cell?.add(value)
            }
        }

        fileprivate func begin(_ period: UInt64) {
            content.withLock { $0 = (nil, period) }
        }

        fileprivate func take(isReset: Bool) -> MetricCell? {
            content.withLock { content in
                defer { if isReset { content.cell?.reset() } }
                return content.cell.flatMap { $0.isEmpty ? nil : $0 }
            }
        }
    }

    /// - Parameters:
    ///   - instrument: The kind of the instrument.
    ///   - start: The time from which it counts, in nanoseconds since 1970.
    ///   - period: The number of the current period. After a refusal, an observed total has a part that is left out.
    init(_ plan: StreamPlan, instrument: InstrumentKind, start: UInt64, period: UInt64) {
        descriptor = plan.descriptor
        aggregation = plan.aggregation
        filter = plan.filter
        isCumulative = instrument == .sum(isMonotonic: false)
        isAsynchronous = instrument.isObserved
        cardinalityLimit = plan.cardinalityLimit
        cellLimit =
            plan.aggregation.isObserved
            ? max(plan.cardinalityLimit, StreamPlan.defaultCardinalityLimit) : plan.cardinalityLimit
        state = Locked(State(startTimeUnixNano: start, period: period))
        if RecordingPeriods.followsRefusal(period) { begin(period, at: start) }
    }

    /// Forgets all measurements, and takes those of this period from now on.
    ///
    /// The first observed totals of a sum that only grows are not reported: a part of them is of before.
    func begin(_ period: UInt64, at start: UInt64) {
        state.withLock { state in
            for cell in state.resolved.values { cell.begin(period) }
            let resolved = state.resolved
            state = State(startTimeUnixNano: start, period: period)
            state.resolved = resolved
            state.awaitsBaseline = aggregation == .observedSum(isMonotonic: true)
        }
    }

    /// The cell of these attributes. Equal attributes have the same one.
    func resolve(_ attributes: Attributes) -> ResolvedCell {
        let kept = filter?.apply(to: attributes) ?? attributes
        return state.withLock { state in
            let hasRoom = state.resolved.count < cardinalityLimit - 1
            let key = hasRoom || state.resolved[kept] != nil ? kept : Self.overflow
            let cell = state.resolved[key] ?? ResolvedCell(aggregation, period: state.period)
            state.resolved[key] = cell
            return cell
        }
    }

    /// - Parameters:
    ///   - offer: The measurement as an exemplar, if it may become one.
    ///   - period: The number of the period in which it was measured.
    func add(_ value: MetricNumber, _ attributes: Attributes, _ offer: ExemplarOffer?, in period: UInt64) {
        if aggregation.isObserved { return observe(value, attributes, in: period) }
        let kept = filter?.apply(to: attributes) ?? attributes
        state.withLock { state in
            guard state.period == period else { return }
            let hasRoom = state.cells.count < cellLimit - 1
            let key = hasRoom || state.cells[kept] != nil ? kept : Self.overflow
            state.cells[key, default: MetricCell(aggregation)].add(value)
            if let offer { state.offer(offer, value, to: key) }
        }
    }

    /// Notes a total. Those of attributes that the filter makes equal are added up when they are collected, because the
    /// last one of the same attributes counts.
    private func observe(_ value: MetricNumber, _ attributes: Attributes, in period: UInt64) {
        state.withLock { state in
            guard state.period == period else { return }
            if state.cells.count < cellLimit - 1 || state.cells[attributes] != nil {
                state.cells[attributes, default: MetricCell(aggregation)].add(value)
            } else {
                state.cells[Self.overflow, default: MetricCell(aggregation)].accumulate(value)
            }
        }
    }

    /// Adds up observed totals of attributes that the filter makes equal.
    private func filtered(_ cells: [Attributes: MetricCell]) -> [Attributes: MetricCell] {
        guard filter != nil || cells.count > cardinalityLimit else { return cells }
        var result: [Attributes: MetricCell] = [:]
        for (attributes, cell) in Self.ordered(cells) {
            let kept = attributes == Self.overflow ? attributes : filter?.apply(to: attributes) ?? attributes
            let hasRoom = result.count < cardinalityLimit - 1
            let key = hasRoom || result[kept] != nil ? kept : Self.overflow
            result[key, default: MetricCell(aggregation)].accumulate(cell.number)
        }
        return result
    }

    private static func ordered(_ cells: [Attributes: MetricCell]) -> [(key: Attributes, value: MetricCell)] {
        cells.sorted { $0.key.description < $1.key.description }
    }

    /// The points since the last collection (`delta`, which starts again) or since the start; `nil` if there is none.
    ///
    /// Gauges have the last value with either temporality, and observed ones only what was observed since. There are no
    /// points if another period has begun.
    func collect(_ temporality: AggregationTemporality, now: UInt64, in period: UInt64) -> MetricData? {
        let applied = isCumulative ? .cumulative : aggregation.temporality(preferring: temporality)
        let (cells, start) = state.withLock { state -> ([Attributes: MetricCell], UInt64) in
            guard state.period == period else { return ([:], now) }
            state.takeBaseline(isReset: applied == .delta, at: now)
            // The wall clock may have been set back since.
            var cells = state.cells
            for (key, resolved) in state.resolved {
                guard let cell = resolved.take(isReset: applied == .delta) else { continue }
                cells[key] = cells[key]?.merged(with: cell) ?? cell
            }
            if aggregation.isObserved {
                cells =
                    applied == .delta
                    ? state.differences(of: cells, limit: cellLimit) : state.sinceBaseline(cells)
                cells = filtered(cells)
            }
            let taken = (cells, min(state.startTimeUnixNano, now))
            if applied == .delta || isAsynchronous { state.cells.removeAll(keepingCapacity: true) }
            if applied == .delta { state.startTimeUnixNano = now }
            state.removeExemplars()
            return taken
        }
        guard !cells.isEmpty else { return nil }
        return MetricData(
            name: descriptor.name, description: descriptor.description, unit: descriptor.unit,
            data: points(cells, start: start, now: now, temporality: applied), )
    }

    private func points(
        _ cells: [Attributes: MetricCell], start: UInt64, now: UInt64, temporality: AggregationTemporality,
    ) -> MetricData.Points {
        let ordered = Self.ordered(cells)
        switch aggregation {
        case .lastValue:
            return .gauge(ordered.map { $0.value.numberPoint($0.key, time: now) })
        case .sum(let isMonotonic), .observedSum(let isMonotonic):
            return .sum(
                ordered.map { $0.value.numberPoint($0.key, start: start, time: now) }, temporality: temporality,
                isMonotonic: isMonotonic, )
        case .histogram(let bounds, let recordsSum):
            return .histogram(
                ordered.map {
                    $0.value.histogramPoint($0.key, bounds: bounds, recordsSum: recordsSum, start: start, time: now)
                }, temporality: temporality, )
        case .exponentialHistogram(_, let recordsSum):
            return .exponentialHistogram(
                ordered.compactMap {
                    $0.value.exponentialPoint($0.key, recordsSum: recordsSum, start: start, time: now)
                }, temporality: temporality, )
        }
    }
}
