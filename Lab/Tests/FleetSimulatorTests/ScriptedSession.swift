@testable import FleetSimulator

/// A phone that has one session, with an action every ten seconds and a flush every thirty. The app is opened again
/// 100 seconds after it.
struct ScriptedSession {
    var seconds = 600.0
    var fault = SamplingFault.failedRequest
    /// 0..<1; the action in which something goes wrong.
    var position = 0.99
    /// The number that a rate is compared with: a rate of 50 % and less does not choose it.
    var randomness = 0.5
    var outcome = PhonePlan.Outcome.arrives
    var limits = RecorderLimits()
    /// Seconds at which the app is killed, and started again.
    var restart: Double?
    /// Seconds at which it is killed and started again.
    var again: Double?
    /// The action during which the policy has the recorder off.
    var actionWithoutRecorder: Int?

    /// Records and requests whose sizes are easy to compute.
    static let costs = RecordCosts(payload: { _ in 400 }, body: { _, count in 200 + 80 * count })

    var plan: PhonePlan {
        let times = Array(stride(from: 10.0, through: seconds, by: 10))
        var plan = PhonePlan()
        plan.sessions = [
            PhonePlan.Session(
                start: 0, actions: 0..<times.count, randomness: randomness, faultDraw: 0, fault: fault,
                position: position, relaunch: nil)
        ]
        plan.uses = [
            PhonePlan.Use(start: 0, end: seconds + 1), PhonePlan.Use(start: seconds + 100, end: seconds + 160),
        ]
        plan.actions = times.enumerated().map { index, time in
            PhonePlan.Action(time: time, session: 0, spans: 3, isRecorderOn: index != actionWithoutRecorder)
        }
        plan.moments = [PhonePlan.Moment(time: 0, event: .launch(reporting: nil))]
        plan.moments += times.indices.map { PhonePlan.Moment(time: times[$0], event: .action($0)) }
        plan.moments += stride(from: 30.5, through: seconds + 2_100, by: 30).map { time in
            PhonePlan.Moment(time: time, event: .flush(outcome))
        }
        for time in [restart, again].compactMap(\.self) {
            plan.moments.append(PhonePlan.Moment(time: time, event: .launch(reporting: nil)))
        }
        plan.moments.sort { $0.time < $1.time }
        return plan
    }

    func run(_ scheme: SamplingScheme) -> SamplingTally {
        let day = PhoneDay(plan, badShare: 1, limits: limits)
        var pass = SamplingPass(day, scheme: scheme, costs: Self.costs, limits: limits)
        return pass.run()
    }
}
