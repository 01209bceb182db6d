import AstrolabeDeviceConditions
import AstrolabeTelemetryModel

/// The conditions of one device over time, with the times at which its records were made and arrived.
struct DeviceStory: Sendable, Equatable {
    struct Arrival: Sendable, Equatable {
        let kind: RecordKind
        let priority: Priority
        let made: Double
        let arrived: Double
    }

    struct Mark: Sendable, Equatable {
        let time: Double
        let what: DeviceTimeline.EndOfRun
    }

    /// A value with the time at which it starts.
    struct Change<Value: Sendable & Equatable>: Sendable, Equatable {
        let time: Double
        let value: Value
    }

    let device: Int
    let model: String
    var network: [Change<NetworkPath.Medium>] = []
    var links: [Change<LinkQuality>] = []
    var battery: [Change<Power>] = []
    var heat: [Change<ThermalState>] = []
    var activity: [Change<FleetResults.Activity>] = []
    var waiting: [Change<Int>] = []
    var arrivals: [Arrival] = []
    var ends: [Mark] = []

    init(device: Int, model: String) {
        self.device = device
        self.model = model
    }

    /// The weight of the events of the story: the number of delays, ends of the process, and changes of conditions.
    private var eventfulness: Double {
        let media = Set(network.map(\.value)).count
        let modes = Set(activity.map(\.value)).count
        let kinds = Set(ends.map(\.what)).count
        let late = arrivals.reduce(0) { $0 + min($1.arrived - $1.made, 7_200) } / 7_200
        let urgent = arrivals.contains { $0.priority == .critical } ? 6.0 : 0
        let moves = zip(network, network.dropFirst()).filter { $0.value != $1.value }
        let changes = 1.5 * Double(Set(moves.map { Int($1.time / 3_600) }).count)
        return Double(6 * media + 3 * modes + 5 * kinds) + urgent + changes + min(late / 8, 16)
            + (arrivals.count > 400 ? 8 : 0)
    }

    func isBetter(than other: DeviceStory) -> Bool {
        let (mine, others) = (eventfulness, other.eventfulness)
        return mine == others ? device < other.device : mine > others
    }
}
