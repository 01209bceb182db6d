import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Testing

@testable import AstrolabePolicy

/// A device whose SDK uses what its mode determines, in virtual time.
private struct Workload {
    var governor = BudgetGovernor()
    var budget = ResourceBudget(.normal)
    var wanted = TelemetryMode.full
    var time = Duration.zero
    var cpuTime = Duration.zero
    var bytes = 0
    var steps: [BudgetStep] = []

    var mode: TelemetryMode { min(wanted, governor.cap?.mode ?? .full) }

    /// Simulates one period with this share of the CPU budget.
    @discardableResult
    mutating func run(_ period: Duration = .seconds(5), cpu: Double = 0, memory: Int = 0, sent: Int = 0) -> Double {
        time += period
        cpuTime += period * cpu
        bytes += sent
        let sample = ResourceSample(time: time, cpuTime: cpuTime, memoryBytes: memory, bytesSent: bytes)
        if let step = governor.observe(sample, under: budget, wanting: wanted) { steps.append(step) }
        return cpu / budget.cpuShare
    }
}

struct BudgetGovernorTests {
    @Test func `usage below the budget changes nothing`() {
        var work = Workload()
        for _ in 0..<1000 { work.run(cpu: 0.039, memory: 39_000_000) }
        #expect(work.steps.isEmpty)
        #expect(work.governor.cap == nil)
    }

    @Test func `four fifths of a budget step down by one mode, with the reason`() throws {
        var work = Workload(wanted: .normal)
        work.run()
        work.run(cpu: 0.042)
        let step = try #require(work.steps.first)
        #expect(step.description == "CPU at 4.2 %, next 4.2 %, of 5.0 %: from normal to reduced")
        #expect(step.direction == .down)
        #expect(work.governor.cap == BudgetCap(mode: .reduced, resource: .cpu))
        #expect(work.steps.count == 1)
    }

    @Test func `an exceeded budget steps down to minimal immediately`() {
        var work = Workload()
        work.run(memory: 10_000_000)
        work.run(memory: 51_000_000)
        #expect(work.steps.map(\.to) == [.minimal])
        #expect(work.governor.cap == BudgetCap(mode: .minimal, resource: .memory))
    }

    @Test func `a steady rise steps down before it exceeds the budget`() {
        for rise in [0.001, 0.002, 0.004, 0.008] {
            var work = Workload()
            var load = 0.0
            work.run()
            while work.steps.isEmpty {
                load += rise
                #expect(work.run(cpu: load) < 1)
            }
        }
    }

    @Test func `a single rise is not a trend`() {
        var work = Workload()
        for period in 0..<100 { work.run(cpu: period.isMultiple(of: 2) ? 0.005 : 0.035) }
        #expect(work.steps.isEmpty)
    }

    @Test func `a busy start is not projected from zero`() {
        var work = Workload()
        work.run(memory: 30_000_000)
        work.run(cpu: 0.035, memory: 30_000_000)
        #expect(work.steps.isEmpty)
    }

    @Test func `a calm dwell time steps up by one mode`() {
        var work = Workload()
        work.run()
        work.run(cpu: 0.2)
        for _ in 0..<100 { work.run(cpu: 0.001) }
        #expect(work.steps.map(\.to) == [.minimal, .reduced, .normal, .full])
        for (earlier, later) in zip(work.steps, work.steps.dropFirst()) {
            #expect(later.time - earlier.time >= .seconds(60))
        }
        #expect(work.governor.cap == nil)
    }

    @Test func `between calm and alarm nothing changes`() {
        var work = Workload()
        work.run()
        work.run(cpu: 0.042)
        for _ in 0..<1000 { work.run(cpu: 0.035) }
        #expect(work.steps.count == 1)
    }

