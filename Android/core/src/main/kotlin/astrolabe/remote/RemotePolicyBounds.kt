package astrolabe.remote

import astrolabe.policy.Admission
import astrolabe.policy.ModeTable
import astrolabe.policy.PolicyConfiguration
import astrolabe.policy.TelemetryMode
import astrolabe.policy.swiftText

/**
 * The most that a remote document may ask of an app.
 *
 * The default allows less collection than the app has configured, and kill switches. A document that asks for more is
 * refused as a whole.
 *
 * @property samplingRates The largest share of sessions in each mode. `null`: the app's own.
 * @property flushIntervals The shortest time between two flushes in each mode, in seconds. `null`: the app's own.
 * @property admission The records that the modes reduced and minimal may collect. `null`: the app's own.
 * @property dailyBytes The most bytes a day that a flight recorder may send because of a trigger. `null`: any.
 * @property limitPerHour The most promotions of each trigger in an hour. `null`: any.
 * @property allowsPromotion Whether a document may ask an installation to send what its flight recorder has.
 * @property allowsFullRecording Whether a document may ask an installation to record all sessions for up to a day. It
 *   is for installations whose users have agreed to it.
 */
public data class RemotePolicyBounds(
    public val samplingRates: ModeTable<Double>? = null,
    public val flushIntervals: ModeTable<Double>? = null,
    public val admission: Admission? = null,
    public val dailyBytes: Long? = null,
    public val limitPerHour: Long? = null,
    public val allowsPromotion: Boolean = true,
    public val allowsFullRecording: Boolean = false
) {
    /** The bounds with the app's own values where they name none. */
    internal fun filled(configuration: PolicyConfiguration): RemotePolicyBounds = copy(
        samplingRates = samplingRates ?: configuration.samplingRates,
        flushIntervals = flushIntervals ?: configuration.flushIntervals,
        admission = admission ?: configuration.admission
    )

    /** Finds what a document asks for beyond the bounds. */
    internal fun findings(document: PolicyDocument): List<PolicyFinding> {
        val findings = mutableListOf<PolicyFinding>()
        fun add(path: String, bound: String, found: String) {
            findings.add(PolicyFinding(path, "expected $bound within the bounds of the app, found $found"))
        }
        val policy = document.policy
        for (mode in TelemetryMode.values().reversed()) {
            val (rate, most) = Pair(policy.samplingRates[mode], samplingRates?.get(mode))
            if (rate != null && most != null && rate > most) {
                add("$.rates.${mode.value}", "at most ${swiftText(most)}", swiftText(rate))
            }
            val (time, least) = Pair(policy.flushIntervals[mode], flushIntervals?.get(mode))
            if (time != null && least != null && time < least) {
                val bound = "at least ${swiftText(least)} seconds"
                add("$.flushIntervals.${mode.value}", bound, "${swiftText(time)} seconds")
            }
        }
        if (policy.admission == Admission.STANDARD && admission == Admission.STRICT) {
            add("$.admission", "strict", "standard")
        }
        val (bytes, count) = Pair(policy.triggers.dailyBytes, policy.triggers.limitPerHour)
        if (bytes != null && dailyBytes != null && bytes > dailyBytes) {
            add("$.triggers.dailyBytes", "at most $dailyBytes", "$bytes")
        }
        if (count != null && limitPerHour != null && count > limitPerHour) {
            add("$.triggers.limitPerHour", "at most $limitPerHour", "$count")
        }
        for ((index, request) in document.requests.withIndex()) {
            val isAllowed = when (request.kind) {
                PolicyDocument.RequestKind.PROMOTE -> allowsPromotion
                PolicyDocument.RequestKind.RECORD -> allowsFullRecording
            }
            if (!isAllowed) add("$.requests[$index].kind", "no such request", request.kind.value)
        }
        return findings
    }
}
