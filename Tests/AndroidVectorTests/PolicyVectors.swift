import AstrolabeDeviceConditions
import AstrolabePolicy
import AstrolabeSeededRandomness

/// Decisions, flush triggers and admissions over a sample of the policy's whole space.
struct PolicyVectors {
    private let configurations: [PolicyConfiguration]
    private var random = SeededGenerator(seed: 16)
    private var reasons: [String] = []

    init() {
        var wifiOnly = PolicyConfiguration()
        wifiOnly.uploadsOnCellular = false
        wifiOnly.admission = .strict
        var local = PolicyConfiguration()
        local.isCollectorLocal = true
        var outOfRange = PolicyConfiguration()
        outOfRange.samplingRates = ModeTable(full: 1.5, normal: 0.3, reduced: 0.4, minimal: -1)
        outOfRange.flushIntervals = ModeTable(
            full: .seconds(0), normal: .seconds(60), reduced: .seconds(20), minimal: .seconds(100_000))
        outOfRange.replayFrameRates = ModeTable(full: 90, normal: -1, reduced: 2, minimal: 1)
        outOfRange.largeMemoryFactor = 0.5
        outOfRange.heatFactor = 2
        outOfRange.lowBatteryLevel = 0.3
        outOfRange.criticalBatteryLevel = 0.5
        outOfRange.breadcrumbLimit = 30
        outOfRange.replayFrameLimit = -5
        configurations = [PolicyConfiguration(), wifiOnly, local, outOfRange]
    }

    var file: VectorFile {
        var copy = self
        let decisions = (0..<600).map { _ in copy.decision() }
        let triggers = (0..<250).map { _ in copy.trigger() }
        return VectorFile(
            name: "policy",
            sections: [
                ("configurations", configurations.map(Self.json)), ("decisions", decisions), ("triggers", triggers),
                ("actions", Self.actions), ("admissions", Self.admissions),
                ("reasons", copy.reasons.map(JSON.string)),
            ])
    }

    /// `[configuration, reported GB, conditions, mode, rate, interval, strategy, can send, frame rate, breadcrumbs,
    /// frames, tier, reasons]`, where configuration and reasons are places in their sections.
    private mutating func decision() -> JSON {
        let place = Int.random(in: 0..<configurations.count, using: &random)
        let (conditions, device) = (conditions(), device())
        let decision = CollectionPolicy(configurations[place]).decision(for: conditions, on: device)
        return [
            JSON(place), .number(device.physicalMemoryGB), Self.json(conditions), .string(decision.mode.rawValue),
            .number(decision.samplingRate), .number(Self.seconds(decision.flushInterval)),
            .string(decision.upload.strategy.rawValue), .boolean(decision.upload.canSend),
            .number(decision.replayFrameRate), JSON(decision.buffers.breadcrumbs), JSON(decision.buffers.replayFrames),
            .string(decision.budget.tier.rawValue), JSON(decision.reasons.map { placeOfReason($0.description) }),
        ]
    }

