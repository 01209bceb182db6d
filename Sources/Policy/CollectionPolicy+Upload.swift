import AstrolabeDeviceConditions

extension CollectionPolicy {
    /// Returns the strictest plan among the limits of the app's state, the budget and the path.
    func uploadPlan(_ conditions: Conditions, tier: ResourceBudget.Tier) -> (UploadPlan, [PolicyReason]) {
        var limits = pathLimits(conditions.network, budget: ResourceBudget(tier))
        switch conditions.lifecycle {
        case .background, .terminated: limits.append((.batched, .lifecycle(conditions.lifecycle)))
        case .suspended: limits.append((.queued, .lifecycle(.suspended)))
        case .launching, .active, .inactive: break
        }
        let strategy = limits.map(\.strategy).min() ?? .queued
        let hasPath = conditions.network.isOnline || configuration.isCollectorLocal
        var plan = UploadPlan(strategy, canSend: hasPath && conditions.lifecycle != .suspended)
        // What the policy would say of the same path if it turned expensive or constrained.
        var expensive = conditions.network
        expensive.isExpensive = true
        plan.allowsExpensivePath = allowsUploads(over: expensive, tier)
        // It may turn both: cellular in Low Data Mode.
        var constrained = plan.allowsExpensivePath ? expensive : conditions.network
        constrained.isConstrained = true
        plan.allowsConstrainedPath = allowsUploads(over: constrained, tier)
        return (
            plan,
            limits.filter { $0.strategy == strategy }.map { PolicyReason($0.cause, .upload(atMost: $0.strategy)) },
        )
    }

    private func allowsUploads(over path: NetworkPath, _ tier: ResourceBudget.Tier) -> Bool {
        pathLimits(path, budget: ResourceBudget(tier)).allSatisfy { $0.strategy >= .batched }
    }

    private typealias Limit = (strategy: UploadStrategy, cause: PolicyReason.Cause)

    private func pathLimits(_ path: NetworkPath, budget: ResourceBudget) -> [Limit] {
        if configuration.isCollectorLocal { return [(.immediate, .localCollector)] }
        if !path.isOnline { return [(.queued, .network(.offline))] }
        if budget.network == .criticalOnly { return [(.queued, .tightBudget(budget.tier))] }

        let costs = path.isExpensive || path.medium == .cellular
        var limits: [Limit] = []
        switch path.medium {
        case .wifi, .ethernet: limits.append((.immediate, .network(path.medium)))
        case .cellular, .unknown, .offline: limits.append((.batched, .network(path.medium)))
        }
        if path.isExpensive, path.medium != .cellular { limits.append((.batched, .expensiveNetwork(path.medium))) }
        if path.isConstrained { limits.append((costs ? .wifiOnly : .batched, .constrainedNetwork(path.medium))) }
        if costs, !configuration.uploadsOnCellular { limits.append((.wifiOnly, .cellularUploadsDisabled)) }
        let isFree = !costs && path.medium != .unknown
        if budget.network == .wifiOnly, !isFree { limits.append((.wifiOnly, .tightBudget(budget.tier))) }
        return limits
    }
}
