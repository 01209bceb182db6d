import AstrolabePlatform

/// The newest scans, so that a list that is read again, as a page does with each change, reads only the new records.
final class KeptScans: Sendable {
    struct Scan: Sendable {
        /// The entries for each condition of the scan.
        let entries: [Set<Int64>]
        /// The number of the last record that was read.
        let through: Int64
        let made: ContinuousClock.Instant
    }

    /// The age at which everything is read again. A trace may have got a session since, which then has its records.
    private static let oldest: Duration = .seconds(60)
    private static let countLimit = 8
    /// The maximum number of entries of a scan that is kept.
    private static let entryLimit = 500_000

    private let scans = Locked<[TextScan: Scan]>([:])

    subscript(scan: TextScan) -> Scan? {
        get {
            scans.withLock { scans in
                guard let kept = scans[scan], ContinuousClock.now < kept.made + Self.oldest else { return nil }
                return kept
            }
        }
        set {
            guard let newValue, newValue.entries.reduce(0, { $0 + $1.count }) <= Self.entryLimit else { return }
            scans.withLock { scans in
                scans[scan] = newValue
                guard scans.count > Self.countLimit else { return }
                if let first = scans.min(by: { $0.value.made < $1.value.made }) { scans[first.key] = nil }
            }
        }
    }
}
