package import AstrolabeJournal
import AstrolabeOfflineQueue

/// Why a record was dropped. Each dropped record has exactly one reason.
public enum DropReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The sampler did not select its trace. Counted by versions before the flight recorder.
    case sampledOut = "sampled out"
    /// A closure of `TelemetryConfiguration.beforeSend` dropped it.
    case filtered = "filtered"
    /// The current telemetry mode does not collect its kind.
    case notAdmitted = "not admitted"
    /// Storage was full, and the record was the oldest of the lowest priority.
    case evicted = "evicted"
    /// It waited longer than the retention time.
    case expired = "expired"
    /// It exceeded the maximum number of retries.
    case retriesSpent = "retries spent"
    /// The server rejected it, in an error response or in a partial success.
    case rejected = "rejected"
    /// It exceeded the maximum record size of the journal or the queue.
    case oversized = "oversized"
    /// Records arrived faster than the journal could make room for them.
    case bufferFull = "buffer full"
    /// The disk was full.
    case diskFull = "disk full"
    /// The process was killed while writing it, or its file was damaged.
    case corrupt = "corrupt"
    /// It was made after the SDK was shut down.
    case shutDown = "shut down"

    init(_ refusal: JournalRefusal) {
        switch refusal {
        case .oversized: self = .oversized
        case .notReady, .full: self = .bufferFull
        case .diskFull: self = .diskFull
        case .closed: self = .shutDown
        }
    }

    init(_ drop: QueueDrop) {
        switch drop {
        case .evicted: self = .evicted
        case .expired: self = .expired
        case .retriesExhausted: self = .retriesSpent
        case .oversized: self = .oversized
        case .corrupt: self = .corrupt
        }
    }
}

/// The outcomes that delivery stores in the journal for completed records.
extension JournalOutcome {
    static let delivered = JournalOutcome.acknowledged
    /// The record moved to the queue.
    static let queued = JournalOutcome(caller: 1)
    static let rejected = JournalOutcome(caller: 2)
    /// The flight recorder has overwritten it, or its run has ended, and nothing has asked for it.
    package static let notSent = JournalOutcome(caller: 3)

    /// Why a record with this outcome was dropped; `nil` if it was not dropped.
    var dropReason: DropReason? {
        switch self {
        case .rejected: .rejected
        case .evicted: .evicted
        default: nil
        }
    }
}
