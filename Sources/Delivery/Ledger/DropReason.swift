import AstrolabeJournal
import AstrolabeOfflineQueue

/// Why a record was given up. Each record that is given up has exactly one reason.
public enum DropReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// Its trace was not chosen by the sampler.
    case sampledOut = "sampled out"
    /// The mode of the moment does not collect its kind.
    case notAdmitted = "not admitted"
    /// There was no room left, and it was of the lowest priority and the oldest of that.
    case evicted = "evicted"
    /// It had waited for longer than records are kept.
    case expired = "expired"
    /// The server asked for a retry once too often.
    case retriesSpent = "retries spent"
    /// The server refused it, or said that it took only others of the batch.
    case rejected = "rejected"
    /// It was longer than the journal or the queue takes.
    case oversized = "oversized"
    /// Records came faster than room for them could be made.
    case bufferFull = "buffer full"
    /// The disk had no space.
    case diskFull = "disk full"
    /// A kill cut its writing short, or its file was damaged.
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
        case .refusedTooOften: self = .retriesSpent
        case .oversized: self = .oversized
        case .corrupt: self = .corrupt
        }
    }
}

/// What the journal notes of a record that has left it.
extension JournalOutcome {
    static let delivered = JournalOutcome.acknowledged
    /// It waits in the queue now.
    static let queued = JournalOutcome(caller: 1)
    static let rejected = JournalOutcome(caller: 2)

    /// Why a record of this outcome was given up; `nil` where it was not.
    var dropReason: DropReason? {
        switch self {
        case .rejected: .rejected
        case .evicted: .evicted
        default: nil
        }
    }
}
