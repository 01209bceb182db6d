import AstrolabePlatform
import AstrolabeTelemetryModel

/// One metric of an instrument: a running aggregation with a cell for each set of attributes.
///
/// Measuring takes the lock for a dictionary look-up; it is not on the span path.
final class MetricStream: Sendable {
    let descriptor: InstrumentDescriptor
    private let aggregation: StreamAggregation
    private let state: Locked<State>

    /// The specification's limit on sets of attributes; measurements beyond it go to one cell that says so.
    static let cardinalityLimit = 2_000
    private static let overflow: Attributes = ["otel.metric.overflow": true]

    private struct State {
        var cells: [Attributes: MetricCell] = [:]
        var resolved: [Attributes: ResolvedCell] = [:]
        /// The observed totals that have been reported.
        var reported: [Attributes: MetricNumber] = [:]
        var startTimeUnixNano: UInt64

        /// Turns observed totals into what has been added since each was reported.
        mutating func differences(of cells: [Attributes: MetricCell]) -> [Attributes: MetricCell] {
            if reported.count > cardinalityLimit { reported = reported.filter { cells[$0.key] != nil } }
            var differences = cells
            for (key, cell) in cells {
                // A total that has become smaller has started again from 0.
                if let last = reported[key], last.doubleValue <= cell.number.doubleValue {
                    differences[key]?.number = cell.number.subtracting(last)
                }
                reported[key] = cell.number
            }
            return differences
        }
    }

    /// The cell of one set of attributes, which are checked and looked up once. Measuring takes an uncontended lock.
    final class ResolvedCell: Sendable {
        private let aggregation: StreamAggregation
        private let content: Locked<MetricCell?>

        fileprivate init(_ aggregation: StreamAggregation) {
            self.aggregation = aggregation
            content = Locked(nil)
        }

        func add(_ value: MetricNumber) {
            content.withLock { content in
                if content == nil { content = MetricCell(aggregation) }
                content?.add(value)
            }
        }

        fileprivate func take(isReset: Bool) -> MetricCell? {
            content.withLock { content in
                defer { if isReset { content?.reset() } }
                return content.flatMap { $0.isEmpty ? nil : $0 }
            }
        }
    }

    /// - Parameter start: The time from which it counts, in nanoseconds since 1970.
    init(_ descriptor: InstrumentDescriptor, aggregation: StreamAggregation, start: UInt64) {
        self.descriptor = descriptor
        self.aggregation = aggregation
        state = Locked(State(startTimeUnixNano: start))
    }

    /// The cell of these attributes. Equal attributes have the same one.
    func resolve(_ attributes: Attributes) -> ResolvedCell {
        state.withLock { state in
            let hasRoom = state.resolved.count < Self.cardinalityLimit - 1
            let key = hasRoom || state.resolved[attributes] != nil ? attributes : Self.overflow
            let cell = state.resolved[key] ?? ResolvedCell(aggregation)
            state.resolved[key] = cell
            return cell
        }
    }

    func add(_ value: MetricNumber, _ attributes: Attributes) {
        state.withLock { state in
            let hasRoom = state.cells.count < Self.cardinalityLimit - 1
            let key = hasRoom || state.cells[attributes] != nil ? attributes : Self.overflow
            state.cells[key, default: MetricCell(aggregation)].add(value)
        }
    }

    /// The points since the last collection (`delta`, which starts again) or since the start; `nil` if there is none.
    ///
    /// Gauges have the last value with either temporality.
    func collect(_ temporality: AggregationTemporality, now: UInt64) -> MetricData? {
        let applied = aggregation.temporality(preferring: temporality)
        let (cells, start) = state.withLock { state in
            // The wall clock may have been set back since.
            var cells = state.cells
            for (key, resolved) in state.resolved {
                guard let cell = resolved.take(isReset: applied == .delta) else { continue }
                cells[key] = cells[key]?.merged(with: cell) ?? cell
            }
            if aggregation.isObserved, applied == .delta { cells = state.differences(of: cells) }
            let taken = (cells, min(state.startTimeUnixNano, now))
            if applied == .delta || aggregation.isObserved { state.cells.removeAll(keepingCapacity: true) }
            if applied == .delta { state.startTimeUnixNano = now }
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
        let ordered = cells.sorted { $0.key.description < $1.key.description }
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
