import AstrolabePlatform
import AstrolabeTelemetryModel

/// One metric of an instrument: a running aggregation with a cell for each set of attributes.
///
/// Measuring takes the lock to look a cell up, except by instruments that are bound to their attributes. It is not on
/// the span path.
final class MetricStream: Sendable {
    let descriptor: InstrumentDescriptor
    private let aggregation: StreamAggregation
    private let filter: AttributeFilter?
    /// True if it is cumulative whatever is preferred, as an up-down counter is.
    private let isCumulative: Bool
    /// True if its values are observed before each collection, so that those of before are not reported again.
    private let isAsynchronous: Bool
    /// The limit on sets of attributes. Measurements beyond it go to one cell that says so.
    private let cardinalityLimit: Int
    /// The limit on sets of attributes as they are measured. For observed totals it is before the filter.
    private let cellLimit: Int
    private let exemplars = ExemplarRoom()
    private let state: Locked<State>

    private static let overflow: Attributes = ["otel.metric.overflow": true]

    private struct State {
        /// The cells that instruments measure into. Nothing else refers to a cell that no instrument is bound to.
        var cells: [Attributes: MeasuredCell] = [:]
        /// The values observed since the last collection.
        var observed: [Attributes: MetricCell] = [:]
        /// The observed totals that have been reported.
        var reported: [Attributes: MetricNumber] = [:]
        var startTimeUnixNano: UInt64
        /// The number in `RecordingPeriods` of what is measured here.
        var period: UInt64
        /// Totals from before a refusal, which cumulative points leave out.
        var baseline: [Attributes: MetricNumber] = [:]
        /// True if the totals that are observed next become the baseline.
        var awaitsBaseline = false

        /// All cells. If they start from zero, those that no instrument is bound to are removed.
        mutating func takeCells(isReset: Bool) -> [MeasuredCell] {
            guard isReset else { return Array(cells.values) }
            var taken: [MeasuredCell] = []
            var unbound: [Attributes] = []
            taken.reserveCapacity(cells.count)
            var index = cells.startIndex
            while index != cells.endIndex {
                if isKnownUniquelyReferenced(&cells.values[index]) { unbound.append(cells[index].key) }
                taken.append(cells[index].value)
                cells.formIndex(after: &index)
            }
            for key in unbound { cells[key] = nil }
            return taken
        }

        /// Takes the observed totals as those of before the period, if they are the first in it.
        mutating func takeBaseline(isReset: Bool, at now: UInt64) {
            guard awaitsBaseline, !observed.isEmpty else { return }
            awaitsBaseline = false
            let totals = observed.mapValues(\.number)
            if isReset { reported = totals } else { baseline = totals }
            observed.removeAll(keepingCapacity: true)
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
            for cell in state.takeCells(isReset: true) { cell.begin(period) }
            let bound = state.cells
            state = State(startTimeUnixNano: start, period: period)
            state.cells = bound
            state.awaitsBaseline = aggregation == .observedSum(isMonotonic: true)
        }
    }

    /// The cell of these attributes, for an instrument that keeps it. Equal attributes have the same one.
    func bind(_ attributes: Attributes) -> MeasuredCell {
        let kept = filter?.apply(to: attributes) ?? attributes
        return state.withLock { cell(of: kept, in: &$0) }
    }

    /// - Parameters:
    ///   - offer: The measurement as an exemplar, if it may become one.
    ///   - period: The number of the period in which it was measured.
    func add(_ value: MetricNumber, _ attributes: Attributes, _ offer: ExemplarOffer?, in period: UInt64) {
        if isAsynchronous { return observe(value, attributes, in: period) }
        let kept = filter?.apply(to: attributes) ?? attributes
        state.withLock { state in
            guard state.period == period else { return }
            cell(of: kept, in: &state).add(value, offer, in: period)
        }
    }

    private func cell(of kept: Attributes, in state: inout State) -> MeasuredCell {
        if let cell = state.cells[kept] { return cell }
        let key = state.cells.count < cellLimit - 1 ? kept : Self.overflow
        if let cell = state.cells[key] { return cell }
        let cell = MeasuredCell(key, aggregation, room: exemplars, period: state.period)
        state.cells[key] = cell
        return cell
    }

    /// Notes a value or a total. Totals of attributes that the filter makes equal are added up when they are collected,
    /// because the last one of the same attributes counts.
    private func observe(_ value: MetricNumber, _ attributes: Attributes, in period: UInt64) {
        let kept = aggregation.isObserved ? attributes : filter?.apply(to: attributes) ?? attributes
        state.withLock { state in
            guard state.period == period else { return }
            if state.observed.count < cellLimit - 1 || state.observed[kept] != nil {
                state.observed[kept, default: MetricCell(aggregation)].add(value)
            } else if aggregation.isObserved {
                state.observed[Self.overflow, default: MetricCell(aggregation)].accumulate(value)
            } else {
                state.observed[Self.overflow, default: MetricCell(aggregation)].add(value)
            }
        }
    }

