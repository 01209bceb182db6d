import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePolicy
import AstrolabeTelemetryModel

/// What became of a device's records, or of a whole fleet's: results add up, whatever their order.
public struct FleetResults: Sendable {
    /// What the process of an app, or its device, is doing, as far as it decides about telemetry.
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

    /// A part of the simulated time, for all devices together.
    struct Bin: Sendable, Equatable {
        /// Records that were made and collected, and those that arrived.
        var kept = 0
        var arrived = 0
        /// What waited at its end.
        var inJournal = 0
        var inQueue = 0
        /// Milliseconds, by `Activity`.
        var activity = Array(repeating: 0, count: Activity.allCases.count)
    }

    /// Something that must not happen, and where it did.
    struct Problem: Sendable, Hashable, Comparable {
        let device: Int
        let text: String

        static func < (left: Problem, right: Problem) -> Bool {
            (left.device, left.text) < (right.device, right.text)
        }
    }

    /// Seconds that were simulated.
    let duration: Double
    /// Seconds of one bin.
    let binWidth: Double
    /// When the collector did not take what it got.
    var weather = CollectorOutages.fair
    var devices = 0
    var bins: [Bin]
    /// What the devices' own accounts say at the end.
    var ledger = RecordLedger()
    /// Records that were not collected, and whose count was lost with a kill.
    var uncounted = 0
    /// Records that the app made, by priority, without the spans that were sampled out.
    var made: [Priority: Int] = [:]
    /// Records that arrived, once or more.
    var arrived = 0
    /// From a record's time to its first arrival.
    var delays: [Priority: DelayHistogram] = [:]
    var duplicates: [RecordBook.UnacknowledgedReason: Int] = [:]
    /// Records that arrived after a younger one of the same kind and priority of their device.
    var orderViolations = 0
    /// Requests that were more urgent than one before them in the same flush.
    var urgencyViolations = 0
    var unbalancedDevices = 0
    /// How often a device's account was looked at.
    var balanceChecks = 0
    var problems: [Problem] = []
    var traffic = VirtualNetwork.Traffic()
    var flushes = 0
    var starts = 0
    var ends: [DeviceTimeline.EndOfRun: Int] = [:]
    /// Of the kills, those that came while a request was on its way.
    var killsInFlight = 0
    /// The device with the most eventful time.
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
        left.arrived += right.arrived
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

    /// Whether all that must hold holds.
    public var isSound: Bool { violations == 0 }

    /// How often something happened that must not.
    var violations: Int { orderViolations + urgencyViolations + unbalancedDevices + problems.count }
}
