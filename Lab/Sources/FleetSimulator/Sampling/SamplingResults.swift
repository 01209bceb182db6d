/// The results of a comparison, of one phone or of a fleet. They can be added in any order.
public struct SamplingResults: Sendable, Equatable {
    /// The results for one share of bad sessions.
    struct Part: Sendable, Equatable {
        let badShare: Double
        /// By row of `SamplingScheme.all`.
        var tallies = Array(repeating: SamplingTally(), count: SamplingScheme.all.count)

        func tally(of scheme: SamplingScheme) -> SamplingTally {
            SamplingScheme.all.firstIndex(of: scheme).map { tallies[$0] } ?? SamplingTally()
        }

        /// Of sampling that chooses every session.
        var everything: SamplingTally { tally(of: .everything) }
    }

    let hours: Int
    let seed: UInt64
    private(set) var devices = 0
    private(set) var sessions = 0
    /// The records that the app made before any fault: spans and events.
    private(set) var records = 0
    /// The main share of bad sessions comes first.
    var parts: [Part]

    init(settings: FleetSettings, badShares: [Double]) {
        hours = settings.hours
        seed = settings.seed
        parts = badShares.map { Part(badShare: $0) }
    }

    /// Counts a phone.
    mutating func add(_ plan: PhonePlan) {
        devices += 1
        sessions += plan.sessions.count
        records += plan.actions.reduce(0) { $0 + $1.spans + 1 }
    }

    static func += (left: inout SamplingResults, right: SamplingResults) {
        left.devices += right.devices
        left.sessions += right.sessions
        left.records += right.records
        for (part, other) in right.parts.enumerated() {
            for (row, tally) in other.tallies.enumerated() { left.parts[part].tallies[row] += tally }
        }
    }

    /// Bytes of each phone in a day.
    func perDay(_ bytes: Int) -> Int {
        Int((Double(bytes) / Double(max(devices, 1)) / Double(hours) * 24).rounded())
    }
}
