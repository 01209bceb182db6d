import AstrolabeDeviceConditions

@testable import AstrolabePolicy

/// The tables of `Docs/Internals/PolicyTables.md`, generated from the policy.
enum PolicyDocument {
    static let begin = "<!-- generated: begin -->"
    static let end = "<!-- generated: end -->"

    static var tables: String {
        [
            "## Situations", "", rows(situationHeader, situations.map(situationRow)), "",
            "Device: 4 GB of memory. Cellular uploads allowed, except where said otherwise.", "",
            "## Why", "", situations.map(why).joined(separator: "\n"), "",
            "## Kinds of records", "", rows(kindHeader, kinds.map { kindRow($0, $1, .standard) }), "",
            "With `policy.admission = .strict`:", "", rows(kindHeader, kinds.map { kindRow($0, $1, .strict) }), "",
            "A metric is collected at every interval in full and normal mode, at every"
                + "\n\(TelemetryMode.reduced.metricIntervalFactor)th in reduced mode, and at every "
                + "\(TelemetryMode.minimal.metricIntervalFactor)th in minimal mode.", "",
            "## Budgets", "", rows(budgetHeader, ResourceBudget.Tier.allCases.map(budgetRow)),
        ].joined(separator: "\n")
    }

    private struct Situation {
        var name: String
        var update = ConditionsUpdate()
        var memory = 3.7
        var uploadsOnCellular = true

        var decision: PolicyDecision {
            var configuration = PolicyConfiguration()
            configuration.uploadsOnCellular = uploadsOnCellular
            return CollectionPolicy(configuration).decision(for: .easy.with(update), on: .phone(memory: memory))
        }
    }

    private static let situations: [Situation] = [
        Situation(name: "charging", update: ConditionsUpdate(power: battery(0.5, .charging))),
        Situation(
            name: "charging, Low Power Mode",
            update: ConditionsUpdate(power: Power(level: 0.5, source: .charging, isLowPowerMode: true)),
        ),
        Situation(name: "on battery, 50 %"),
        Situation(name: "on battery, 50 %, 8 GB of memory", memory: 7.5),
        Situation(name: "battery unknown", update: ConditionsUpdate(power: .unknown)),
        Situation(name: "battery 15 %", update: ConditionsUpdate(power: battery(0.15))),
        Situation(
            name: "battery 15 %, cellular", update: ConditionsUpdate(network: .cellular, power: battery(0.15)),
        ),
        Situation(name: "battery 4 %", update: ConditionsUpdate(power: battery(0.04))),
        Situation(
            name: "battery 4 %, in a lift", update: ConditionsUpdate(network: .offline, power: battery(0.04)),
        ),
        Situation(
            name: "Low Power Mode",
            update: ConditionsUpdate(power: Power(level: 0.5, source: .unplugged, isLowPowerMode: true)),
        ),
        Situation(name: "thermal state fair", update: ConditionsUpdate(thermal: .fair)),
        Situation(name: "thermal state serious", update: ConditionsUpdate(thermal: .serious)),
        Situation(name: "thermal state critical", update: ConditionsUpdate(thermal: .critical)),
        Situation(
            name: "charging, thermal state critical",
            update: ConditionsUpdate(power: battery(0.5, .charging), thermal: .critical),
        ),
        Situation(name: "memory warning", update: ConditionsUpdate(memory: .warning)),
        Situation(name: "memory critical", update: ConditionsUpdate(memory: .critical)),
        Situation(name: "launching", update: ConditionsUpdate(lifecycle: .launching)),
        Situation(name: "in the background", update: ConditionsUpdate(lifecycle: .background)),
        Situation(name: "suspended", update: ConditionsUpdate(lifecycle: .suspended)),
        Situation(name: "cellular", update: ConditionsUpdate(network: .cellular)),
        Situation(
            name: "cellular, not wanted", update: ConditionsUpdate(network: .cellular), uploadsOnCellular: false,
        ),
        Situation(
            name: "cellular, Low Data Mode",
            update: ConditionsUpdate(network: NetworkPath(.cellular, isConstrained: true)),
        ),
        Situation(
            name: "personal hotspot", update: ConditionsUpdate(network: NetworkPath(.wifi, isExpensive: true)),
        ),
        Situation(
            name: "Wi-Fi, Low Data Mode", update: ConditionsUpdate(network: NetworkPath(.wifi, isConstrained: true)),
        ),
        Situation(name: "network of unknown kind", update: ConditionsUpdate(network: .unknown)),
        Situation(name: "airplane mode", update: ConditionsUpdate(network: .offline)),
    ]

