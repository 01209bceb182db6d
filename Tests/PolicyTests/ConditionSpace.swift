import AstrolabeDeviceConditions

@testable import AstrolabePolicy

/// All conditions that a policy distinguishes, as coordinates: the worst value of each axis is first.
struct ConditionSpace {
    static let media: [NetworkPath.Medium] = [.offline, .cellular, .unknown, .wifi]
    static let levels = [0, 0.05, 0.0999, 0.1, 0.15, 0.1999, 0.2, 0.5, 1]
    static let sources: [Power.Source] = [.unplugged, .unknown, .charging]
    static let heats: [ThermalState] = [.critical, .serious, .fair, .nominal]
    static let pressures: [MemoryPressure] = [.critical, .warning, .normal]
    static let lives: [LifecycleState] = [.suspended, .terminated, .background, .launching, .inactive, .active]
    static let memories = [3.7, 7.5]

    enum Axis: Int, CaseIterable {
        case medium, isExpensive, isConstrained, level, source, isLowPowerMode, heat, pressure, life, memory, cellular
    }

    static let sizes = [
        media.count, 2, 2, levels.count, sources.count, 2, heats.count, pressures.count, lives.count, memories.count, 2,
    ]
    static let count = sizes.reduce(1, *)

    /// The distance between neighbours on an axis, in the numbering of the points.
    static let strides = sizes.indices.map { sizes[..<$0].reduce(1, *) }

    static func coordinate(_ axis: Axis, of point: Int) -> Int {
        point / strides[axis.rawValue] % sizes[axis.rawValue]
    }

    static func conditions(at point: Int) -> Conditions {
        func value(_ axis: Axis) -> Int { coordinate(axis, of: point) }
        return Conditions(
            network: NetworkPath(
                media[value(.medium)], isExpensive: value(.isExpensive) == 0, isConstrained: value(.isConstrained) == 0,
            ),
            power: Power(
                level: levels[value(.level)], source: sources[value(.source)],
                isLowPowerMode: value(.isLowPowerMode) == 0,
            ),
            thermal: heats[value(.heat)],
            memory: pressures[value(.pressure)],
            lifecycle: lives[value(.life)],
        )
    }

    static func device(at point: Int) -> DeviceContext {
        .phone(memory: memories[coordinate(.memory, of: point)])
    }
}

extension DeviceContext {
    static func phone(memory: Double = 3.7) -> DeviceContext {
        DeviceContext(
            platform: "ios", osName: "iOS", osVersion: "26.1", manufacturer: "Apple", deviceModelRaw: "iPhone16,1",
            processorCount: 6, physicalMemoryGB: memory, locale: "en_GB", timezone: "Europe/London", appVersion: "1",
            buildNumber: "1",
        )
    }
}

extension Conditions {
    /// In the foreground, on Wi-Fi, with half a battery.
    static let easy = Conditions(
        network: .wifi, power: Power(level: 0.5, source: .unplugged), lifecycle: .active,
    )

    func with(_ update: ConditionsUpdate) -> Conditions {
        Conditions(
            network: update.network ?? network, power: update.power ?? power, thermal: update.thermal ?? thermal,
            memory: update.memory ?? memory, lifecycle: update.lifecycle ?? lifecycle,
        )
    }
}

/// The extent to which a decision collects, keeps and sends: a number for each aspect, where larger is more.
struct Extent: Equatable {
    private var parts: [Double] = []

    init(_ decision: PolicyDecision) {
        let seconds: Double = decision.flushInterval / .seconds(1)
        parts.append(rank(decision.mode, in: TelemetryMode.allCases))
        parts.append(decision.samplingRate)
        parts.append(-seconds)
        parts.append(rank(decision.upload.strategy, in: UploadStrategy.allCases))
        parts.append(decision.upload.canSend ? 1 : 0)
        parts.append(decision.replayFrameRate)
        parts.append(Double(decision.buffers.breadcrumbs))
        parts.append(Double(decision.buffers.replayFrames))
        parts.append(rank(decision.budget.tier, in: ResourceBudget.Tier.allCases))
        for priority in UploadPriority.allCases {
            parts.append(rank(decision.upload.action(for: priority), in: UploadAction.allCases))
        }
        for kind in TelemetryKind.allCases {
            for isSampled in [false, true] { parts.append(decision.admits(kind, isSampled: isSampled) ? 1 : 0) }
        }
    }

    /// Returns true if no aspect is larger.
    func isNoMore(than other: Extent) -> Bool {
        for index in parts.indices where parts[index] > other.parts[index] + 1e-12 { return false }
        return true
    }
}

/// The rank of a value; cases are declared in descending order.
private func rank<Value: Equatable>(_ value: Value, in cases: [Value]) -> Double {
    -Double(cases.firstIndex(of: value) ?? cases.count)
}
