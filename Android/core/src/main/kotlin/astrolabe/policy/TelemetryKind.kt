package astrolabe.policy

/** The upload order of a record. The levels are those of the queue. */
public enum class UploadPriority(public val level: Int) {
    LOW(0),
    NORMAL(1),
    HIGH(2),
    CRITICAL(3)
}

/** The records that the modes reduced and minimal collect beside errors, crashes and sampled traces. */
public enum class Admission(public val value: String) {
    /** Events of the app from severity info on, at low priority, and metrics, less often. */
    STANDARD("standard"),

    /** Nothing else. */
    STRICT("strict")
}

/** The admission of records of a kind. */
public enum class KindAdmission(public val value: String) {
    ALWAYS("always"),

    /** Sent after all others, and dropped before them. */
    AT_LOW_PRIORITY("atLowPriority"),

    /** Collected at longer intervals: see [TelemetryMode.metricIntervalFactor]. */
    LESS_OFTEN("lessOften"),

    /** If it belongs to a sampled trace. */
    IF_SAMPLED("ifSampled"),
    NEVER("never");

    /** Returns whether a record is kept. */
    public fun admits(isSampled: Boolean): Boolean = when (this) {
        ALWAYS, AT_LOW_PRIORITY, LESS_OFTEN -> true
        IF_SAMPLED -> isSampled
        NEVER -> false
    }
}

/** The kind of a record, as the policy distinguishes them. */
public enum class TelemetryKind(public val value: String, public val priority: UploadPriority) {
    DEBUG("debug", UploadPriority.LOW),

    /** Ordinary events, of severity info and warn. */
    INFO("info", UploadPriority.NORMAL),
    METRIC("metric", UploadPriority.NORMAL),

    /** Spans. */
    TRACE("trace", UploadPriority.NORMAL),

    /** Errors and hangs. */
    ERROR("error", UploadPriority.HIGH),
    CRASH("crash", UploadPriority.CRITICAL);

    /**
     * Returns whether records of this kind are kept in a mode. Errors and crashes are kept in every mode.
     *
     * @param isOfApp Whether the app recorded it, and not an instrumentation.
     */
    public fun admission(
        mode: TelemetryMode,
        rule: Admission = Admission.STANDARD,
        isOfApp: Boolean = false
    ): KindAdmission {
        val isLow = mode == TelemetryMode.REDUCED || mode == TelemetryMode.MINIMAL
        return when (this) {
            CRASH, ERROR -> KindAdmission.ALWAYS
            TRACE -> if (mode == TelemetryMode.MINIMAL) KindAdmission.NEVER else KindAdmission.IF_SAMPLED
            METRIC -> when {
                !isLow -> KindAdmission.ALWAYS
                rule == Admission.STANDARD -> KindAdmission.LESS_OFTEN
                else -> KindAdmission.NEVER
            }
            INFO -> when {
                !isLow -> KindAdmission.ALWAYS
                rule == Admission.STANDARD && isOfApp -> KindAdmission.AT_LOW_PRIORITY
                else -> KindAdmission.NEVER
            }
            DEBUG -> if (isLow) KindAdmission.NEVER else KindAdmission.ALWAYS
        }
    }
}
