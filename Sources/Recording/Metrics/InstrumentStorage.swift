import AstrolabeTelemetryModel

/// Takes the measurements of one instrument.
final class InstrumentStorage: Sendable {
    let descriptor: InstrumentDescriptor
    let stream: MetricStream
    private let core: RecordingCore

    init(_ descriptor: InstrumentDescriptor, stream: MetricStream, core: RecordingCore) {
        self.descriptor = descriptor
        self.stream = stream
        self.core = core
    }

    private func admitted(_ attributes: Attributes) -> Attributes {
        attributes.isEmpty
            ? attributes : core.admitted(attributes, limit: core.limits.attributeCount).kept.sortedByKey
    }

    /// The cell of these attributes. Equal attributes have the same one.
    func resolve(_ attributes: Attributes) -> MetricStream.ResolvedCell {
        stream.resolve(admitted(attributes))
    }

    func add(_ value: MetricNumber, _ attributes: Attributes) {
        stream.add(value, admitted(attributes))
    }
}
