import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessions
import AstrolabeTelemetryModel

/// Makes records of what the device lives through, and of what was decided after it.
///
/// They go before ordinary events, so that the moment of a change is not lost to the mode that the change brings.
final class ConditionsRecorder: Sendable {
    private let core: RecordingCore
    private let events: EventLogger
    private let durations: Meter.Histogram
    private let statusChanges: Meter.Counter
    private let stateTransitions: Meter.Counter
    private let session: @Sendable () -> SessionTotals?
    private let device: DeviceContext?
    private let freeMemory: @Sendable () -> UInt64?
    private let describeMoment: @Sendable (Attributes) -> Void
    /// The device's state, which the events carry.
    private let moment = Locked(Attributes())
    /// When each part of the conditions took the state that it is in, in nanoseconds, in the order of `Part.allCases`.
    private let since: Locked<[UInt64]>

    /// The attributes of `network.status_change` and `app.state_transition`.
    private enum Tag {
        static let online = "online"
        static let type = "type"
        static let from = "from"
        static let to = "to"
        static let freeMemory = "free_memory_mb"
    }

    private enum Part: String, CaseIterable {
        case network, power, thermal, memory, lifecycle

        /// The part's state in one word: what a person would call a change of it.
        func state(in conditions: Conditions) -> String {
            switch self {
            case .network: conditions.network.medium.rawValue
            case .power: conditions.power.isLowPowerMode ? "low_power_mode" : conditions.power.source.rawValue
            case .thermal: conditions.thermal.rawValue
            case .memory: conditions.memory.rawValue
            case .lifecycle: conditions.lifecycle.rawValue
            }
        }
    }

    /// Seconds, from a tunnel's length to a night's.
    private static let bounds: [Double] = [1, 10, 60, 300, 1_800, 7_200, 28_800, 86_400]

    /// - Parameters:
    ///   - device: What the device is; `nil` leaves its state out of the events.
    ///   - session: Returns the current session's duration and screens.
    ///   - freeMemory: Returns bytes of free memory; `nil` if they are not known.
    ///   - describeMoment: Receives the device's state at the start and after each change.
    init(
        core: RecordingCore, registry: MetricRegistry, device: DeviceContext? = nil,
        session: @escaping @Sendable () -> SessionTotals? = { nil },
        freeMemory: @escaping @Sendable () -> UInt64? = { nil },
        describeMoment: @escaping @Sendable (Attributes) -> Void = { _ in },
    ) {
        self.core = core
        self.device = device
        self.session = session
        self.freeMemory = freeMemory
        self.describeMoment = describeMoment
        let scope = InstrumentationScope.ofSDK("astrolabe.conditions")
        events = EventLogger(core: core, scope: scope)
        let meter = Meter(registry: registry, scope: scope)
        durations = meter.histogram(MetricName.conditionsDuration, unit: "s", bounds: Self.bounds)
        statusChanges = meter.counter(MetricName.networkStatusChange, unit: "{change}")
        stateTransitions = meter.counter(MetricName.appStateTransition, unit: "{transition}")
        let now = core.clock.steady
        since = Locked(Part.allCases.map { _ in now })
    }

    /// Puts the network on every record from now on.
    func describeNetwork(_ network: NetworkPath) {
        core.ambient.update { attributes in
            for key in Self.networkKeys { attributes[key] = nil }
            attributes.merge(Attributes(network.attributes))
        }
    }

    private static let networkKeys = [
        AttributeKey.networkConnectionType, AttributeKey.networkConnectionSubtype, AttributeKey.networkCarrierName,
    ]

    /// Records a launch of the process, in the foreground or not.
    func recordLaunch(_ conditions: Conditions) {
        describe(conditions)
        let state = conditions.lifecycle
        emit(EventName.appLaunched, state == .launching ? [:] : [AttributeKey.iosAppState: state.rawValue])
    }

    func record(_ change: ConditionsChange) {
        describe(change.current)
        measure(change)
        if change.current.memory > change.previous.memory { recordShortage(change.current.memory) }
        if change.previous.network.name != change.current.network.name {
            core.addBreadcrumb(
                "\(change.previous.network.name) to \(change.current.network.name)", category: "network")
        }
        if let step = change.lifecycle {
            core.addBreadcrumb("\(step.from.rawValue) to \(step.to.rawValue)", category: "lifecycle")
        }
        if change.previous.network != change.current.network {
            describeNetwork(change.current.network)
            emit(EventName.networkChange, Attributes(change.current.network.attributes))
        }
        if let state = change.lifecycle?.appState {
            var attributes: Attributes = [AttributeKey.iosAppState: state]
            if change.current.lifecycle == .terminated, let session = session() {
                attributes[AttributeKey.sessionDurationSeconds] = .double(session.duration)
                attributes[AttributeKey.screensVisited] = .int(Int64(session.screens))
            }
            emit(EventName.deviceAppLifecycle, attributes)
        }
    }