    private static func battery(_ level: Double, _ source: Power.Source = .unplugged) -> Power {
        Power(level: level, source: source)
    }

    private static let situationHeader = [
        "situation", "mode", "traces kept", "flush every", "upload", "an error", "a crash", "replay",
        "breadcrumbs, frames",
    ]

    private static func situationRow(_ situation: Situation) -> [String] {
        let decision = situation.decision
        return [
            situation.name,
            decision.mode.rawValue,
            percent(decision.samplingRate),
            "\(decision.flushInterval.components.seconds) s",
            decision.upload.strategy.rawValue,
            words(decision.upload.action(for: .high)),
            words(decision.upload.action(for: .critical)),
            decision.replayFrameRate > 0 ? "\(number(decision.replayFrameRate)) / s" : "none",
            "\(decision.buffers.breadcrumbs), \(decision.buffers.replayFrames)",
        ]
    }

    private static func why(_ situation: Situation) -> String {
        "- **\(situation.name)**: " + situation.decision.reasons.map(\.description).joined(separator: ". ") + "."
    }

    private static let kindHeader = ["kind", "priority", "full", "normal", "reduced", "minimal"]

    /// The kinds, the most urgent first; ordinary events of the app and of the SDK have rows of their own.
    private static let kinds: [(kind: TelemetryKind, isOfApp: Bool)] = TelemetryKind.allCases.reversed().flatMap {
        kind in kind == .info ? [(kind, true), (kind, false)] : [(kind, false)]
    }

    private static func kindRow(
        _ kind: TelemetryKind, _ isOfApp: Bool, _ rule: PolicyConfiguration.Admission,
    ) -> [String] {
        let name = kind == .info ? "info, of the \(isOfApp ? "app" : "SDK")" : kind.rawValue
        return [name, "\(kind.priority)"]
            + TelemetryMode.allCases.map { mode in
                switch kind.admission(in: mode, rule, isOfApp: isOfApp) {
                case .always: "always"
                case .atLowPriority: "at low priority"
                case .lessOften: "less often"
                case .ifSampled: "if sampled"
                case .never: "never"
                }
            }
    }

    private static let budgetHeader = ["budget", "CPU", "memory", "network"]

    private static func budgetRow(_ tier: ResourceBudget.Tier) -> [String] {
        let budget = ResourceBudget(tier)
        let network =
            switch budget.network {
            case .wifiPreferred: "any, Wi-Fi preferred"
            case .wifiOnly: "Wi-Fi only"
            case .criticalOnly: "crashes only"
            }
        let name = tier == .lowPower ? "low power" : tier.rawValue
        return [name, percent(budget.cpuShare), "\(budget.memoryBytes / 1_000_000) MB", network]
    }

    private static func words(_ action: UploadAction) -> String {
        switch action {
        case .sendNow: "now"
        case .batch: "in a batch"
        case .waitForWifi: "on Wi-Fi"
        case .queue: "later"
        }
    }

    private static func percent(_ share: Double) -> String { number((share * 10_000).rounded() / 100) + " %" }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }

    private static func rows(_ header: [String], _ rows: [[String]]) -> String {
        ([header, header.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }
}
