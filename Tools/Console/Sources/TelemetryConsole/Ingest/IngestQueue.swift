/// The heavy requests that run and wait, and the choice of the next one. ``IngestAdmission`` drives it.
///
/// A request is heavy by the work it makes and not by the bytes it arrived in: one that decompresses to more than
/// ``lightBytes``, or that has more than ``lightRecords``. Of those that wait, the sender goes first that has the
/// fewest running and has used the least time.
struct IngestQueue: Sendable {
    /// The longest body, decompressed, of a light request: 256 KiB, about 500 spans.
    static let lightBytes = 256 << 10
    /// The largest number of records of a light request. A data point is a record.
    static let lightRecords = 2_048

    struct Limits: Sendable {
        /// The largest number of heavy requests that run at the same time.
        var running = 2
        /// The largest number of heavy requests that wait.
        var waiting = 64
        /// The largest number of heavy requests of one sender that wait.
        var waitingOfSender = 32
        /// The longest time that a heavy request waits.
        var timeout: Duration = .seconds(10)
    }

    enum Admission: Sendable, Hashable {
        case runs
        case waits(ticket: Int)
        case refused
    }

    private struct Sender {
        /// The time that its requests have run.
        var work: Duration
        var running = 0
        var waiting: [Int] = []
    }

    let limits: Limits
    /// Those with a request that runs or waits.
    private var senders: [String: Sender] = [:]
    private var running = 0
    private var nextTicket = 0

    init(limits: Limits) {
        self.limits = limits
    }

    var waitingCount: Int { senders.values.reduce(0) { $0 + $1.waiting.count } }

    mutating func enter(_ name: String) -> Admission {
        // One that is new has as much as the one with the least, and not an advantage for the time of its absence.
        var sender = senders[name] ?? Sender(work: senders.values.map(\.work).min() ?? .zero)
        let admission: Admission
        if running < limits.running {
            running += 1
            sender.running += 1
            admission = .runs
        } else if sender.waiting.count < limits.waitingOfSender, waitingCount < limits.waiting {
            sender.waiting.append(nextTicket)
            admission = .waits(ticket: nextTicket)
            nextTicket += 1
        } else {
            return .refused
        }
        senders[name] = sender
        return admission
    }

    /// Ends a request that ran for a time. Returns the ticket of the one that takes its place.
    mutating func leave(_ name: String, after work: Duration) -> Int? {
        running -= 1
        senders[name]?.running -= 1
        senders[name]?.work += work
        forget(name)
        let waiting = senders.filter { !$0.value.waiting.isEmpty }
        guard let next = waiting.min(by: { Self.rank($0.value) < Self.rank($1.value) })?.key else { return nil }
        running += 1
        senders[next]?.running += 1
        return senders[next]?.waiting.removeFirst()
    }

    /// Ends the wait for a turn. Returns `false` if the turn came already.
    mutating func giveUp(_ ticket: Int) -> Bool {
        guard let name = senders.first(where: { $0.value.waiting.contains(ticket) })?.key else { return false }
        senders[name]?.waiting.removeAll { $0 == ticket }
        forget(name)
        return true
    }

    private static func rank(_ sender: Sender) -> (Int, Duration, Int) {
        (sender.running, sender.work, sender.waiting.first ?? 0)
    }

    private mutating func forget(_ name: String) {
        if let sender = senders[name], sender.running == 0, sender.waiting.isEmpty { senders[name] = nil }
    }
}

/// The places of the light requests that run at the same time. One sender has a quarter of them at most, so that others
/// find one; its further requests wait in the ``IngestQueue``.
struct IngestPlaces: Sendable {
    enum Admission: Sendable, Hashable {
        case runs
        case waits
        case refused
    }

    private let limit: Int
    private var taken: [String: Int] = [:]
    private var total = 0

    /// - Parameter limit: The number of places.
    init(_ limit: Int) {
        self.limit = limit
    }

    mutating func enter(_ sender: String) -> Admission {
        guard total < limit else { return .refused }
        guard taken[sender, default: 0] < max(limit / 4, 1) else { return .waits }
        total += 1
        taken[sender, default: 0] += 1
        return .runs
    }

    mutating func leave(_ sender: String) {
        total -= 1
        taken[sender] = taken[sender].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
