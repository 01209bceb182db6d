import AstrolabeTelemetryModel

/// The order of spans, events and metrics among requests.
///
/// The most urgent records come first, whatever their kind. But a kind waits for two requests of others at most. So
/// errors which come faster than a request takes keep no span and no metric waiting. Each of three kinds that wait has
/// a quarter of the requests at least.
struct KindTurns: Equatable, Sendable {
    private static let limit = 2

    /// The number of requests of other kinds since the last of a kind.
    private var passed: [RecordKind: Int] = [:]

    /// The kind whose turn it is, if it has records.
    func due(among kinds: RecordKinds) -> RecordKind? {
        guard kinds.all.count > 1 else { return nil }
        let waiting = passed.filter { $0.value >= Self.limit && kinds.contains($0.key) }
        return waiting.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }

    /// Notes that a kind has no records that may be sent.
    mutating func skip(_ kind: RecordKind) { passed[kind] = nil }

    /// Notes requests of these kinds.
    mutating func take(_ kinds: [RecordKind]) {
        for other in RecordKind.allCases { passed[other, default: 0] += kinds.count }
        for kind in kinds { passed[kind] = nil }
    }
}
