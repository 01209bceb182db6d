public import AstrolabeRecording
public import AstrolabeTelemetryModel

/// A part of a ``CompositeSampler``: the probability with which it wants to record a span.
public struct ComposableSampler: Sendable, CustomStringConvertible {
    /// The wish of a sampler, before the one decision is made.
    struct Intent: Sendable {
        /// `nil` drops the span.
        var threshold: SamplingThreshold?
        /// True if a backend may weigh by the threshold.
        var isReliable: Bool
        var attributes = Attributes()
    }

    let intent: @Sendable (SamplingInput) -> Intent
    public let description: String

    private init(_ description: String, _ intent: @escaping @Sendable (SamplingInput) -> Intent) {
        self.description = description
        self.intent = intent
    }

    /// Records every span.
    public static let alwaysOn = ComposableSampler("ComposableAlwaysOn") { _ in
        Intent(threshold: .all, isReliable: true)
    }

    /// Records no span.
    public static let alwaysOff = ComposableSampler("ComposableAlwaysOff") { _ in .dropping }

    /// Records a share of all traces, chosen by their randomness.
    ///
    /// - Parameter ratio: 0 to 1. Values out of range count as the nearer end, and so do those below 2^-56.
    public static func probability(_ ratio: Double) -> ComposableSampler {
        let threshold = SamplingThreshold(probability: ratio)
        guard threshold.isReachable else { return .alwaysOff }
        return ComposableSampler("ComposableProbability{\(threshold.probability)}") { _ in
            Intent(threshold: threshold, isReliable: true)
        }
    }

    /// Records a child with the threshold of its parent; without one, if the parent is sampled.
    ///
    /// - Parameter root: Decides about spans without a parent.
    public static func parentThreshold(root: ComposableSampler) -> ComposableSampler {
        ComposableSampler("ComposableParentThreshold{root:\(root)}") { input in
            guard let parent = input.parent else { return root.intent(input) }
            if let threshold = ProbabilityState(parent.traceState).threshold {
                return Intent(threshold: SamplingThreshold(threshold), isReliable: true)
            }
            return parent.isSampled ? Intent(threshold: .all, isReliable: false) : .dropping
        }
    }

    /// Does as the first rule says that applies. Records nothing if none does.
    public static func ruleBased(_ rules: [Rule]) -> ComposableSampler {
        let names = rules.map { "\($0.name):\($0.sampler)" }.joined(separator: ",")
        return ComposableSampler("ComposableRuleBased{\(names)}") { input in
            rules.first { $0.applies(input) }?.sampler.intent(input) ?? .dropping
        }
    }

    /// Does as another sampler says, and adds attributes to the spans that are recorded. They win over its own.
    public static func annotating(_ sampler: ComposableSampler, with attributes: Attributes) -> ComposableSampler {
        let keys = attributes.map(\.key).joined(separator: ",")
        return ComposableSampler("ComposableAnnotating{\(sampler),\(keys)}") { input in
            var intent = sampler.intent(input)
            intent.attributes.merge(attributes)
            return intent
        }
    }

    /// One case of ``ruleBased(_:)``.
    public struct Rule: Sendable {
        let name: String
        let sampler: ComposableSampler
        let applies: @Sendable (SamplingInput) -> Bool

        /// Creates a rule.
        ///
        /// - Parameters:
        ///   - name: What the description of the sampler calls it.
        ///   - sampler: Decides if the rule applies.
        ///   - applies: Called on the thread that starts the span. It must not block.
        public init(
            _ name: String, _ sampler: ComposableSampler, if applies: @escaping @Sendable (SamplingInput) -> Bool,
        ) {
            self.name = name
            self.sampler = sampler
            self.applies = applies
        }
    }
}

extension ComposableSampler.Intent {
    fileprivate static let dropping = ComposableSampler.Intent(threshold: nil, isReliable: false)
}

extension SamplingThreshold {
    /// The threshold that every trace reaches.
    fileprivate static let all = SamplingThreshold(0)
}
