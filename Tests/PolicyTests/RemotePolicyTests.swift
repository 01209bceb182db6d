import AstrolabeDeviceConditions
import Testing

@testable import AstrolabePolicy

@Suite struct `A remote document as an input of the policy` {
    private var remote = RemotePolicy(version: 12, hash: "h")

    private func decide(
        _ update: ConditionsUpdate = ConditionsUpdate(power: Power(level: 0.5, source: .unplugged)),
        memory: Double = 3.7,
    ) -> PolicyDecision {
        CollectionPolicy(PolicyConfiguration(), remote: remote).decision(
            for: .easy.with(update), on: .phone(memory: memory))
    }

    private func reasons(_ decision: PolicyDecision) -> [String] {
        decision.reasons.map(\.description).filter { $0.hasPrefix("Remote policy 12: ") }
    }

    @Test mutating func `changes what it names, and says so`() {
        remote.samplingRates.normal = 0.05
        remote.flushIntervals.normal = .seconds(90)
        remote.admission = .strict
        remote.triggers.errors = false
        let decision = decide()
        #expect(decision.samplingRate == 0.05)
        #expect(decision.flushInterval == .seconds(90))
        #expect(decision.admission == .strict)
        #expect(remote.rate(in: .normal) == 0.05)
        #expect(
            reasons(decision) == [
                "Remote policy 12: sampling rate 0.05", "Remote policy 12: flush every 90.0 seconds",
                "Remote policy 12: strict admission", "Remote policy 12: triggers of the flight recorder",
            ])
        #expect(decision.mode == .normal)
        let charging = decide(ConditionsUpdate(power: Power(level: 0.5, source: .charging)))
        #expect(charging.samplingRate == 1)
        #expect(remote.rate(in: .full) == nil)
    }

    @Test mutating func `leaves the factors of the device, and no lower mode collects more`() {
        remote.samplingRates.normal = 0.04
        #expect(decide(memory: 8).samplingRate == 0.04 * 1.5)
        let low = decide(ConditionsUpdate(power: Power(level: 0.15, source: .unplugged)))
        #expect(low.mode == .reduced)
        #expect(low.samplingRate == 0.04 * 0.5)
    }

    @Test mutating func `records in full whatever the device's state, except in the mode minimal`() {
        remote.samplingRates.normal = 0.01
        remote.recordsInFull = true
        let low = ConditionsUpdate(power: Power(level: 0.15, source: .unplugged))
        #expect(decide(low).samplingRate == 1)
        #expect(reasons(decide(low)) == ["Remote policy 12: record all sessions"])
        let saving = ConditionsUpdate(power: Power(level: 0.5, source: .unplugged, isLowPowerMode: true))
        #expect(decide(saving).samplingRate == 0)
        remote.off = [.spans]
        #expect(decide(low).samplingRate == 0)
    }

    @Test(arguments: [Set([Instrument.all]), [.replay, .recorder, .spans]])
    mutating func `turns off the replay, the flight recorder and spans, alone or with all`(off: Set<Instrument>) {
        #expect(decide().replayFrameRate == 2)
        #expect(decide().isRecorderOn)
        remote.off = off
        let decision = decide()
        #expect(decision.replayFrameRate == 0)
        #expect(!decision.isRecorderOn)
        #expect(decision.samplingRate == 0)
        #expect(reasons(decision).count == 1)
    }

    @Test mutating func `has another source of rates if it says other rates, and none if it says none`() {
        remote.off = [.replay]
        #expect(remote.rateSource == "")
        remote.samplingRates.normal = 0.05
        let first = remote.rateSource
        remote.version = 13
        remote.off = []
        #expect(remote.rateSource == first && first != "")
        remote.recordsInFull = true
        let full = remote.rateSource
        remote.samplingRates = ModeTable(full: nil, normal: nil, reduced: 0.05, minimal: nil)
        #expect(Set([first, full, remote.rateSource]).count == 3)
    }

    @Test mutating func `is followed at once, stays with another setting, and ends`() {
        var loop = PolicyLoop(CollectionPolicy(), device: .phone(), conditions: .easy)
        let before = loop.decision
        remote.samplingRates = ModeTable(full: 0.5, normal: 0.05, reduced: nil, minimal: nil)
        let actions = loop.setRemote(remote)
        #expect(actions == [.recordDecision(loop.decision, previous: before), .apply(loop.decision)])
        #expect(loop.decision.remote == remote)
        #expect(loop.setRemote(remote).isEmpty)
        _ = loop.setUploadsOnCellular(false)
        #expect(loop.decision.remote == remote)
        _ = loop.setRemote(nil)
        _ = loop.setUploadsOnCellular(true)
        #expect(loop.decision == before)
    }
}