    /// `[configuration, reported GB, conditions before, conditions after, triggers]`.
    private mutating func trigger() -> JSON {
        let place = Int.random(in: 0..<configurations.count, using: &random)
        let (before, other, device) = (conditions(), conditions(), device())
        var after = before
        for _ in 0..<2 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: after.network = other.network
            case 2: after.lifecycle = other.lifecycle
            case 3: after.memory = other.memory
            default: after.power = other.power
            }
        }
        let triggers = CollectionPolicy(configurations[place]).flushTriggers(from: before, to: after, on: device)
        return [
            JSON(place), .number(device.physicalMemoryGB), Self.json(before), Self.json(after),
            JSON(triggers.map(\.rawValue)),
        ]
    }

    private mutating func placeOfReason(_ reason: String) -> Int {
        if let place = reasons.firstIndex(of: reason) { return place }
        reasons.append(reason)
        return reasons.count - 1
    }

    private mutating func conditions() -> Conditions {
        func pick<Element>(_ elements: [Element], _ random: inout SeededGenerator) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &random)]
        }
        // A device without restrictions is drawn often, so that each restriction also occurs alone.
        func seldom<Element>(_ ordinary: Element, _ others: [Element], _ random: inout SeededGenerator) -> Element {
            Bool.random(using: &random) ? ordinary : pick(others, &random)
        }
        let medium = pick(NetworkPath.Medium.allCases, &random)
        let isExpensive = Bool.random(using: &random) ? medium == .cellular : Bool.random(using: &random)
        let levels: [Double?] = [nil, 0, 0.05, 0.1, 0.15, 0.2, 0.29, 0.3, 0.9, 1]
        return Conditions(
            network: NetworkPath(
                medium, isExpensive: isExpensive, isConstrained: seldom(false, [false, true], &random)),
            power: Power(
                level: pick(levels, &random), source: pick(Power.Source.allCases, &random),
                isLowPowerMode: seldom(false, [false, true], &random)),
            thermal: seldom(.nominal, ThermalState.allCases, &random),
            memory: seldom(.normal, MemoryPressure.allCases, &random),
            lifecycle: seldom(.active, LifecycleState.allCases, &random))
    }

    private mutating func device() -> DeviceContext {
        let sizes = [1.8, 3.5, 5.5, 6, 7.25, 11.5]
        return Self.phone(memory: sizes[Int.random(in: 0..<sizes.count, using: &random)])
    }

    /// - Parameter memory: Gigabytes that the system reports.
    static func phone(memory: Double) -> DeviceContext {
        DeviceContext(
            platform: "android", osName: "Android", osVersion: "14", manufacturer: "Example", deviceModelRaw: "One",
            processorCount: 8, physicalMemoryGB: memory, locale: "en_US", timezone: "Europe/Berlin",
            appVersion: "1.0", buildNumber: "1")
    }

    /// `[medium, expensive, constrained, level, source, low power, thermal, memory, lifecycle]`.
    static func json(_ conditions: Conditions) -> JSON {
        [
            .string(conditions.network.medium.rawValue), .boolean(conditions.network.isExpensive),
            .boolean(conditions.network.isConstrained), JSON(conditions.power.level),
            .string(conditions.power.source.rawValue), .boolean(conditions.power.isLowPowerMode),
            .string(conditions.thermal.rawValue), .string(conditions.memory.rawValue),
            .string(conditions.lifecycle.rawValue),
        ]
    }

    private static func json(_ configuration: PolicyConfiguration) -> JSON {
        func table(_ values: ModeTable<Double>) -> JSON {
            [.number(values.full), .number(values.normal), .number(values.reduced), .number(values.minimal)]
        }
        let intervals = configuration.flushIntervals
        return .object([
            ("samplingRates", table(configuration.samplingRates)),
            (
                "flushIntervals",
                [
                    .number(seconds(intervals.full)), .number(seconds(intervals.normal)),
                    .number(seconds(intervals.reduced)), .number(seconds(intervals.minimal)),
                ],
            ),
            ("replayFrameRates", table(configuration.replayFrameRates)),
            ("admission", .string(configuration.admission.rawValue)),
            ("largeMemoryGB", .number(configuration.largeMemoryGB)),
            ("lowBatteryLevel", .number(configuration.lowBatteryLevel)),
            ("criticalBatteryLevel", .number(configuration.criticalBatteryLevel)),
            ("largeMemoryFactor", .number(configuration.largeMemoryFactor)),
            ("lowPowerModeFactor", .number(configuration.lowPowerModeFactor)),
            ("heatFactor", .number(configuration.heatFactor)),
            ("lowBatteryFactor", .number(configuration.lowBatteryFactor)),
            ("uploadsOnCellular", .boolean(configuration.uploadsOnCellular)),
            ("isCollectorLocal", .boolean(configuration.isCollectorLocal)),
            ("breadcrumbLimit", JSON(configuration.breadcrumbLimit)),
            ("replayFrameLimit", JSON(configuration.replayFrameLimit)),
        ])
    }

    /// `[strategy, can send, priority, action]`.
    private static var actions: [JSON] {
        UploadStrategy.allCases.flatMap { strategy in
            [true, false].flatMap { canSend in
                UploadPriority.allCases.map { priority in
                    let action = UploadPlan(strategy, canSend: canSend).action(for: priority)
                    return [
                        .string(strategy.rawValue), .boolean(canSend), JSON(priority.rawValue),
                        .string(action.rawValue),
                    ]
                }
            }
        }
    }

    /// `[kind, priority, mode, metric interval factor, rule, of the app, admission, admits sampled, admits others]`.
    private static var admissions: [JSON] {
        TelemetryKind.allCases.flatMap { kind in
            TelemetryMode.allCases.flatMap { mode in
                PolicyConfiguration.Admission.allCases.flatMap { rule in
                    [true, false].map { isOfApp in
                        let admission = kind.admission(in: mode, rule, isOfApp: isOfApp)
                        return [
                            .string(kind.rawValue), JSON(kind.priority.rawValue), .string(mode.rawValue),
                            JSON(mode.metricIntervalFactor), .string(rule.rawValue), .boolean(isOfApp),
                            .string(admission.rawValue), .boolean(admission.admits(isSampled: true)),
                            .boolean(admission.admits(isSampled: false)),
                        ]
                    }
                }
            }
        }
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