    func record(_ decision: PolicyDecision, after previous: PolicyDecision) {
        var attributes: Attributes = [
            AttributeKey.astrolabePolicyMode: decision.mode.rawValue,
            AttributeKey.astrolabePolicyPreviousMode: previous.mode.rawValue,
            AttributeKey.astrolabePolicySamplingRate: (decision.samplingRate * 1e6).rounded() / 1e6,
            AttributeKey.astrolabePolicyUpload: decision.upload.strategy.rawValue,
            AttributeKey.astrolabePolicyReasons: AttributeValue.array(
                decision.reasons.map { .string($0.description) }),
        ]
        if let remote = decision.remote { attributes[AttributeKey.astrolabePolicyVersion] = .string(remote.hash) }
        emit(EventName.policyChange, attributes)
    }

    func record(_ step: BudgetStep) {
        emit(
            EventName.budgetStep,
            [
                AttributeKey.astrolabeBudgetResource: step.resource.rawValue,
                AttributeKey.astrolabeBudgetMeasured: step.measured,
                AttributeKey.astrolabeBudgetLimit: step.limit,
                AttributeKey.astrolabePolicyMode: step.to.rawValue,
                AttributeKey.astrolabePolicyPreviousMode: step.from.rawValue,
            ], body: .string(step.description),
        )
    }

    /// Says that memory is short, and what the policy does about it.
    private func recordShortage(_ pressure: MemoryPressure) {
        let isCritical = pressure == .critical
        var attributes = Attributes()
        if let free = freeMemory() { attributes[Tag.freeMemory] = .int(Int64(clamping: free / 1_048_576)) }
        emit(
            "", attributes,
            body: .string(
                isCritical
                    ? "Critical memory pressure - stopped session replay"
                    : "Memory warning - reduced telemetry buffers"),
            severity: isCritical ? .error : .warn)
    }

    private func describe(_ conditions: Conditions) {
        guard let device else { return }
        let attributes = Attributes(device.updated(with: conditions).momentAttributes)
        moment.withLock { $0 = attributes }
        describeMoment(attributes)
    }

    private func emit(
        _ name: String, _ attributes: Attributes, body: AttributeValue = .empty, severity: Severity = .info,
    ) {
        let all = moment.withLock { $0 }.merging(attributes)
        events.emit(name, severity: severity, body: body, attributes: all, priority: .high)
    }

    private func measure(_ change: ConditionsChange) {
        let (old, new) = (change.previous.network, change.current.network)
        if old.isOnline != new.isOnline || old.medium != new.medium {
            statusChanges.add(
                1, attributes: [Tag.online: new.isOnline, Tag.type: new.medium.rawValue])
        }
        if let step = change.lifecycle {
            stateTransitions.add(
                1,
                attributes: [
                    Tag.from: step.from.rawValue, Tag.to: step.to.rawValue,
                ])
        }
        let now = core.clock.steady
        for (index, part) in Part.allCases.enumerated() {
            let old = part.state(in: change.previous)
            guard old != part.state(in: change.current) else { continue }
            let start = since.withLock { since in
                defer { since[index] = now }
                return since[index]
            }
            durations.record(
                Double(now &- min(start, now)) / 1e9,
                attributes: [
                    AttributeKey.astrolabeConditionsPart: part.rawValue, AttributeKey.astrolabeConditionsState: old,
                ])
        }
    }
}

extension NetworkPath {
    /// The medium of the path, with the radio technology if it is known.
    fileprivate var name: String { medium.rawValue + (radio.map { " (\($0.rawValue))" } ?? "") }
}

extension Attributes {
    /// The values of the conditions in the record's types.
    init(_ values: [String: ContextValue]) {
        self.init()
        for (key, value) in values.ordered(by: { $0.key < $1.key }) {
            switch value {
            case .string(let text): self[key] = .string(text)
            case .integer(let number): self[key] = .int(Int64(number))
            case .number(let number): self[key] = .double(number)
            case .boolean(let flag): self[key] = .bool(flag)
            }
        }
    }
}
