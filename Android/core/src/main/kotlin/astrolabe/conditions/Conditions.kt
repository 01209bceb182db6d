package astrolabe.conditions

/**
 * The state of the device at one moment: everything that changes and affects how much telemetry it can afford.
 *
 * Every part has a neutral value for "not known", so that a part that the device does not report has no effect.
 */
public data class Conditions(
    public val network: NetworkPath = NetworkPath(Medium.UNKNOWN),
    public val power: Power = Power(),
    public val thermal: ThermalState = ThermalState.NOMINAL,
    public val memory: MemoryPressure = MemoryPressure.NORMAL,
    public val lifecycle: LifecycleState = LifecycleState.LAUNCHING
)

/** The physical medium of a network path. */
public enum class Medium(public val value: String) {
    WIFI("wifi"),
    CELLULAR("cellular"),
    ETHERNET("ethernet"),

    /** There is a path over an unknown medium, such as a tunnel. */
    UNKNOWN("unknown"),

    /** There is no path. */
    OFFLINE("offline")
}

/**
 * The device's connection to the network, if there is one.
 *
 * @property isExpensive Whether traffic may cost money or allowance. Default: only cellular paths are expensive.
 * @property isConstrained Whether the user requested less traffic: Data Saver.
 */
public data class NetworkPath(
    public val medium: Medium,
    public val isExpensive: Boolean = medium == Medium.CELLULAR,
    public val isConstrained: Boolean = false,
    public val carrierName: String? = null
) {
    /** True if anything can be sent. An unknown path counts as online. */
    public val isOnline: Boolean get() = medium != Medium.OFFLINE

    /** The path's attributes by the semantic conventions. */
    public val attributes: Map<String, String>
        get() {
            val type = when (medium) {
                Medium.WIFI -> "wifi"
                Medium.CELLULAR -> "cell"
                Medium.ETHERNET -> "wired"
                Medium.UNKNOWN -> "unknown"
                Medium.OFFLINE -> "unavailable"
            }
            val carrier = carrierName?.let { mapOf(AttributeKey.NETWORK_CARRIER_NAME to it) } ?: emptyMap()
            return mapOf(AttributeKey.NETWORK_CONNECTION_TYPE to type) + carrier
        }
}

/** The source of the power. */
public enum class PowerSource(public val value: String) {
    CHARGING("charging"),

    /** On external power and charged. */
    FULL("full"),
    UNPLUGGED("unplugged"),
    UNKNOWN("unknown")
}

/**
 * The state of the battery and the power settings.
 *
 * @param level 0 to 1. A level below 0 or NaN means unknown; one above 1 becomes 1.
 * @property isLowPowerMode Battery Saver.
 */
public class Power(
    level: Double? = null,
    public val source: PowerSource = PowerSource.UNKNOWN,
    public val isLowPowerMode: Boolean = false
) {
    /** 0 to 1, or `null` if the system does not report it, which is not treated as low. */
    public val level: Double? = level?.let { if (it >= 0) minOf(it, 1.0) else null }

    /** True if the device runs on external power, so that the battery level does not matter. */
    public val isExternal: Boolean get() = source == PowerSource.CHARGING || source == PowerSource.FULL

    override fun equals(other: Any?): Boolean = other is Power && other.level == level && other.source == source &&
        other.isLowPowerMode == isLowPowerMode

    override fun hashCode(): Int = Triple(level, source, isLowPowerMode).hashCode()

    override fun toString(): String = "Power($level, $source, isLowPowerMode=$isLowPowerMode)"
}

/** The thermal state, in the four levels that the Swift SDK has. */
public enum class ThermalState(public val value: String) {
    NOMINAL("nominal"),
    FAIR("fair"),

    /** The system throttles. */
    SERIOUS("serious"),

    /** The system throttles heavily. */
    CRITICAL("critical")
}

/** The memory pressure of the system. */
public enum class MemoryPressure(public val value: String) {
    NORMAL("normal"),
    WARNING("warning"),

    /** Processes are about to be ended. */
    CRITICAL("critical")
}

/** The lifecycle state of the app. */
public enum class LifecycleState(public val value: String) {
    /** The process has started and shows nothing yet. */
    LAUNCHING("launching"),

    /** An activity is in front and receives touches. */
    ACTIVE("active"),

    /** An activity is visible but does not receive touches. */
    INACTIVE("inactive"),

    /** The app runs without being visible. */
    BACKGROUND("background"),

    /** In memory but not running. The app's code never observes this state. */
    SUSPENDED("suspended"),
    TERMINATED("terminated")
}
