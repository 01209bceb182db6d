package import AstrolabeDeviceConditions

/// A condition and its effect; a decision is the combination of its reasons.
///
///     reason.description    // "Battery at 15 %, not charging: collect at most in reduced mode"
public struct PolicyReason: Equatable, Sendable, CustomStringConvertible {
    /// A condition of the device, the app, its configuration or the SDK itself.
    package enum Cause: Equatable, Sendable {
        case externalPower(Power.Source)
        case ordinaryPower(Power.Source)
        case lowPowerMode
        case lowBattery(percent: Int)
        case criticalBattery(percent: Int)
        case heat(ThermalState)
        case memoryPressure(MemoryPressure)
        case largeMemory(gigabytes: Int)
        case lifecycle(LifecycleState)
        case network(NetworkPath.Medium)
        case expensiveNetwork(NetworkPath.Medium)
        case constrainedNetwork(NetworkPath.Medium)
        case cellularUploadsDisabled
        case localCollector
        case tightBudget(ResourceBudget.Tier)
        case ownUse(BudgetResource)
        case remote(version: Int)
    }

    /// The effect of a cause. If several reasons affect the same setting, the strictest applies.
    package enum Effect: Equatable, Sendable {
        case mode(atMost: TelemetryMode)
        case sampling(factor: Double)
        case budget(ResourceBudget.Tier)
        case upload(atMost: UploadStrategy)
        case stopReplay
        case shortenBuffers(breadcrumbs: Int, replayFrames: Int)
        /// The share of sessions in the mode, before the factors.
        case rate(Double)
        case flush(every: Duration)
        case admission(PolicyConfiguration.Admission)
        case triggers
        /// The instruments and scopes that are off.
        case off([String])
        case recordInFull
    }

    package let cause: Cause
    package let effect: Effect

    package init(_ cause: Cause, _ effect: Effect) {
        self.cause = cause
        self.effect = effect
    }

    public var description: String {
        if case (.tightBudget, .upload(.queued)) = (cause, effect) {
            return "\(cause): \(effect), except for crashes"
        }
        return "\(cause): \(effect)"
    }
}

extension PolicyReason.Cause: CustomStringConvertible {
    public var description: String {
        switch self {
        case .externalPower(let source): "On external power (\(source.rawValue))"
        case .ordinaryPower(.unknown): "Power source unknown"
        case .ordinaryPower: "On battery"
        case .lowPowerMode: "Low Power Mode"
        case .lowBattery(let percent): "Battery at \(percent) %, not charging"
        case .criticalBattery(let percent): "Battery critical at \(percent) %, not charging"
        case .heat(let state): "Thermal state \(state.rawValue)"
        case .memoryPressure(.critical): "Memory pressure critical"
        case .memoryPressure: "Memory warning"
        case .largeMemory(let gigabytes): "\(gigabytes) GB of memory"
        case .lifecycle(let state): "App \(state.rawValue)"
        case .network(.offline): "No network"
        case .network(.unknown): "Unknown network"
        case .network(let medium): "Network: \(medium.rawValue)"
        case .expensiveNetwork(let medium): "Expensive network: \(medium.rawValue)"
        case .constrainedNetwork(let medium): "Low Data Mode: \(medium.rawValue)"
        case .cellularUploadsDisabled: "Expensive network, disabled by configuration"
        case .localCollector: "Collector on this machine"
        case .tightBudget(let tier): "Budget for \(tier.purpose)"
        case .ownUse(let resource): "The SDK's own usage of \(resource.rawValue)"
        case .remote(let version): "Remote policy \(version)"
        }
    }
}

extension PolicyReason.Effect: CustomStringConvertible {
    public var description: String {
        switch self {
        case .mode(let mode): "collect at most in \(mode.rawValue) mode"
        case .sampling(let factor): "sampling rate × \(factor)"
        case .budget(let tier): "budget for \(tier.purpose)"
        case .upload(.immediate): "send immediately"
        case .upload(.batched): "send in batches"
        case .upload(.wifiOnly): "wait for Wi-Fi, except for crashes"
        case .upload(.queued): "keep on the device"
        case .stopReplay: "no replay"
        case .shortenBuffers(let breadcrumbs, let frames): "keep \(breadcrumbs) breadcrumbs and \(frames) replay frames"
        case .rate(let rate): "sampling rate \(rate)"
        case .flush(let interval): "flush every \(interval)"
        case .admission(let admission): "\(admission.rawValue) admission"
        case .triggers: "triggers of the flight recorder"
        case .off(let names): "off: \(names.joined(separator: ", "))"
        case .recordInFull: "record all sessions"
        }
    }
}

extension ResourceBudget.Tier {
    /// The situation that the budget is for.
    var purpose: String {
        switch self {
        case .normal: "normal use"
        case .lowPower: "low power"
        case .critical: "critical states"
        }
    }
}
