package astrolabe.policy

/** The extent to which the network may be used. */
public enum class NetworkUse { WIFI_PREFERRED, WIFI_ONLY, CRITICAL_ONLY }

/**
 * The resources that telemetry may use, from the least to the most.
 *
 * @property cpuShare Share of one core, 0 to 1.
 */
public enum class BudgetTier(
    public val value: String,
    public val cpuShare: Double,
    public val memoryBytes: Int,
    public val network: NetworkUse,
    internal val purpose: String
) {
    /** A critical battery without external power, or heat that may end the app. */
    CRITICAL("critical", 0.01, 10_000_000, NetworkUse.CRITICAL_ONLY, "critical states"),

    /** Battery Saver, a low battery without external power, or heat that slows the device down. */
    LOW_POWER("lowPower", 0.02, 20_000_000, NetworkUse.WIFI_ONLY, "low power"),
    NORMAL("normal", 0.05, 50_000_000, NetworkUse.WIFI_PREFERRED, "normal use")
}