    /// Adds up observed totals of attributes that the filter makes equal.
    private func filtered(_ cells: [Attributes: MetricCell]) -> [Attributes: MetricCell] {
        guard filter != nil || cells.count > cardinalityLimit else { return cells }
        var result: [Attributes: MetricCell] = [:]
        for (attributes, cell) in Self.ordered(Array(cells)) {
            let kept = attributes == Self.overflow ? attributes : filter?.apply(to: attributes) ?? attributes
            let hasRoom = result.count < cardinalityLimit - 1
            let key = hasRoom || result[kept] != nil ? kept : Self.overflow
            result[key, default: MetricCell(aggregation)].accumulate(cell.number)
        }
        return result
    }

    private static func ordered(_ cells: [Point]) -> [Point] {
        cells.ordered { $0.key.description < $1.key.description }
    }

    /// The points since the last collection (`delta`, which starts again) or since the start; `nil` if there is none.
    ///
    /// Gauges have the last value with either temporality, and observed ones only what was observed since. There are no
    /// points if another period has begun.
    func collect(_ temporality: AggregationTemporality, now: UInt64, in period: UInt64) -> MetricData? {
        let applied = isCumulative ? .cumulative : aggregation.temporality(preferring: temporality)
        let isReset = applied == .delta
        let (cells, start) =
            isAsynchronous
            ? takeObserved(isReset: isReset, now: now, in: period)
            : takeMeasured(isReset: isReset, now: now, in: period)
        guard !cells.isEmpty else { return nil }
        return MetricData(
            name: descriptor.name, description: descriptor.description, unit: descriptor.unit,
            data: points(cells, start: start, now: now, temporality: applied))
    }

    private typealias Point = (key: Attributes, value: MetricCell)
    /// The points of each cell, and their start.
    private typealias Taken = (cells: [Point], start: UInt64)

    private func takeMeasured(isReset: Bool, now: UInt64, in period: UInt64) -> Taken {
        let (measured, start) = state.withLock { state -> ([MeasuredCell], UInt64) in
            guard state.period == period else { return ([], now) }
            // The wall clock may have been set back since.
            let start = min(state.startTimeUnixNano, now)
            if isReset { state.startTimeUnixNano = now }
            return (state.takeCells(isReset: isReset), start)
        }
        // Outside of the lock, because another thread may be adding to a cell.
        let cells: [Point] = measured.compactMap { cell in
            cell.take(isReset: isReset, in: period).map { (key: cell.attributes, value: $0) }
        }
        return (cells, start)
    }

    private func takeObserved(isReset: Bool, now: UInt64, in period: UInt64) -> Taken {
        state.withLock { state -> Taken in
            guard state.period == period else { return ([], now) }
            state.takeBaseline(isReset: isReset, at: now)
            var cells = state.observed
            if aggregation.isObserved {
                cells = isReset ? state.differences(of: cells, limit: cellLimit) : state.sinceBaseline(cells)
                cells = filtered(cells)
            }
            let start = min(state.startTimeUnixNano, now)
            if isReset { state.startTimeUnixNano = now }
            state.observed.removeAll(keepingCapacity: true)
            return (Array(cells), start)
        }
    }

    private func points(
        _ cells: [Point], start: UInt64, now: UInt64, temporality: AggregationTemporality,
    ) -> MetricData.Points {
        let ordered = Self.ordered(cells)
        switch aggregation {
        case .lastValue:
            return .gauge(ordered.map { $0.value.numberPoint($0.key, time: now) })
        case .sum(let isMonotonic), .observedSum(let isMonotonic):
            return .sum(
                ordered.map { $0.value.numberPoint($0.key, start: start, time: now) }, temporality: temporality,
                isMonotonic: isMonotonic)
        case .histogram(let bounds, let recordsSum):
            return .histogram(
                ordered.map {
                    $0.value.histogramPoint($0.key, bounds: bounds, recordsSum: recordsSum, start: start, time: now)
                }, temporality: temporality)
        case .exponentialHistogram(_, let recordsSum):
            return .exponentialHistogram(
                ordered.compactMap {
                    $0.value.exponentialPoint($0.key, recordsSum: recordsSum, start: start, time: now)
                }, temporality: temporality)
        }
    }
}
