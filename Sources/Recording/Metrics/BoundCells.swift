import AstrolabeTelemetryModel

/// The cells of an instrument for one set of attributes, one of each of its metrics.
///
/// The attributes are redacted, limited, seen by views and looked up once. From then on a measurement is a few atomic
/// operations.
final class BoundCells: Sendable {
    private let first: MeasuredCell
    private let others: [MeasuredCell]
    private let attributes: Attributes
    private let exemplars: ExemplarSource?
    private let periods: RecordingPeriods
    /// True if there is one metric, and no exemplars.
    private let isSimple: Bool

    init(
        first: MeasuredCell, others: [MeasuredCell], attributes: Attributes, exemplars: ExemplarSource?,
        periods: RecordingPeriods,
    ) {
        self.first = first
        self.others = others
        self.attributes = attributes
        self.exemplars = exemplars
        self.periods = periods
        isSimple = others.isEmpty && exemplars == nil
    }

    /// Adds a measurement; while consent is denied, none.
    @inline(__always)
    func add(_ value: MetricNumber) {
        guard let period = periods.permitted else { return }
        if isSimple {
            first.add(value, nil, in: period)
        } else {
            addToAll(value, in: period)
        }
    }

    @inline(never)
    private func addToAll(_ value: MetricNumber, in period: UInt64) {
        let offer = exemplars?.offer(attributes)
        first.add(value, offer, in: period)
        for cell in others { cell.add(value, offer, in: period) }
    }
}
