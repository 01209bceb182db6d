import AstrolabeDeviceConditions
import AstrolabeTestSupport
import Testing

@testable import AstrolabePolicy

/// Properties of all 250,000 decisions, by default of a sample of them and of the neighbours of each.
struct WholeSpaceTests {
    /// A prime stride visits every value of every axis.
    private static let points = stride(from: 0, to: ConditionSpace.count, by: Thoroughness.count(97, thorough: 1))

    private static func decide(_ configuration: PolicyConfiguration) -> (_ point: Int) -> PolicyDecision {
        var frugal = configuration
        frugal.uploadsOnCellular = false
        var generous = configuration
        generous.uploadsOnCellular = true
        let policies = [CollectionPolicy(frugal), CollectionPolicy(generous)]
        return { point in
            policies[ConditionSpace.coordinate(.cellular, of: point)].decision(
                for: ConditionSpace.conditions(at: point), on: ConditionSpace.device(at: point),
            )
        }
    }

    /// The extent of the decision at each point. A thorough run asks for each of them several times.
    private static func extents(_ configuration: PolicyConfiguration) -> (_ point: Int) -> Extent {
        let decide = decide(configuration)
        guard Thoroughness.isThorough else { return { Extent(decide($0)) } }
        let all = (0..<ConditionSpace.count).map { Extent(decide($0)) }
        return { all[$0] }
    }

    /// Returns points whose neighbour on the worse side of an axis collects or sends more.
    private static func violations(_ configuration: PolicyConfiguration) -> [ConditionSpace.Axis: [Int]] {
        let extent = extents(configuration)
        var found: [ConditionSpace.Axis: [Int]] = [:]
        for point in points {
            let own = extent(point)
            for axis in ConditionSpace.Axis.allCases where ConditionSpace.coordinate(axis, of: point) > 0 {
                let worse = extent(point - ConditionSpace.strides[axis.rawValue])
                if !worse.isNoMore(than: own) { found[axis, default: []].append(point) }
            }
        }
        return found
    }

    @Test func `worse conditions never collect, keep or send more, in any dimension`() {
        for (axis, points) in Self.violations(PolicyConfiguration()) {
            Issue.record("\(axis): \(points.prefix(3).map { ConditionSpace.conditions(at: $0) })")
        }

        let decide = Self.decide(PolicyConfiguration())
        let decisions = Self.points.map(decide)
        let crashesLost = decisions.filter {
            !$0.admits(.crash, isSampled: false) || !$0.admits(.error, isSampled: false)
        }
        #expect(crashesLost.isEmpty, "errors and crashes are admitted in every mode")
        let crashesHeld = zip(Self.points, decisions).filter { point, decision in
            let conditions = ConditionSpace.conditions(at: point)
            let canLeave = conditions.network.isOnline && conditions.lifecycle != .suspended
            return (decision.upload.action(for: .critical) == .sendNow) != canLeave
        }
        #expect(crashesHeld.isEmpty, "what is critical goes at once where there is any path")
        #expect(decisions.allSatisfy { !$0.reasons.isEmpty })
        #expect(decisions.allSatisfy { $0.reasons.first?.effect == .mode(atMost: $0.mode) })
        #expect(decisions.allSatisfy { (0...1).contains($0.samplingRate) })
    }

    @Test func `no configuration makes worse conditions collect more`() {
        var upsideDown = PolicyConfiguration()
        upsideDown.samplingRates = ModeTable(full: 0.2, normal: .nan, reduced: 7, minimal: 1)
        upsideDown.flushIntervals = ModeTable(
            full: .seconds(100), normal: .seconds(10), reduced: .seconds(-5), minimal: .seconds(3),
        )
        upsideDown.replayFrameRates = ModeTable(full: 1, normal: 5, reduced: -1, minimal: 500)
        upsideDown.criticalBatteryLevel = 0.9
        upsideDown.largeMemoryFactor = 0.1
        upsideDown.heatFactor = 9
        upsideDown.lowBatteryFactor = -3
        upsideDown.breadcrumbLimit = -4
        #expect(Self.violations(upsideDown).isEmpty)
    }

    @Test(arguments: TelemetryMode.allCases)
    func `a cap only lowers, and nothing below its mode changes`(mode: TelemetryMode) {
        let policy = CollectionPolicy()
        let cap = BudgetCap(mode: mode, resource: .memory)
        // A prime stride visits every value of every axis.
        for point in stride(from: 0, to: ConditionSpace.count, by: 97) {
            let conditions = ConditionSpace.conditions(at: point)
            let free = policy.decision(for: conditions, on: .phone())
            let capped = policy.decision(for: conditions, on: .phone(), cap: cap)
            guard capped.mode == min(free.mode, mode), Extent(capped).isNoMore(than: Extent(free)),
                capped.upload == free.upload,
                capped.budget == free.budget
            else {
                Issue.record("\(conditions) capped at \(mode): \(capped)")
                return
            }
        }
    }

    @Test func `a decision depends on nothing else`() {
        let policy = CollectionPolicy()
        var device = DeviceContext.phone()
        let expected = policy.decision(for: .easy, on: device)
        device.platform = "linux"
        device.osName = "Linux"
        device.osVersion = "1"
        device.manufacturer = "Other"
        device.deviceModel = "Other"
        device.deviceModelRaw = "other"
        device.screenSize = DeviceContext.ScreenSize(width: 1, height: 1)
        device.screenScale = 9
        device.isSimulator = true
        device.processorCount = 1
        device.isLowPowerMode = true
        device.thermalState = .critical
        device.batteryLevel = 0.01
        device.batteryState = .charging
        device.orientation = .faceDown
        device.locale = "xx"
        device.timezone = "xx"
        device.carrier = "xx"
        device.appVersion = "9"
        device.buildNumber = "9"
        #expect(policy.decision(for: .easy, on: device) == expected)

        let cell = Conditions.easy.with(ConditionsUpdate(network: .cellular))
        let named = Conditions.easy.with(
            ConditionsUpdate(network: NetworkPath(.cellular, radio: .gprs, carrierName: "Example"))
        )
        #expect(policy.decision(for: named, on: device) == policy.decision(for: cell, on: device))
    }

    @Test func `an unknown battery level is as good as a full one`() {
        let policy = CollectionPolicy()
        for point in 0..<ConditionSpace.count where ConditionSpace.coordinate(.level, of: point) == 8 {
            let known = ConditionSpace.conditions(at: point)
            let power = Power(source: known.power.source, isLowPowerMode: known.power.isLowPowerMode)
            let unknown = known.with(ConditionsUpdate(power: power))
            guard policy.decision(for: known, on: .phone()) == policy.decision(for: unknown, on: .phone()) else {
                Issue.record("\(unknown)")
                return
            }
        }
    }

    @Test func `ethernet is as good as Wi-Fi, and full as good as charging`() {
        let policy = CollectionPolicy()
        for heat in ThermalState.allCases {
            let wifi = Conditions.easy.with(
                ConditionsUpdate(power: Power(level: 0.1, source: .charging), thermal: heat))
            let cable = wifi.with(ConditionsUpdate(network: .ethernet))
            let full = wifi.with(ConditionsUpdate(power: Power(level: 0.1, source: .full)))
            let decision = policy.decision(for: wifi, on: .phone())
            #expect(decision.hasSameEffect(as: policy.decision(for: cable, on: .phone())))
            #expect(decision.hasSameEffect(as: policy.decision(for: full, on: .phone())))
        }
    }
}
