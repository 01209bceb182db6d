package astrolabe.policy

/** The amount of telemetry that is collected, from least to most. */
public enum class TelemetryMode(public val value: String) {
    /** Errors, crashes, and what the app logs from severity info on. */
    MINIMAL("minimal"),

    /** As minimal, and a small share of traces. */
    REDUCED("reduced"),

    /** Everything, with sampled traces. */
    NORMAL("normal"),

    /** Everything, for a device on external power. */
    FULL("full");

    /** The number of metric intervals between two collections. */
    public val metricIntervalFactor: Int
        get() = when (this) {
            FULL, NORMAL -> 1
            REDUCED -> 5
            MINIMAL -> 15
        }
}

/** One value for each mode. */
public data class ModeTable<Value>(
    public val full: Value,
    public val normal: Value,
    public val reduced: Value,
    public val minimal: Value
) {
    /** Returns the value in a mode. */
    public operator fun get(mode: TelemetryMode): Value = when (mode) {
        TelemetryMode.FULL -> full
        TelemetryMode.NORMAL -> normal
        TelemetryMode.REDUCED -> reduced
        TelemetryMode.MINIMAL -> minimal
    }

    internal fun map(transform: (Value) -> Value): ModeTable<Value> =
        ModeTable(transform(full), transform(normal), transform(reduced), transform(minimal))

    /** Returns a table in which no lower mode has a better value than the mode above it. */
    internal fun ordered(worse: (Value, Value) -> Value): ModeTable<Value> {
        val normal = worse(normal, full)
        val reduced = worse(reduced, normal)
        return ModeTable(full, normal, reduced, worse(minimal, reduced))
    }
}

/** Returns a table with the values of another where it has one. */
internal fun ModeTable<Double>.replaced(other: ModeTable<Double?>): ModeTable<Double> = ModeTable(
    other.full ?: full, other.normal ?: normal, other.reduced ?: reduced, other.minimal ?: minimal
)
