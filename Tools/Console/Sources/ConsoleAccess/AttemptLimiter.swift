/// Limits how often unknown keys are tried from one network.
///
/// It is asked about unknown keys alone, so no one's wrong key keeps out a valid one. Keys that begin alike count
/// together: a sender with a mistyped key does not use up the attempts of its neighbours. Revoked keys do not count,
/// because an old version of an app goes on to send one, perhaps from the address of a whole office.
struct AttemptLimiter: Sendable {
    /// The unknown keys of one network that begin alike, in ``window``, after which further ones are refused.
    static let attempts = 20
    /// The unknown keys of one network, in ``window``, after which further ones are refused however they begin.
    static let attemptsOfNetwork = 100
    static let window: Duration = .seconds(60)
    /// The number of networks that are remembered. If there are more, the oldest one is forgotten.
    static let networks = 1_000

    private struct Record {
        let start: ContinuousClock.Instant
        var attempts: [KeyPrefix: Int] = [:]
        var refused: [KeyPrefix: Int] = [:]

        var total: Int { attempts.values.reduce(0, +) }
    }

    private var records: [String: Record] = [:]

    /// Counts an unknown key.
    ///
    /// - Returns: The seconds until the next attempt, if there were too many; `nil` if there were not.
    mutating func count(_ prefix: KeyPrefix, from network: String, at moment: ContinuousClock.Instant) -> Int? {
        var record = records[network] ?? Record(start: moment)
        if moment - record.start >= Self.window { record = Record(start: moment) }
        defer { keep(record, of: network, at: moment) }
        guard record.total >= Self.attemptsOfNetwork || record.attempts[prefix, default: 0] >= Self.attempts else {
            record.attempts[prefix, default: 0] += 1
            return nil
        }
        // Beginnings that were never counted are one, so that a record does not grow with what is refused.
        record.refused[record.attempts[prefix] == nil ? .others : prefix, default: 0] += 1
        return Self.secondsLeft(of: record, at: moment)
    }

    /// Returns what is refused now, the most frequent first.
    func lockOuts(at moment: ContinuousClock.Instant) -> [LockOut] {
        records.flatMap { network, record -> [LockOut] in
            guard moment - record.start < Self.window else { return [] }
            return record.refused.map { prefix, refused in
                LockOut(
                    network: network, keys: prefix.shown, refused: refused,
                    secondsLeft: Self.secondsLeft(of: record, at: moment))
            }
        }.sorted { ($1.refused, $0.network, $0.keys ?? "") < ($0.refused, $1.network, $1.keys ?? "") }
    }

    private static func secondsLeft(of record: Record, at moment: ContinuousClock.Instant) -> Int {
        Int((window - (moment - record.start)).components.seconds) + 1
    }

    private mutating func keep(_ record: Record, of network: String, at moment: ContinuousClock.Instant) {
        records[network] = record
        guard records.count > Self.networks else { return }
        records = records.filter { moment - $0.value.start < Self.window }
        if records.count > Self.networks, let oldest = records.min(by: { $0.value.start < $1.value.start }) {
            records[oldest.key] = nil
        }
    }
}

/// A network from which further unknown keys are refused with 429 until its minute is over. Valid keys are admitted.
package struct LockOut: Sendable, Hashable {
    /// For example `192.0.2.0/24` or `2001:db8::/64`.
    package let network: String
    /// The beginning of the keys, for example `astrolabe_ingest_Zx3k`; `nil` if they have another form, or many
    /// beginnings.
    package let keys: String?
    /// The number of requests that were refused since the lock-out began.
    package let refused: Int
    package let secondsLeft: Int
}

/// The beginning of a presented key, by which attempts are counted: the use and 4 characters, or 4 bytes of a text of
/// another form.
struct KeyPrefix: Sendable, Hashable {
    /// Stands for the beginnings that a network without attempts left has not tried before.
    static let others = KeyPrefix(bytes: [], isOurs: false)

    private let bytes: [UInt8]
    private let isOurs: Bool

    private init(bytes: [UInt8], isOurs: Bool) {
        self.bytes = bytes
        self.isOurs = isOurs
    }

    init(_ key: [UInt8]) {
        let start = KeyUse.allCases.map { Array(KeyText.start(of: $0).utf8) }.first { key.starts(with: $0) }
        self.init(bytes: Array(key.prefix((start?.count ?? 0) + 4)), isOurs: start != nil)
    }

    /// The part of it that a page may show. A text of another form may be a password, so nothing of it is shown.
    var shown: String? { isOurs ? String(decoding: bytes, as: UTF8.self) : nil }
}