    @Test func `exceeding the budget in minimal mode is reported once`() {
        var work = Workload(wanted: .minimal)
        work.run()
        for _ in 0..<10 { work.run(cpu: 0.1) }
        #expect(work.steps.map(\.direction) == [.floor])
        for _ in 0..<10 { work.run(cpu: 0.01) }
        work.run(cpu: 0.1)
        #expect(work.steps.map(\.direction) == [.floor, .floor])
    }

    @Test func `a step below a mode that the conditions lowered starts from it`() {
        var work = Workload(budget: ResourceBudget(.lowPower), wanted: .reduced)
        work.run()
        work.run(cpu: 0.017)
        #expect(work.governor.cap?.mode == .minimal)
    }

    @Test func `bytes per hour have a budget if one is set`() {
        var work = Workload(budget: ResourceBudget(.normal, bytesPerHour: 1_000_000))
        work.run()
        for _ in 0..<7 { work.run(.seconds(60), sent: 100_000) }
        #expect(work.steps.isEmpty)
        for _ in 0..<2 { work.run(.seconds(60), sent: 100_000) }
        #expect(work.governor.cap?.resource == .network)
        for _ in 0..<400 { work.run(.seconds(60)) }
        #expect(work.governor.cap == nil)
    }

    @Test func `samples out of order and decreased totals are harmless`() {
        var governor = BudgetGovernor()
        let budget = ResourceBudget(.normal)
        func observe(_ seconds: Double, cpu: Double) -> BudgetStep? {
            let sample = ResourceSample(
                time: .seconds(seconds), cpuTime: .seconds(cpu), memoryBytes: 0, bytesSent: 0,
            )
            return governor.observe(sample, under: budget, wanting: .full)
        }
        #expect(observe(100, cpu: 50) == nil)
        #expect(observe(100.5, cpu: 50.4) == nil)
        #expect(observe(40, cpu: 99) == nil)
        #expect(observe(110, cpu: 0.2) == nil)
        #expect(observe(120, cpu: 0.4) == nil)
        #expect(observe(130, cpu: 1.4)?.to == .minimal)
    }

    @Test func `time asleep does not count as work`() {
        var work = Workload()
        work.run()
        work.run(.seconds(3600), cpu: 0.0001)
        #expect(work.steps.isEmpty)
    }

    /// Random loads that a lower mode reduces to a half, a fifth, or a fiftieth.
    @Test(arguments: 0..<UInt64(Thoroughness.count(20, thorough: 200)))
    func `the budget is exceeded for at most one period and the mode does not oscillate`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let weights = ModeTable(full: 1, normal: 0.5, reduced: 0.2, minimal: 0.02)
        var work = Workload()
        work.run()
        var demand = 0.05
        var wasOver = false
        for _ in 0..<2000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: demand = Double.random(in: 0...1, using: &random)
            case 1...4: demand = min(1, demand * Double.random(in: 0.7...1.4, using: &random))
            default: break
            }
            let cpu = demand * weights[work.mode]
            let memory = Int(2e8 * demand * weights[work.mode])
            let share = max(work.run(cpu: cpu, memory: memory), Double(memory) / Double(work.budget.memoryBytes))
            #expect(!(wasOver && share >= 1), "over the budget twice in a row at \(work.time)")
            wasOver = share >= 1
        }
        for (earlier, later) in zip(work.steps, work.steps.dropFirst()) where later.direction == .up {
            #expect(later.time - earlier.time >= .seconds(60))
        }
    }

    @Test func `a load that returns after each step up is retried less and less often`() {
        var work = Workload(wanted: .normal)
        work.run()
        for _ in 0..<2400 { work.run(cpu: work.mode == .normal ? 0.045 : 0.004) }
        let ups = work.steps.filter { $0.direction == .up }.map(\.time)
        let waits = zip(ups, ups.dropFirst()).map { $1 - $0 }
        #expect(waits.first ?? .zero >= .seconds(120))
        #expect(waits.max() ?? .zero >= .seconds(960))
        #expect(ups.count < 25)
    }
}
