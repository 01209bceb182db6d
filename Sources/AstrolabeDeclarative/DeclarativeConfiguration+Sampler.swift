import AstrolabeExtras
import AstrolabeRecording

extension DeclarativeConfiguration {
    /// The sampler that a node describes; `nil` if the SDK lacks it or one inside of it, which has been reported.
    func sampler(_ node: ConfigurationNode) -> (any Sampler)? {
        guard let member = node.members.first else { return nil }
        switch member.key {
        case "always_on": return AlwaysOnSampler()
        case "always_off": return AlwaysOffSampler()
        case "trace_id_ratio_based": return RatioSampler(member.node["ratio"]?.number ?? 1)
        case "parent_based": return parentBased(member.node)
        case "always_record": return member.node["root"].flatMap(sampler).map { AlwaysRecordSampler($0) }
        case "probability/development": return CompositeSampler(probability(member.node))
        case "composite/development": return composable(member.node).map { CompositeSampler($0) }
        default: return nil
        }
    }

    private func parentBased(_ node: ConfigurationNode) -> (any Sampler)? {
        var samplers: [String: any Sampler] = [:]
        for member in node.members where !member.node.isNull {
            guard let sampler = sampler(member.node) else { return nil }
            samplers[member.key] = sampler
        }
        // A child that does as its parent did needs no sampler.
        for key in ["remote_parent_sampled", "local_parent_sampled"] where samplers[key] is AlwaysOnSampler {
            samplers[key] = nil
        }
        for key in ["remote_parent_not_sampled", "local_parent_not_sampled"] where samplers[key] is AlwaysOffSampler {
            samplers[key] = nil
        }
        return ParentBasedSampler(
            root: samplers["root"] ?? AlwaysOnSampler(), remoteParentSampled: samplers["remote_parent_sampled"],
            remoteParentNotSampled: samplers["remote_parent_not_sampled"],
            localParentSampled: samplers["local_parent_sampled"],
            localParentNotSampled: samplers["local_parent_not_sampled"])
    }

    /// The sampler of `composite/development`; `nil` if a part is a component that the SDK does not read.
    private func composable(_ node: ConfigurationNode) -> ComposableSampler? {
        guard let member = node.members.first else { return nil }
        switch member.key {
        case "always_on": return .alwaysOn
        case "always_off": return .alwaysOff
        case "probability": return probability(member.node)
        case "parent_threshold":
            return member.node["root"].flatMap(composable).map { .parentThreshold(root: $0) }
        case "rule_based":
            var rules: [ComposableSampler.Rule] = []
            for (index, node) in (member.node["rules"]?.elements ?? []).enumerated() {
                guard let sampler = node["sampler"].flatMap(composable) else { return nil }
                let conditions = SpanConditions(node)
                rules.append(ComposableSampler.Rule("rules[\(index)]", sampler) { conditions.apply(to: $0) })
            }
            return .ruleBased(rules)
        default: return nil
        }
    }

    private func probability(_ node: ConfigurationNode) -> ComposableSampler {
        .probability(node["ratio"]?.number ?? 1)
    }
}
