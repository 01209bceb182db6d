import AstrolabePlatform
import AstrolabeTelemetryModel

/// What an instrument is; requests with the same scope, name and kind share the first one's.
struct InstrumentDescriptor: Hashable, Sendable {
    var scope: InstrumentationScope
    var name: String
    var unit: String
    var description: String
    var kind: InstrumentKind
}

enum InstrumentKind: Hashable, Sendable {
    case sum(isMonotonic: Bool)
    /// A sum whose total is observed before each collection.
    case observedSum(isMonotonic: Bool)
    case histogram(bounds: [Double])
    case gauge

    /// The same for all histograms, since bounds are advice that does not tell one instrument from another.
    var identity: InstrumentKind {
        if case .histogram = self { .histogram(bounds: []) } else { self }
    }

    /// An up-down counter is always cumulative, as the specification's preference "delta" has it.
    func temporality(preferring temporality: AggregationTemporality) -> AggregationTemporality {
        switch self {
        case .sum(isMonotonic: false), .observedSum(isMonotonic: false): .cumulative
        case .sum, .observedSum, .histogram, .gauge: temporality
        }
    }

    /// Whether a set of attributes that is not observed again is no longer reported.
    var isObserved: Bool {
        if case .observedSum = self { true } else { false }
    }
}

/// The running aggregation of one instrument, a cell for each set of attributes.
///
/// Measuring takes the lock for a dictionary look-up; it is not on the span path.
final class InstrumentStorage: Sendable {
    let descriptor: InstrumentDescriptor
    private let core: RecordingCore
    private let state: Locked<State>

    /// The specification's limit on sets of attributes; measurements beyond it go to one cell that says so.
    static let cardinalityLimit = 2_000
    private static let overflow: Attributes = ["otel.metric.overflow": true]

    private struct State {
        var cells: [Attributes: Cell] = [:]
        var resolved: [Attributes: ResolvedCell] = [:]
        /// The observed totals that have been reported.
        var reported: [Attributes: MetricNumber] = [:]
        var startTimeUnixNano: UInt64

        /// Turns observed totals into what has been added since each was reported.
        mutating func differences(of cells: [Attributes: Cell]) -> [Attributes: Cell] {
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
        private let kind: InstrumentKind
        private let content: Locked<Cell?>

        fileprivate init(_ kind: InstrumentKind) {
            self.kind = kind
            content = Locked(nil)
        }

        func add(_ value: MetricNumber) {
            content.withLock { content in
                if content == nil { content = Cell(kind: kind) }
                content?.add(value)
            }
        }

        fileprivate func take(isReset: Bool) -> Cell? {
            content.withLock { content in
                defer { if isReset { content?.reset() } }
                return content.flatMap { $0.isEmpty ? nil : $0 }
            }
        }
    }

    init(_ descriptor: InstrumentDescriptor, core: RecordingCore) {
        self.descriptor = descriptor
        self.core = core
        state = Locked(State(startTimeUnixNano: core.clock.now))
    }

    private func admitted(_ attributes: Attributes) -> Attributes {
        attributes.isEmpty
            ? attributes : core.admitted(attributes, limit: core.limits.attributeCount).kept.sortedByKey
    }

    /// The cell of these attributes. Equal attributes have the same one.
    func resolve(_ attributes: Attributes) -> ResolvedCell {
        let kept = admitted(attributes)
        return state.withLock { state in
            let hasRoom = state.resolved.count < Self.cardinalityLimit - 1
            let key = hasRoom || state.resolved[kept] != nil ? kept : Self.overflow
            let cell = state.resolved[key] ?? ResolvedCell(descriptor.kind)
            state.resolved[key] = cell
            return cell
        }
    }

    func add(_ value: MetricNumber, _ attributes: Attributes) {
        let kept = admitted(attributes)
        state.withLock { state in
            let hasRoom = state.cells.count < Self.cardinalityLimit - 1
            let key = hasRoom || state.cells[kept] != nil ? kept : Self.overflow
            state.cells[key, default: Cell(kind: descriptor.kind)].add(value)
        }
    }

