import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire

/// Decides whether a measurement may become an exemplar, and knows when and where it was made.
struct ExemplarSource: Sendable {
    private let isTraceBased: Bool
    private let core: RecordingCore

    /// `nil` if no measurement may.
    init?(_ filter: ExemplarFilter, core: RecordingCore) {
        guard filter != .off else { return nil }
        isTraceBased = filter == .traceBased
        self.core = core
    }

    /// The context of a measurement that is made now; `nil` if it may not become an exemplar.
    func offer(_ attributes: Attributes) -> ExemplarOffer? {
        let span = core.currentSpan
        if isTraceBased, span?.isSampled != true { return nil }
        return ExemplarOffer(context: span ?? .invalid, attributes: attributes, core: core)
    }
}

/// A measurement that may become an exemplar.
struct ExemplarOffer: Sendable {
    /// Bytes of an exemplar's own attributes as they are encoded. Those beyond are left out.
    static let attributeSizeLimit = 1_024

    let context: SpanContext
    let attributes: Attributes
    let core: RecordingCore

    var random: UInt64 { core.ids.next64() }

    /// - Parameter point: The attributes of its data point, which it does not repeat.
    func exemplar(_ value: MetricNumber, of point: Attributes) -> Exemplar {
        var filtered = Attributes()
        if attributes != point {
            var room = Self.attributeSizeLimit
            let own = attributes.filter { element in
                guard point[element.key] == nil else { return false }
                room -= Attributes(uniqueElements: [element]).wireSize
                return room >= 0
            }
            filtered = Attributes(uniqueElements: own)
        }
        return Exemplar(
            filteredAttributes: filtered, timeUnixNano: core.clock.now, value: value, traceID: context.traceID,
            spanID: context.spanID)
    }
}
