/// The counts of one scheme, of a phone or of a fleet. They can be added in any order.
struct SamplingTally: Sendable, Equatable {
    /// The bad sessions of a kind.
    struct Sessions: Sendable, Equatable {
        var count = 0
        /// Those whose window is at the collector with every span, and with every event that the mode collects.
        var full = 0
        /// Those of which this holds from their first record to their last.
        var whole = 0
    }

    var sessions: [SamplingFault: Sessions] = [:]
    /// Why a bad session is not in full: the fate of its first missing record.
    var missing: [RecordFate: Int] = [:]
    /// Bytes of requests with spans, and of all others.
    var tracesSent = 0
    var othersSent = 0
    /// Bytes written to the journal and the queue, and to the ring.
    var stored = 0
    var ringWritten = 0

    var sent: Int { tracesSent + othersSent }
    var written: Int { stored + ringWritten }
    var all: Sessions { sessions.values.reduce(into: Sessions()) { $0 += $1 } }

    static func += (left: inout SamplingTally, right: SamplingTally) {
        left.sessions.merge(right.sessions) { one, other in
            var sum = one
            sum += other
            return sum
        }
        left.missing.merge(right.missing, uniquingKeysWith: +)
        left.tracesSent += right.tracesSent
        left.othersSent += right.othersSent
        left.stored += right.stored
        left.ringWritten += right.ringWritten
    }
}

extension SamplingTally.Sessions {
    static func += (left: inout Self, right: Self) {
        left.count += right.count
        left.full += right.full
        left.whole += right.whole
    }
}

/// The place of a record, or the reason for which it does not arrive.
enum RecordFate: String, Sendable, CaseIterable {
    /// It was not made: the process had ended.
    case unmade
    case arrived
    /// In the journal or the queue.
    case waiting
    case evicted
    /// Its session was not chosen, and there is no recorder.
    case sampledOut = "sampled_out"
    /// The mode does not collect it, and there is no recorder.
    case notCollected = "not_collected"
    /// The recorder was off: mode minimal, or memory critical.
    case recorderOff = "recorder_off"
    case hourlyBytes = "hourly_bytes"
    /// In the ring, and not promoted.
    case inRing = "in_ring"
    case dailyBytes = "daily_bytes"
    /// Also in the ring of a previous run, which was removed.
    case overwritten

    var label: String {
        switch self {
        case .unmade, .arrived: ""
        case .waiting: "still on the phone"
        case .evicted: "dropped by the queue"
        case .sampledOut: "session not chosen"
        case .notCollected: "not collected by the mode"
        case .recorderOff: "recorder off: mode minimal or memory critical"
        case .hourlyBytes: "recorder off: bytes of the hour written"
        case .inRing: "not asked for: trigger not reported, or over its limit"
        case .dailyBytes: "bytes of the day promoted"
        case .overwritten: "overwritten in the ring"
        }
    }
}
