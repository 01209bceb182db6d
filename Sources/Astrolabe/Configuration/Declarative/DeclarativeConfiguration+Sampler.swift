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
            localParentNotSampled: samplers["local_parent_not_sampled"], )
    }
}