    /// The points since the last collection (`delta`, which starts anew) or since the start; empty where there are
    /// none.
    ///
    /// Gauges give the last value either way.
    func collect(_ temporality: AggregationTemporality, now: UInt64) -> MetricData? {
        let applied = descriptor.kind.temporality(preferring: temporality)
        let (cells, start) = state.withLock { state in
            // The wall clock may have been set back since.
            var cells = state.cells
            for (key, resolved) in state.resolved {
                guard let cell = resolved.take(isReset: applied == .delta) else { continue }
                cells[key] = cells[key]?.merged(with: cell) ?? cell
            }
            if descriptor.kind.isObserved, applied == .delta { cells = state.differences(of: cells) }
            let taken = (cells, min(state.startTimeUnixNano, now))
            if applied == .delta || descriptor.kind.isObserved { state.cells.removeAll(keepingCapacity: true) }
            if applied == .delta { state.startTimeUnixNano = now }
            return taken
        }
        guard !cells.isEmpty else { return nil }
        return MetricData(
            name: descriptor.name, description: descriptor.description, unit: descriptor.unit,
            data: points(cells, start: start, now: now, temporality: applied), )
    }

    private func points(
        _ cells: [Attributes: Cell], start: UInt64, now: UInt64, temporality: AggregationTemporality,
    ) -> MetricData.Points {
        let ordered = cells.sorted { $0.key.description < $1.key.description }
        switch descriptor.kind {
        case .gauge:
            return .gauge(
                ordered.map { NumberPoint(attributes: $0.key, timeUnixNano: now, value: $0.value.number) })
        case .sum(let isMonotonic), .observedSum(let isMonotonic):
            return .sum(
                ordered.map {
                    NumberPoint(
                        attributes: $0.key, startTimeUnixNano: start, timeUnixNano: now, value: $0.value.number, )
                }, temporality: temporality, isMonotonic: isMonotonic, )
        case .histogram(let bounds):
            return .histogram(
                ordered.map {
                    HistogramPoint(
                        attributes: $0.key, startTimeUnixNano: start, timeUnixNano: now, count: $0.value.count,
                        sum: $0.value.sum, min: $0.value.minimum, max: $0.value.maximum,
                        bucketCounts: $0.value.bucketCounts, explicitBounds: bounds, )
                }, temporality: temporality, )
        }
    }

    /// One aggregated value.
    fileprivate struct Cell: Sendable {
        private let kind: InstrumentKind
        private(set) var isEmpty = true
        var number = MetricNumber.int(0)
        var count: UInt64 = 0
        var sum = 0.0
        var minimum = Double.infinity
        var maximum = -Double.infinity
        var bucketCounts: [UInt64] = []

        init(kind: InstrumentKind) {
            self.kind = kind
            if case .histogram(let bounds) = kind {
                bucketCounts = Array(repeating: 0, count: bounds.count + 1)
            }
        }

        mutating func add(_ value: MetricNumber) {
            isEmpty = false
            switch kind {
            case .gauge, .observedSum: number = value
            case .sum: number = number.adding(value)
            case .histogram(let bounds):
                let measured = value.doubleValue
                count += 1
                sum += measured
                minimum = Swift.min(minimum, measured)
                maximum = Swift.max(maximum, measured)
                bucketCounts[bounds.firstIndex { measured <= $0 } ?? bounds.count] += 1
            }
        }

        /// Forgets what was measured, and keeps the memory of the buckets.
        mutating func reset() {
            (isEmpty, number, count, sum) = (true, .int(0), 0, 0)
            (minimum, maximum) = (.infinity, -.infinity)
            for index in bucketCounts.indices { bucketCounts[index] = 0 }
        }

        func merged(with other: Cell) -> Cell {
            var cell = self
            if case .sum = kind { cell.number = number.adding(other.number) } else { cell.number = other.number }
            cell.count += other.count
            cell.sum += other.sum
            cell.minimum = Swift.min(minimum, other.minimum)
            cell.maximum = Swift.max(maximum, other.maximum)
            for index in bucketCounts.indices { cell.bucketCounts[index] += other.bucketCounts[index] }
            return cell
        }
    }
}

extension MetricNumber {
    /// The sum; integers stay integers until they would overflow.
    func adding(_ other: MetricNumber) -> MetricNumber {
        if case .int(let left) = self, case .int(let right) = other {
            let (sum, overflow) = left.addingReportingOverflow(right)
            if !overflow { return .int(sum) }
        }
        return .double(doubleValue + other.doubleValue)
    }

    /// The difference; integers stay integers until they would overflow.
    func subtracting(_ other: MetricNumber) -> MetricNumber {
        if case .int(let left) = self, case .int(let right) = other {
            let (difference, overflow) = left.subtractingReportingOverflow(right)
            if !overflow { return .int(difference) }
        }
        return .double(doubleValue - other.doubleValue)
    }
}
