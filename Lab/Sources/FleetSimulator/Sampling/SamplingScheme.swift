/// A way to choose the sessions that a phone sends: a row of the comparison.
struct SamplingScheme: Sendable, Hashable {
    /// The share of sessions that is chosen when they begin.
    enum Rate: Sendable, Hashable {
        /// `configuration.sampling = .ratio(share)`, whatever the conditions are.
        case fixed(Double)
        /// The policy's default: 10 % on battery, 100 % on a charger, less if the battery is low.
        case policy
    }

    let rate: Rate
    let hasRecorder: Bool

    static let everything = SamplingScheme(rate: .fixed(1), hasRecorder: false)

    /// With no session chosen when it begins.
    static let recorderAlone = SamplingScheme(rate: .fixed(0), hasRecorder: true)

    static let all = [
        SamplingScheme(rate: .fixed(0.01), hasRecorder: false), SamplingScheme(rate: .fixed(0.1), hasRecorder: false),
        SamplingScheme(rate: .fixed(0.5), hasRecorder: false), everything,
        SamplingScheme(rate: .policy, hasRecorder: false), recorderAlone,
        SamplingScheme(rate: .fixed(0.01), hasRecorder: true), SamplingScheme(rate: .fixed(0.1), hasRecorder: true),
        SamplingScheme(rate: .policy, hasRecorder: true),
    ]

    /// - Parameter policyRate: The rate that the policy has decided.
    func share(_ policyRate: Double) -> Double {
        switch rate {
        case .fixed(let share): share
        case .policy: policyRate
        }
    }

    var label: String {
        switch rate {
        case .fixed(0) where hasRecorder: "recorder alone"
        case .fixed(let share):
            (hasRecorder ? "recorder + " : "head ") + NumberFormatting.decimal(100 * share, 0) + " %"
        case .policy: hasRecorder ? "recorder + policy" : "policy's rates"
        }
    }
}

/// Something that goes wrong in a session. Each has a trigger of the flight recorder.
enum SamplingFault: String, Sendable, CaseIterable {
    case crash, hang
    case runEnd = "run_end"
    case failedRequest = "http"
    case abandonedFlow = "flow"
    case slow

    /// The weights of the kinds among bad sessions.
    static let weights: [(SamplingFault, Double)] = [
        (.crash, 8), (.hang, 12), (.runEnd, 5), (.failedRequest, 45), (.abandonedFlow, 25), (.slow, 5),
    ]

    /// True if the process ends, so that the next start reports it.
    var endsProcess: Bool { self == .crash || self == .runEnd }

    /// Seconds from the action in which it happens to the trigger.
    var delay: Double {
        switch self {
        case .crash, .runEnd: 0.5
        case .hang: 3
        case .failedRequest, .slow, .abandonedFlow: 0.05
        }
    }

    var label: String {
        switch self {
        case .crash: "crashed"
        case .hang: "hung"
        case .runEnd: "killed"
        case .failedRequest: "failed"
        case .abandonedFlow: "abandoned"
        case .slow: "slow"
        }
    }
}
