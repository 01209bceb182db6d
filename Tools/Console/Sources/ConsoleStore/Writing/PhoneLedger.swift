import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

/// The latest ledger of a phone, as far as it says what the phone holds and what it has dropped.
///
///     created = delivered + pending + notSent + lost + leftOut
struct PhoneLedger: Sendable, Hashable {
    /// The part that a series counts.
    enum Part: Sendable, Hashable {
        case created, delivered, pending, notSent
        /// Dropped, although it was to be collected.
        case lost
        /// Dropped by sampling, or because the mode does not collect it.
        case leftOut

        /// - Parameter metric: The name of a gauge.
        init?(_ metric: String, _ attributes: Attributes) {
            switch metric {
            case MetricName.recordsCreated: self = .created
            case MetricName.recordsDelivered: self = .delivered
            case MetricName.recordsPending: self = .pending
            case MetricName.recordsNotSent: self = .notSent
            case MetricName.recordsDropped:
                let reason = attributes[AttributeKey.astrolabeDropReason]?.stringValue
                self = reason == RecordLoss.sampledOut || reason == "not admitted" ? .leftOut : .lost
            default: return nil
            }
        }
    }

    /// By the phone's clock, in nanoseconds since 1970; 0 without a ledger.
    var time: Int64 = 0
    var created: Int64 = 0
    var delivered: Int64 = 0
    var pending: Int64 = 0
    var notSent: Int64 = 0
    var lost: Int64 = 0
    var leftOut: Int64 = 0

    /// The largest number that is believed.
    private static let limit: Int64 = 1 << 53

    /// Adds a point. Points of an earlier time than that of the ledger are left out, and a later time begins another.
    mutating func add(_ value: Int64, to part: Part, at time: Int64) {
        guard time >= self.time else { return }
        if time > self.time { self = PhoneLedger(time: time) }
        let value = min(max(value, 0), Self.limit)
        switch part {
        case .created: created = created.clampedSum(value)
        case .delivered: delivered = delivered.clampedSum(value)
        case .pending: pending = pending.clampedSum(value)
        case .notSent: notSent = notSent.clampedSum(value)
        case .lost: lost = lost.clampedSum(value)
        case .leftOut: leftOut = leftOut.clampedSum(value)
        }
    }

    /// Adds the points of a later part, or takes the place of an earlier ledger.
    mutating func merge(_ newer: PhoneLedger) {
        guard newer.time == time else {
            if newer.time > time { self = newer }
            return
        }
        created = created.clampedSum(newer.created)
        delivered = delivered.clampedSum(newer.delivered)
        pending = pending.clampedSum(newer.pending)
        notSent = notSent.clampedSum(newer.notSent)
        lost = lost.clampedSum(newer.lost)
        leftOut = leftOut.clampedSum(newer.leftOut)
    }
}

/// A phone as the store knows it: a row of `phones`.
struct PhoneState: Sendable, Hashable {
    /// The minutes of its first and its last record, in nanoseconds since 1970 by the console's clock.
    var firstReport: Int64
    var lastReport: Int64
    /// The number of its records that are stored.
    var received: Int64 = 0
    var ledger = PhoneLedger()
    /// The losses that have been counted.
    var lostBefore: Int64 = 0
    /// The number by which ``received`` exceeds what the phone knows to be delivered, while nothing is on the way.
    ///
    /// A ledger is taken before the requests that carry it, so more has arrived by then than it says. The least
    /// difference so far has two causes: what the console never got, and the metrics that come with a ledger and are
    /// not counted in it.
    var baseline: Int64 = 0
    /// The time since which it holds records, by its ledgers.
    var heldFrom: Int64 = 0

    init(firstReport: Int64) {
        self.firstReport = firstReport
        lastReport = firstReport
    }

    /// The records that the phone held at its last ledger, and that have not arrived since.
    var held: Int64 {
        guard ledger.time > 0 else { return 0 }
        let sendable = ledger.created.clampedDifference(ledger.notSent).clampedDifference(ledger.lost)
            .clampedDifference(ledger.leftOut)
        let arrived = received.clampedDifference(baseline)
        return min(max(sendable.clampedDifference(arrived), 0), ledger.pending)
    }

    /// Adds what has arrived, and returns the number of records that the phone has dropped since its ledger before.
    ///
    /// - Parameters:
    ///   - metrics: The metrics among the records.
    ///   - newer: The latest ledger among the records.
    ///   - time: The arrival, in nanoseconds since 1970.
    mutating func report(_ records: Int64, metrics: Int64, _ newer: PhoneLedger?, at time: Int64) -> Int64 {
        received = received.clampedSum(records)
        lastReport = max(lastReport, time)
        var dropped: Int64 = 0
        if let newer, newer.time >= ledger.time {
            let before = ledger
            ledger.merge(newer)
            let isFirst = before.time == 0
            if isFirst { heldFrom = min(firstReport, ledger.time) }
            // After a reset of the app's files it counts from 0 again.
            let isReset = ledger.delivered < before.delivered && ledger.created > 0
            if ledger.created > 0 {
                let difference = received.clampedDifference(ledger.delivered)
                // At first all that the phone has delivered is taken to be here, unless less is here.
                baseline = min(isFirst ? metrics : isReset ? difference : baseline, difference)
            }
            if !isFirst, !isReset { dropped = max(ledger.lost.clampedDifference(lostBefore), 0) }
            lostBefore = isReset ? ledger.lost : max(ledger.lost, lostBefore)
        }
        if held == 0 { heldFrom = ledger.time }
        return dropped
    }
}
