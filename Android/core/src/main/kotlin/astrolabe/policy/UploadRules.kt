package astrolabe.policy

import astrolabe.conditions.Conditions
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath

/** The strictest plan among the limits of the app's state, the budget and the path. */
internal class UploadRules(private val configuration: PolicyConfiguration) {
    private class Limit(val strategy: UploadStrategy, val cause: String, val exception: String = "")

    fun plan(conditions: Conditions, tier: BudgetTier): Pair<UploadPlan, List<String>> {
        val limits = pathLimits(conditions.network, tier).toMutableList()
        when (conditions.lifecycle) {
            LifecycleState.BACKGROUND, LifecycleState.TERMINATED ->
                limits.add(Limit(UploadStrategy.BATCHED, app(conditions.lifecycle)))
            LifecycleState.SUSPENDED -> limits.add(Limit(UploadStrategy.QUEUED, app(conditions.lifecycle)))
            LifecycleState.LAUNCHING, LifecycleState.ACTIVE, LifecycleState.INACTIVE -> Unit
        }
        val strategy = UploadStrategy.values().first { candidate -> limits.any { it.strategy == candidate } }
        val hasPath = conditions.network.isOnline || configuration.isCollectorLocal
        val reasons = limits.filter { it.strategy == strategy }
            .map { "${it.cause}: ${effect(it.strategy)}${it.exception}" }
        return Pair(UploadPlan(strategy, hasPath && conditions.lifecycle != LifecycleState.SUSPENDED), reasons)
    }

    private fun pathLimits(path: NetworkPath, budget: BudgetTier): List<Limit> {
        if (configuration.isCollectorLocal) {
            return listOf(Limit(UploadStrategy.IMMEDIATE, "Collector on this machine"))
        }
        if (!path.isOnline) return listOf(Limit(UploadStrategy.QUEUED, name(path.medium)))
        val tightBudget = "Budget for ${budget.purpose}"
        if (budget.network == NetworkUse.CRITICAL_ONLY) {
            return listOf(Limit(UploadStrategy.QUEUED, tightBudget, exception = ", except for crashes"))
        }
        val isMetered = path.isExpensive || path.medium == Medium.CELLULAR
        val medium = path.medium.value
        val limits = mutableListOf<Limit>()
        val ofMedium = when (path.medium) {
            Medium.WIFI, Medium.ETHERNET -> UploadStrategy.IMMEDIATE
            Medium.CELLULAR, Medium.UNKNOWN, Medium.OFFLINE -> UploadStrategy.BATCHED
        }
        limits.add(Limit(ofMedium, name(path.medium)))
        if (path.isExpensive && path.medium != Medium.CELLULAR) {
            limits.add(Limit(UploadStrategy.BATCHED, "Expensive network: $medium"))
        }
        if (path.isConstrained) {
            val strategy = if (isMetered) UploadStrategy.WIFI_ONLY else UploadStrategy.BATCHED
            limits.add(Limit(strategy, "Low Data Mode: $medium"))
        }
        if (isMetered && !configuration.uploadsOnCellular) {
            limits.add(Limit(UploadStrategy.WIFI_ONLY, "Expensive network, disabled by configuration"))
        }
        val isFree = !isMetered && path.medium != Medium.UNKNOWN
        if (budget.network == NetworkUse.WIFI_ONLY && !isFree) {
            limits.add(Limit(UploadStrategy.WIFI_ONLY, tightBudget))
        }
        return limits
    }

    private fun name(medium: Medium): String = when (medium) {
        Medium.OFFLINE -> "No network"
        Medium.UNKNOWN -> "Unknown network"
        Medium.WIFI, Medium.CELLULAR, Medium.ETHERNET -> "Network: ${medium.value}"
    }

    private fun effect(strategy: UploadStrategy): String = when (strategy) {
        UploadStrategy.IMMEDIATE -> "send immediately"
        UploadStrategy.BATCHED -> "send in batches"
        UploadStrategy.WIFI_ONLY -> "wait for Wi-Fi, except for crashes"
        UploadStrategy.QUEUED -> "keep on the device"
    }
}
