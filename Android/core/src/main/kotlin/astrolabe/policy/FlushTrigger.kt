package astrolabe.policy

import astrolabe.conditions.Conditions
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.MemoryPressure

/** A change of conditions that triggers an immediate flush. */
public enum class FlushTrigger(public val value: String) {
    /** A network path is available again. */
    NETWORK_RETURNED("networkReturned"),

    /** Records that waited for Wi-Fi or the budget may be sent. */
    UPLOADS_ALLOWED("uploadsAllowed"),
    BECAME_ACTIVE("becameActive"),

    /** The process may be suspended soon. */
    ENTERED_BACKGROUND("enteredBackground"),

    /** The process may be ended, and buffers need memory. */
    MEMORY_CRITICAL("memoryCritical"),

    /** The last opportunity. */
    TERMINATING("terminating")
}

/** Returns the flush triggers of a change of conditions; often none. */
public fun CollectionPolicy.flushTriggers(
    from: Conditions,
    to: Conditions,
    installedMemoryGB: Double
): List<FlushTrigger> {
    val triggers = mutableListOf<FlushTrigger>()
    if (from.lifecycle != to.lifecycle) {
        when (to.lifecycle) {
            LifecycleState.ACTIVE -> triggers.add(FlushTrigger.BECAME_ACTIVE)
            LifecycleState.BACKGROUND ->
                if (from.lifecycle != LifecycleState.SUSPENDED) triggers.add(FlushTrigger.ENTERED_BACKGROUND)
            LifecycleState.TERMINATED -> triggers.add(FlushTrigger.TERMINATING)
            LifecycleState.LAUNCHING, LifecycleState.INACTIVE, LifecycleState.SUSPENDED -> Unit
        }
    }
    if (to.memory == MemoryPressure.CRITICAL && from.memory != MemoryPressure.CRITICAL) {
        triggers.add(FlushTrigger.MEMORY_CRITICAL)
    }
    val before = decision(from, installedMemoryGB).upload
    val after = decision(to, installedMemoryGB).upload
    if (to.network.isOnline && !from.network.isOnline && after.canSend) {
        triggers.add(FlushTrigger.NETWORK_RETURNED)
    } else if (before.strategy <= UploadStrategy.WIFI_ONLY && after.strategy >= UploadStrategy.BATCHED &&
        after.canSend
    ) {
        triggers.add(FlushTrigger.UPLOADS_ALLOWED)
    }
    return triggers
}
