public import AstrolabeDeviceConditions

/// A reproducible sequence of device conditions.
///
///     { "initial": { "network": { "type": "wifi" }, "power": { "level": 0.8 } },
///       "steps": [ { "at": 20, "note": "enters the lift", "network": { "type": "offline" } },
///                  { "at": 65, "note": "leaves it", "network": { "type": "cellular", "subtype": "lte" } } ] }
public struct ConditionsScript: Codable, Equatable, Sendable {
    public struct Step: Equatable, Sendable {
        /// Time since the start of the script; not negative.
        public var time: Duration
        /// A description of the step.
        public var note: String
        public var update: ConditionsUpdate

        public init(at time: Duration, _ note: String = "", _ update: ConditionsUpdate) {
            self.time = max(time, .zero)
            self.note = note
            self.update = update
        }
    }

    public var initial: Conditions
    /// The steps in the order of their times.
    public let steps: [Step]

    /// Creates a script from steps in any order; steps with equal times keep theirs.
    public init(initial: Conditions = Conditions(), steps: [Step]) {
        self.initial = initial
        self.steps = steps.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            initial: try container.decodeIfPresent(Conditions.self, forKey: .initial) ?? Conditions(),
            steps: try container.decodeIfPresent([Step].self, forKey: .steps) ?? [],
        )
    }

    /// Returns the conditions at a time since the start, including all steps of that time.
    public func conditions(at time: Duration) -> Conditions {
        steps.prefix { $0.time <= time }.reduce(initial) { conditions, step in
            step.update.states(from: conditions).last ?? conditions
        }
    }
}

extension ConditionsScript.Step: Codable {
    private enum CodingKeys: String, CodingKey {
        case at, note
    }

    /// Decodes a step: the time in seconds, beside the members of the update.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let seconds = try container.decode(Double.self, forKey: .at)
        guard seconds >= 0, seconds <= Self.longestSeconds else {
            throw DecodingError.dataCorruptedError(
                forKey: .at,
                in: container,
                debugDescription: "expected seconds from 0 to \(Int(Self.longestSeconds)), got \(seconds)",
            )
        }
        self.init(
            at: .milliseconds(Int64((seconds * 1000).rounded())),
            try container.decodeIfPresent(String.self, forKey: .note) ?? "",
            try ConditionsUpdate(from: decoder),
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let (seconds, attoseconds) = time.components
        try container.encode(Double(seconds) + Double(attoseconds) / 1e18, forKey: .at)
        if !note.isEmpty { try container.encode(note, forKey: .note) }
        try update.encode(to: encoder)
    }

    /// A year; longer times are probably in the wrong unit.
    private static let longestSeconds = 365.0 * 24 * 3600
}

extension ConditionsScript {
    /// A script of a commute: online, offline, a weak signal, online, airplane mode, online.
    public static func commute(stepping interval: Duration = .seconds(10)) -> ConditionsScript {
        let wifi = NetworkPath.wifi
        let weak = NetworkPath(.cellular, radio: .edge, isConstrained: true)
        let strong = NetworkPath(.cellular, radio: .nr)
        return ConditionsScript(
            initial: Conditions(network: wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .active),
            steps: [
                Step(at: interval * 1, "out of the door", ConditionsUpdate(network: .offline)),
                Step(at: interval * 2, "a weak signal", ConditionsUpdate(network: weak)),
                Step(at: interval * 3, "in the street", ConditionsUpdate(network: strong)),
                Step(at: interval * 4, "airplane mode", ConditionsUpdate(network: .offline)),
                Step(at: interval * 5, "arrived", ConditionsUpdate(network: wifi)),
            ],
        )
    }
}
