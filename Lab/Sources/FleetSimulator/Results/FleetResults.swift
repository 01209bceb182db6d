import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePolicy
public import AstrolabeTelemetryModel

/// The results of one device or of a whole fleet. They can be added in any order.
public struct FleetResults: Sendable {
    /// The activity of an app or its device, as far as it affects telemetry.
    enum Activity: Int, Sendable, CaseIterable {
        case full, normal, reduced, minimal
        case suspended, notRunning

        init(_ mode: TelemetryMode) {
            switch mode {
            case .full: self = .full
            case .normal: self = .normal
            case .reduced: self = .reduced
            case .minimal: self = .minimal
            }
        }
    }

    /// A part of the simulated time, for all devices.
    struct Bin: Sendable, Equatable {
        /// The records collected, and those delivered.
        var kept = 0
        var arrived = 0
        /// The records waiting at its end.
        var inJournal = 0
        var inQueue = 0
        /// Milliseconds, by `Activity`.
        var activity = Array(repeating: 0, count: Activity.allCases.count)
    }

    /// A violation of an invariant, and where it happened.
    struct Problem: Sendable, Hashable, Comparable {
        let device: Int
        let text: String

        static func < (left: Problem, right: Problem) -> Bool {
            (left.device, left.text) < (right.device, right.text)
        }
    }

    /// The simulated time in seconds.
    let duration: Double
    /// The width of a bin in seconds.
    let binWidth: Double
    /// The outages of the collector.
    var outages = CollectorOutages.noOutages
    var devices = 0
    var bins: [Bin]
    /// The sum of the devices' ledgers at the end.
    var ledger = RecordLedger()
    /// The records that were not collected and whose count was lost in a kill.
    var uncounted = 0
    /// The records that the app made, by priority, without unsampled spans.
    var made: [Priority: Int] = [:]
    /// The records that arrived at least once.
    public internal(set) var arrivals: [RecordKind: Int] = [:]
    /// The delays from a record's time to its first arrival.
    var delays: [Priority: DelayHistogram] = [:]
    var duplicates: [RecordBook.UnacknowledgedReason: Int] = [:]
    /// The records that arrived after a newer one of the same kind and priority of their device.
    var orderViolations = 0
    /// The requests that were more urgent than an earlier one of the same kind in the same flush.
    var urgencyViolations = 0
    var unbalancedDevices = 0
    /// The number of times that a device's ledger was checked.
    var balanceChecks = 0
    var problems: [Problem] = []
    var traffic = VirtualNetwork.Traffic()
    var flushes = 0
    var starts = 0
    var ends: [DeviceTimeline.EndOfRun: Int] = [:]
    /// The kills during a request.
    var killsInFlight = 0
    /// The device with the most eventful story.
    var story: DeviceStory?

    init(duration: Double) {
        self.duration = duration
        binWidth = max(600, (duration / 288 / 60).rounded(.up) * 60)
        bins = Array(repeating: Bin(), count: max(1, Int((duration / binWidth).rounded(.up))))
    }

    func bin(at time: Double) -> Int { min(max(Int(time / binWidth), 0), bins.count - 1) }

    static func += (left: inout FleetResults, right: FleetResults) {
        left.devices += right.devices
        for (index, bin) in right.bins.enumerated() {
            left.bins[index].kept += bin.kept
            left.bins[index].arrived += bin.arrived
            left.bins[index].inJournal += bin.inJournal
            left.bins[index].inQueue += bin.inQueue
            for (activity, time) in bin.activity.enumerated() { left.bins[index].activity[activity] += time }
        }
        left.ledger.created += right.ledger.created
        left.ledger.delivered += right.ledger.delivered
        left.ledger.inJournal += right.ledger.inJournal
        left.ledger.inQueue += right.ledger.inQueue
        left.ledger.dropped.merge(right.ledger.dropped, uniquingKeysWith: +)
        left.uncounted += right.uncounted
        left.made.merge(right.made, uniquingKeysWith: +)
        left.arrivals.merge(right.arrivals, uniquingKeysWith: +)
        for (priority, delays) in right.delays { left.delays[priority, default: DelayHistogram()] += delays }
        left.duplicates.merge(right.duplicates, uniquingKeysWith: +)
        left.orderViolations += right.orderViolations
        left.urgencyViolations += right.urgencyViolations
        left.unbalancedDevices += right.unbalancedDevices
        left.balanceChecks += right.balanceChecks
        left.problems = Array((left.problems + right.problems).sorted().prefix(problemLimit))
        left.traffic.requests += right.traffic.requests
        left.traffic.failures += right.traffic.failures
        left.traffic.refusals += right.traffic.refusals
        left.traffic.bytes.merge(right.traffic.bytes, uniquingKeysWith: +)
        left.flushes += right.flushes
        left.starts += right.starts
        left.ends.merge(right.ends, uniquingKeysWith: +)
        left.killsInFlight += right.killsInFlight
        if let story = right.story, left.story.map({ story.isBetter(than: $0) }) ?? true { left.story = story }
    }

    private static let problemLimit = 20

    /// True if all invariants hold.
    public var isSound: Bool { violations == 0 }

    /// The number of violations.
    var violations: Int { orderViolations + urgencyViolations + unbalancedDevices + problems.count }
}
