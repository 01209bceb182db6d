package astrolabe.policy

/**
 * The part of a remote document that the policy takes as one more input: `PolicyDocument.policy`.
 *
 *     CollectionPolicy(configuration, remote = document.policy)
 *
 * A value that is `null` is as the app has configured it.
 *
 * @property version The number of the document, which the reasons of a decision name.
 * @property hash The name of the document: 32 hexadecimal digits.
 * @property samplingRates The share of sessions in each mode.
 * @property flushIntervals Seconds between two flushes in each mode.
 * @property off The instruments that are off.
 * @property offScopes The names of the instrumentation scopes whose records are dropped, of the app or of a library.
 * @property triggers Those of the flight recorder, which only the Swift SDK has.
 * @property recordsInFull True while this installation records each session, except in the mode minimal.
 */
public data class RemotePolicy(
    public val version: Long,
    public val hash: String = "",
    public val samplingRates: ModeTable<Double?> = ModeTable(null, null, null, null),
    public val flushIntervals: ModeTable<Double?> = ModeTable(null, null, null, null),
    public val admission: Admission? = null,
    public val off: Set<Instrument> = emptySet(),
    public val offScopes: Set<String> = emptySet(),
    public val triggers: RemoteTriggers = RemoteTriggers(),
    public val recordsInFull: Boolean = false
) {
    /** True if nothing is recorded. */
    public val isAllOff: Boolean get() = Instrument.ALL in off

    /** Returns whether an instrument is off, alone or with all others. */
    public fun turnsOff(instrument: Instrument): Boolean = instrument in off || isAllOff

    /** Returns whether records of a kind are dropped, or those of an instrumentation scope. */
    public fun turnsOff(kind: TelemetryKind, scope: String = ""): Boolean {
        val ofKind = when (kind) {
            TelemetryKind.TRACE -> Instrument.SPANS
            TelemetryKind.METRIC -> Instrument.METRICS
            TelemetryKind.DEBUG, TelemetryKind.INFO, TelemetryKind.ERROR, TelemetryKind.CRASH -> Instrument.EVENTS
        }
        return turnsOff(ofKind) || scope in offScopes || off.any { it.scope == scope }
    }

    /** The share of sessions that no condition of the device changes; `null` if there is none. */
    internal fun fixedRate(mode: TelemetryMode): Double? = when {
        turnsOff(Instrument.SPANS) -> 0.0
        recordsInFull && mode > TelemetryMode.MINIMAL -> 1.0
        else -> null
    }

    /** The effects in a mode, as the reasons of the decision. */
    internal fun reasons(mode: TelemetryMode, configuration: PolicyConfiguration): List<String> {
        val effects = mutableListOf<String>()
        if (off.isNotEmpty() || offScopes.isNotEmpty()) {
            val instruments = Instrument.values().filter { it in off }.map { it.value }
            effects.add("off: ${(instruments + offScopes.sorted()).joinToString()}")
        }
        val rate = samplingRates[mode]
        if (recordsInFull && fixedRate(mode) == 1.0) {
            effects.add("record all sessions")
        } else if (rate != null && rate != configuration.samplingRates[mode]) {
            effects.add("sampling rate ${swiftText(rate)}")
        }
        val interval = flushIntervals[mode]
        if (interval != null && interval != configuration.flushIntervals[mode]) {
            effects.add("flush every ${swiftText(interval)} seconds")
        }
        if (admission != null && admission != configuration.admission) effects.add("${admission.value} admission")
        if (triggers != RemoteTriggers()) effects.add("triggers of the flight recorder")
        return effects.map { "Remote policy $version: $it" }
    }
}

/** A part of an SDK that a kill switch turns off. */
public enum class Instrument(public val value: String) {
    /** Everything that is recorded. What is stored is still sent. */
    ALL("all"),
    SPANS("spans"),

    /** Events and log records. */
    EVENTS("events"),
    METRICS("metrics"),
    REPLAY("replay"),
    RECORDER("recorder"),
    VIEWS("views"),
    HTTP("http"),
    HEALTH("health"),
    CONDITIONS("conditions"),
    NAVIGATION("navigation"),
    ERRORS("errors");

    /** The instrumentation scope of its records in the Swift SDK; `null` if it has no scope of its own. */
    public val scope: String?
        get() = when (this) {
            ALL, SPANS, EVENTS, METRICS, REPLAY, RECORDER -> null
            VIEWS, HTTP, HEALTH, CONDITIONS, NAVIGATION, ERRORS -> "astrolabe.$value"
        }
}

/**
 * The triggers of the flight recorder as a remote document sets them; `null` leaves one as the app has configured it.
 *
 * @property slowSpans Seconds. Any span that takes longer.
 * @property limitPerHour Promotions of each trigger in an hour.
 * @property dailyBytes Bytes of records promoted in a day of UTC.
 */
public data class RemoteTriggers(
    public val crashes: Boolean? = null,
    public val hangs: Boolean? = null,
    public val runEnds: Boolean? = null,
    public val errors: Boolean? = null,
    public val failedRequests: Boolean? = null,
    public val slowSpans: Double? = null,
    public val limitPerHour: Long? = null,
    public val dailyBytes: Long? = null,
    public val flows: List<Flow>? = null,
    public val rules: List<Rule> = emptyList()
) {
    /** A session that ends after the first screen and before the last one is a trigger. */
    public data class Flow(public val from: String, public val to: String)

    /** A span of this name that takes longer is a trigger; in seconds. */
    public data class Rule(public val span: String, public val longerThan: Double)
}
