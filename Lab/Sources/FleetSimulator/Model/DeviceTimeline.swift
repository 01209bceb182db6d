import AstrolabeDeviceConditions
import AstrolabeTelemetryModel

/// What one device lives through, in order of time; drawn from the model, or written by a test.
struct DeviceTimeline: Sendable {
    struct Step: Sendable {
        /// Seconds since the start.
        let time: Double
        let event: Event

        init(at time: Double, _ event: Event) {
            self.time = time
            self.event = event
        }
    }

    enum Event: Sendable {
        /// The phone gets another path, which carries as much as the link says, whatever the phone believes.
        case network(NetworkPath, LinkQuality)
        case power(Power)
        case heat(ThermalState)
        case memory(MemoryPressure)
        /// Of a running app; nothing where none runs.
        case lifecycle(LifecycleState)
        /// The app's process starts; nothing where one runs.
        case launch
        /// The process is to die at its next request, while that is on its way.
        case scheduleKill
        case end(EndOfRun)
        /// A test's script makes records of one kind and priority.
        case records(RecordKind, Priority, count: Int)
    }

    /// How the app's process ends.
    enum EndOfRun: String, Sendable, CaseIterable {
        /// By its own fault: it leaves a report for its next start.
        case crash
        /// By the system, without a word.
        case kill
        /// By its user, with a last moment to flush.
        case quit
    }

    let steps: [Step]
    /// Seconds.
    let duration: Double
    /// What somebody does with the app while it is in front; a test's script may do without.
    let isUsed: Bool

    /// Steps may be given in any order; those of one time keep theirs.
    init(steps: [Step], duration: Double, isUsed: Bool) {
        self.steps = steps.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        self.duration = duration
        self.isUsed = isUsed
    }

    /// All paths with the time from which they last.
    var paths: [(time: Double, path: NetworkPath, link: LinkQuality)] {
        steps.compactMap { step in
            if case .network(let path, let link) = step.event { (step.time, path, link) } else { nil }
        }
    }
}

/// How much of what is sent over a path arrives, and when.
enum LinkQuality: String, Sendable, CaseIterable {
    case good, fair, poor
    /// Nothing passes though the phone shows a network: a captive portal, a router without a line.
    case dead

    /// The share of requests that get no answer.
    var loss: Double {
        switch self {
        case .good: 0.002
        case .fair: 0.01
        case .poor: 0.12
        case .dead: 1
        }
    }

    /// Seconds from the first byte to the answer, without the body.
    var latency: ClosedRange<Double> {
        switch self {
        case .good: 0.03...0.12
        case .fair: 0.08...0.3
        case .poor, .dead: 0.5...3
        }
    }

    var bytesPerSecond: Double {
        switch self {
        case .good: 2_000_000
        case .fair: 400_000
        case .poor, .dead: 16_000
        }
    }
}
