import AstrolabeTelemetryModel

/// Takes the measurements of one instrument. Without views it has one metric.
final class InstrumentStorage: Sendable {
    let descriptor: InstrumentDescriptor
    private let first: MetricStream
    private let others: [MetricStream]
    private let core: RecordingCore
    /// `nil` if no measurement becomes an exemplar.
    private let exemplars: ExemplarSource?

    init(
        _ descriptor: InstrumentDescriptor, first: MetricStream, others: [MetricStream], core: RecordingCore,
        exemplars: ExemplarSource?,
    ) {
        self.descriptor = descriptor
        self.exemplars = descriptor.kind.isObserved ? nil : exemplars
        self.first = first
        self.others = others
        self.core = core
    }

    private func admitted(_ attributes: Attributes) -> Attributes {
        attributes.isEmpty
            ? attributes : core.admitted(attributes, limit: core.limits.attributeCount).kept.sortedByKey
    }

    /// The cells of these attributes, one of each metric. Equal attributes have the same ones.
    func bind(_ attributes: Attributes) -> BoundCells {
        let kept = admitted(attributes)
        return BoundCells(
            first: first.bind(kept), others: others.map { $0.bind(kept) }, attributes: kept, exemplars: exemplars,
            periods: core.periods)
    }

    /// Adds a measurement; while consent is denied, none.
    func add(_ value: MetricNumber, _ attributes: Attributes) {
        guard let period = core.periods.permitted else { return }
        let kept = admitted(attributes)
        let offer = exemplars?.offer(kept)
        first.add(value, kept, offer, in: period)
        for stream in others { stream.add(value, kept, offer, in: period) }
    }
}
