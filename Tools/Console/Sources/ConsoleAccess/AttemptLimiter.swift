/// Limits how often one address may present unknown keys.
///
/// Revoked keys do not count: an old version of an app goes on to send one, perhaps from the address of a whole office.
struct AttemptLimiter: Sendable {
    /// The unknown keys of one address in ``window`` after which it must wait.
    static let attempts = 20
    static let window: Duration = .seconds(60)
    /// The number of addresses that are remembered. If there are more, the one that must wait least is forgotten.
    static let addresses = 10_000

    private struct Record {
        var start: ContinuousClock.Instant
        var attempts = 0
    }

    private var records: [String: Record] = [:]

    /// Returns the seconds that an address must wait; `nil` if it may try.
    func wait(_ address: String, at moment: ContinuousClock.Instant) -> Int? {
        guard let record = records[address], record.attempts >= Self.attempts else { return nil }
        let left = Self.window - (moment - record.start)
        return left > .zero ? Int(left.components.seconds) + 1 : nil
    }

    mutating func fail(_ address: String, at moment: ContinuousClock.Instant) {
        var record = records[address] ?? Record(start: moment)
        if moment - record.start >= Self.window { record = Record(start: moment) }
        record.attempts += 1
        records[address] = record
        guard records.count > Self.addresses else { return }
        records = records.filter { moment - $0.value.start < Self.window }
        if records.count > Self.addresses, let oldest = records.min(by: { $0.value.start < $1.value.start }) {
            records[oldest.key] = nil
        }
    }
}
