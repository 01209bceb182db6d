import AstrolabeDeviceConditions
import Testing

@testable import AstrolabePolicy

@Suite("What follows from an event, in order")
struct PolicyLoopTests {
    private let policy = CollectionPolicy()
    private var loop = PolicyLoop(CollectionPolicy(), device: .phone(), conditions: .easy)

    private func change(_ update: ConditionsUpdate) -> ConditionsChange {
        ConditionsChange(previous: .easy, current: .easy.with(update))
    }

    @Test("a change is recorded, then the decision, which is applied before anything is flushed")
    mutating func change() {
        let update = ConditionsUpdate(power: Power(level: 0.15, source: .unplugged), memory: .critical)
        let before = loop.decision
        let change = change(update)
        let actions = loop.follow(change)
        let after = policy.decision(for: change.current, on: .phone())
        #expect(
            actions == [
                .recordChange(change), .recordDecision(after, previous: before), .apply(after), .flush(.memoryCritical),
            ])
        #expect(loop.decision == after)
        #expect(loop.conditions == change.current)
    }

    @Test("a change that makes no difference to the decision is recorded and nothing else")
    mutating func noDifference() {
        _ = loop.follow(change(ConditionsUpdate(power: Power(level: 0.15, source: .unplugged))))
        let conditions = loop.conditions
        let next = ConditionsChange(
            previous: conditions,
            current: conditions.with(ConditionsUpdate(power: Power(level: 0.14, source: .unplugged))))
        #expect(loop.follow(next) == [.recordChange(next)])
    }

    @Test("a budget that is broken caps this decision and those that follow")
    mutating func budget() {
        func sample(at second: Int, cpu: Int) -> ResourceSample {
            ResourceSample(time: .seconds(second), cpuTime: .seconds(cpu), memoryBytes: 0, bytesSent: 0)
        }
        #expect(loop.follow(sample(at: 0, cpu: 0)).isEmpty)
        let actions = loop.follow(sample(at: 5, cpu: 5))
        guard case .recordBudgetStep(let step)? = actions.first else {
            Issue.record("expected a step, got \(actions)")
            return
        }
        #expect(step.to == .minimal)
        #expect(actions.last == .apply(loop.decision))
        #expect(loop.decision.mode == .minimal)
        _ = loop.follow(change(ConditionsUpdate(network: .offline)))
        #expect(loop.decision.mode == .minimal)
    }

    @Test("a beginning applies a decision for the conditions of that moment")
    mutating func beginning() {
        let conditions = Conditions.easy.with(ConditionsUpdate(power: Power(level: 0.15, source: .unplugged)))
        #expect(loop.begin(in: conditions) == policy.decision(for: conditions, on: .phone()))
        #expect(loop.conditions == conditions)
    }
}
