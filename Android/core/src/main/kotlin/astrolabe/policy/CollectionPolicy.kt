package astrolabe.policy

import astrolabe.conditions.Conditions
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.MemoryPressure
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.conditions.ThermalState
import kotlin.math.floor

/**
 * Decides from the device conditions how much telemetry is collected and how it is sent.
 *
 *     val decision = CollectionPolicy().decision(signals.current, device.installedMemoryGB)
 *     decision.mode               // REDUCED
 *     decision.reasons.first()    // "Battery at 15 %, not charging: collect at most in reduced mode"
 *
 * A pure function with the results of the Swift SDK's policy. Worse conditions never collect or send more.
 *
 * @property remote The remote document in force; `null` if there is none.
 */
public class CollectionPolicy(
    configuration: PolicyConfiguration = PolicyConfiguration(),
    public val remote: RemotePolicy? = null
) {
    public val configuration: PolicyConfiguration = configuration.bounded()

    /** The configuration with what the remote document changes. */
    private val effective = remote?.let { this.configuration.following(it).bounded() } ?: this.configuration

    /**
     * Returns the decision for the given conditions.
     *
     * @param installedMemoryGB The device's installed memory: `DeviceContext.installedMemoryGB`.
     */
    public fun decision(conditions: Conditions, installedMemoryGB: Double): PolicyDecision {
        val start = startingMode(conditions.power)
        val limits = modeLimits(conditions).filter { it.mode < start.mode }.sortedBy { it.mode }
            .ifEmpty { listOf(start) }
        val mode = limits.first().mode
        val reasons = limits.mapTo(mutableListOf()) { "${it.cause}: collect at most in ${it.mode.value} mode" }

        val fixed = remote?.fixedRate(mode)
        val factors = if (fixed == null) samplingFactors(conditions, installedMemoryGB) else emptyList()
        val base = fixed ?: effective.samplingRates[mode]
        val rate = factors.fold(base) { rate, factor -> minOf(rate * factor.value, 1.0) }
        if (base > 0) factors.mapTo(reasons) { "${it.cause}: sampling rate × ${it.value}" }
        remote?.let { reasons.addAll(it.reasons(mode, configuration)) }

        val (tier, tierCause) = budgetTier(conditions)
        if (tierCause != null) reasons.add("$tierCause: budget for ${tier.purpose}")

        val (upload, uploadReasons) = UploadRules(configuration).plan(conditions, tier)
        reasons.addAll(uploadReasons)

        val (breadcrumbs, frames) = buffers(conditions.memory)
        pressureCause(conditions.memory)?.let {
            reasons.add("$it: keep $breadcrumbs breadcrumbs and $frames replay frames")
        }

        val isReplayOff = remote?.turnsOff(Instrument.REPLAY) == true
        var replayFrameRate = if (isReplayOff) 0.0 else configuration.replayFrameRates[mode]
        replayBlocker(conditions)?.let {
            if (replayFrameRate > 0) reasons.add("$it: no replay")
            replayFrameRate = 0.0
        }
        return PolicyDecision(
            mode, rate, effective.flushIntervals[mode], upload, replayFrameRate, breadcrumbs, frames, tier,
            effective.admission, reasons, remote
        )
    }

    private class ModeLimit(val mode: TelemetryMode, val cause: String)

    private class Factor(val value: Double, val cause: String)

    /** The mode without any restricting condition. */
    private fun startingMode(power: Power): ModeLimit = when {
        power.isExternal -> ModeLimit(TelemetryMode.FULL, "On external power (${power.source.value})")
        power.source == PowerSource.UNKNOWN -> ModeLimit(TelemetryMode.NORMAL, "Power source unknown")
        else -> ModeLimit(TelemetryMode.NORMAL, "On battery")
    }

    /** The highest mode that each restricting condition allows. */
    private fun modeLimits(conditions: Conditions): List<ModeLimit> {
        val limits = mutableListOf<ModeLimit>()
        val power = conditions.power
        if (power.isLowPowerMode && !power.isExternal) limits.add(ModeLimit(TelemetryMode.MINIMAL, LOW_POWER_MODE))
        battery(power)?.let { limits.add(ModeLimit(TelemetryMode.REDUCED, it.cause)) }
        when (conditions.thermal) {
            ThermalState.CRITICAL -> limits.add(ModeLimit(TelemetryMode.MINIMAL, heat(conditions.thermal)))
            ThermalState.SERIOUS -> limits.add(ModeLimit(TelemetryMode.REDUCED, heat(conditions.thermal)))
            ThermalState.FAIR, ThermalState.NOMINAL -> Unit
        }
        val lifecycle = conditions.lifecycle
        when (lifecycle) {
            LifecycleState.BACKGROUND, LifecycleState.TERMINATED ->
                limits.add(ModeLimit(TelemetryMode.REDUCED, app(lifecycle)))
            LifecycleState.SUSPENDED -> limits.add(ModeLimit(TelemetryMode.MINIMAL, app(lifecycle)))
            LifecycleState.LAUNCHING, LifecycleState.ACTIVE, LifecycleState.INACTIVE -> Unit
        }
        return limits
    }

    /** The raising factor first: its excess over 1 is cut before the others apply. */
    private fun samplingFactors(conditions: Conditions, memoryGB: Double): List<Factor> {
        val factors = mutableListOf<Factor>()
        val isWhole = memoryGB == floor(memoryGB) && memoryGB < Int.MAX_VALUE
        if (memoryGB >= configuration.largeMemoryGB && isWhole) {
            factors.add(Factor(configuration.largeMemoryFactor, "${memoryGB.toInt()} GB of memory"))
        }
        if (conditions.power.isLowPowerMode) factors.add(Factor(configuration.lowPowerModeFactor, LOW_POWER_MODE))
        if (conditions.thermal >= ThermalState.SERIOUS) {
            factors.add(Factor(configuration.heatFactor, heat(conditions.thermal)))
        }
        battery(conditions.power)?.let { factors.add(Factor(configuration.lowBatteryFactor, it.cause)) }
        return factors
    }

    private fun budgetTier(conditions: Conditions): Pair<BudgetTier, String?> {
        val power = conditions.power
        val battery = battery(power)
        val thermal = conditions.thermal
        return when {
            thermal == ThermalState.CRITICAL -> Pair(BudgetTier.CRITICAL, heat(thermal))
            battery != null && battery.isCritical -> Pair(BudgetTier.CRITICAL, battery.cause)
            thermal == ThermalState.SERIOUS -> Pair(BudgetTier.LOW_POWER, heat(thermal))
            power.isLowPowerMode && !power.isExternal -> Pair(BudgetTier.LOW_POWER, LOW_POWER_MODE)
            battery != null -> Pair(BudgetTier.LOW_POWER, battery.cause)
            else -> Pair(BudgetTier.NORMAL, null)
        }
    }

    private class LowBattery(val isCritical: Boolean, val cause: String)

    /** The state of a battery that is low and not charging; `null` otherwise and for an unknown level. */
    private fun battery(power: Power): LowBattery? {
        val level = power.level
        if (level == null || power.isExternal || level >= configuration.lowBatteryLevel) return null
        val percent = floor(level * 100).toInt()
        val isCritical = level < configuration.criticalBatteryLevel
        val name = if (isCritical) "Battery critical" else "Battery"
        return LowBattery(isCritical, "$name at $percent %, not charging")
    }

    /** Buffer sizes: at most 50 breadcrumbs and 100 frames on a memory warning; 20 and none under critical pressure. */
    private fun buffers(pressure: MemoryPressure): Pair<Int, Int> {
        val (breadcrumbs, frames) = Pair(configuration.breadcrumbLimit, configuration.replayFrameLimit)
        return when (pressure) {
            MemoryPressure.NORMAL -> Pair(breadcrumbs, frames)
            MemoryPressure.WARNING -> Pair(minOf(50, breadcrumbs), minOf(100, frames))
            MemoryPressure.CRITICAL -> Pair(minOf(20, breadcrumbs), 0)
        }
    }

    private fun pressureCause(pressure: MemoryPressure): String? = when (pressure) {
        MemoryPressure.NORMAL -> null
        MemoryPressure.WARNING -> "Memory warning"
        MemoryPressure.CRITICAL -> "Memory pressure critical"
    }

    /** Why the replay must stop: it needs a visible screen and memory for its frames. */
    private fun replayBlocker(conditions: Conditions): String? {
        if (conditions.memory == MemoryPressure.CRITICAL) return pressureCause(conditions.memory)
        return when (conditions.lifecycle) {
            LifecycleState.ACTIVE, LifecycleState.INACTIVE -> null
            LifecycleState.LAUNCHING, LifecycleState.BACKGROUND, LifecycleState.SUSPENDED, LifecycleState.TERMINATED ->
                app(conditions.lifecycle)
        }
    }

    private fun heat(state: ThermalState): String = "Thermal state ${state.value}"

    private companion object {
        const val LOW_POWER_MODE = "Low Power Mode"
    }
}

internal fun app(state: LifecycleState): String = "App ${state.value}"
