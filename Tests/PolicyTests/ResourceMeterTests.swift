import AstrolabeDeviceConditions
import Dispatch
import Testing

@testable import AstrolabePlatform
@testable import AstrolabePolicy

@Suite(.timeLimit(.minutes(5)))
struct ResourceMeterTests {
    /// A governor without a minimum period: the test samples as fast as it has something to measure.
    private var impatient: BudgetGovernor {
        var settings = BudgetGovernor.Settings()
        settings.shortestPeriod = .milliseconds(1)
        return BudgetGovernor(settings)
    }

    /// Runs until the meter has grown by this much, but stops after ten times the CPU time.
    private func burn(_ milliseconds: Int, on account: CPUTimeMeter) {
        let hasBurnt = DispatchSemaphore(value: 0)
        DedicatedThread.start(countedBy: account) {
            let end = account.total + .milliseconds(milliseconds)
            let limit = ThreadCPUClock.ofCurrentThread + UInt64(milliseconds) * 10_000_000
            while account.total < end, ThreadCPUClock.ofCurrentThread < limit {}
            hasBurnt.signal()
        }
        hasBurnt.wait()
    }

    @Test func `a sample contains what was used`() {
        let account = CPUTimeMeter()
        account.charge(.milliseconds(12))
        let meter = ResourceMeter(
            processor: account, memoryBytes: { 4096 }, bytesSent: { 17 }, now: { 5_000_000_000 },
        )
        let expected = ResourceSample(
            time: .seconds(5), cpuTime: .milliseconds(12), memoryBytes: 4096, bytesSent: 17,
        )
        #expect(meter.sample() == expected)
    }

    @Test @MainActor func `an SDK that keeps a thread busy is stepped down, with the reason`() throws {
        let account = CPUTimeMeter()
        let clock = Locked<UInt64>(0)
        let meter = ResourceMeter(
            processor: account, memoryBytes: { 0 }, bytesSent: { 0 }, now: { clock.withLock { $0 } },
        )
        let policy = CollectionPolicy()
        let conditions = Conditions(network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .active)
        let device = DeviceContext.current()
        let wanted = policy.decision(for: conditions, on: device)
        var governor = impatient
        let first = governor.observe(meter.sample(), under: wanted.budget, wanting: wanted.mode)
        #expect(first == nil)

        burn(50, on: account)
        clock.withLock { $0 += 50_000_000 }
        let stepped = governor.observe(meter.sample(), under: wanted.budget, wanting: wanted.mode)
        let step = try #require(stepped)
        #expect(step.resource == .cpu)
        #expect(step.measured > 0.05)
        #expect(step.to == .minimal)

        let decision = policy.decision(for: conditions, on: device, cap: governor.cap)
        #expect(decision.mode == .minimal)
        #expect(
            decision.reasons.first?.description == "The SDK's own usage of CPU: collect at most in minimal mode"
        )
    }

    @Test func `an idle SDK is not stepped down`() {
        let account = CPUTimeMeter()
        let clock = Locked<UInt64>(0)
        let meter = ResourceMeter(
            processor: account, memoryBytes: { 0 }, bytesSent: { 0 }, now: { clock.withLock { $0 } },
        )
        let mayEnd = DispatchSemaphore(value: 0)
        DedicatedThread.start(countedBy: account) { mayEnd.wait() }
        var governor = impatient
        for second in 0..<100 {
            clock.withLock { $0 = UInt64(second) * 1_000_000_000 }
            let step = governor.observe(meter.sample(), under: ResourceBudget(.critical), wanting: .full)
            #expect(step == nil)
        }
        mayEnd.signal()
    }
}
