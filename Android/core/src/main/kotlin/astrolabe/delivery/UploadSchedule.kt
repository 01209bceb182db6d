package astrolabe.delivery

import astrolabe.policy.FlushTrigger
import astrolabe.policy.UploadAction
import astrolabe.policy.UploadPlan
import astrolabe.policy.UploadPriority
import astrolabe.policy.UploadStrategy

/** Why a flush happens. */
public sealed class FlushCause {
    /** The interval has passed, or a retry is due. */
    public object Scheduled : FlushCause()

    /** The app requested it. */
    public object Requested : FlushCause()

    /** A record of critical priority was made. */
    public object Critical : FlushCause()

    /** The conditions changed. */
    public data class Changed(public val trigger: FlushTrigger) : FlushCause()

    /** True if the app causes it, as often as it likes: such a flush passes each backoff at most once. */
    internal val isOfApp: Boolean
        get() = this is Requested || this is Critical

    /** True if it tries even if the last attempt has just failed. */
    internal val overridesBackoff: Boolean
        get() = when (this) {
            is Scheduled -> false
            is Requested, is Critical -> true
            is Changed -> trigger != FlushTrigger.MEMORY_CRITICAL
        }
}

/** The flush times and what may be sent at them, as a state that a clock drives. Seconds of a monotonic clock. */
internal class UploadSchedule(var plan: UploadPlan, var flushInterval: Double, now: Double) {
    private var nextTry = 0.0
    private var lastFlush = now
    private var isServerRequested = false

    /** True if the last attempt came before its time. */
    private var wasPassed = false

    /** The number of attempts that have failed in a row. */
    var attempts = 0
        private set

    /** The lowest priority that may be sent now; `null` if none may. */
    fun lowestPriority(cause: FlushCause, now: Double): UploadPriority? {
        if (nextTry > now && !letsPass(cause)) return null
        return UploadPriority.values().firstOrNull { priority ->
            when (plan.action(priority)) {
                UploadAction.SEND_NOW -> true
                UploadAction.BATCH -> cause !is FlushCause.Critical
                UploadAction.WAIT_FOR_WIFI, UploadAction.QUEUE -> false
            }
        }
    }

    private fun letsPass(cause: FlushCause): Boolean =
        !isServerRequested && cause.overridesBackoff && !(cause.isOfApp && wasPassed)

    /** Seconds until the next scheduled flush, counted from the last one. Doubled if uploads are batched. */
    fun wait(now: Double): Double {
        val interval = if (plan.strategy == UploadStrategy.BATCHED) 2 * flushInterval else flushInterval
        return maxOf((if (nextTry > lastFlush) nextTry else lastFlush + interval) - now, 0.01)
    }

    /** Records the time of a flush. A flush for critical records only does not postpone the next one. */
    fun recordFlush(cause: FlushCause, now: Double) {
        if (cause !is FlushCause.Critical) lastFlush = now
    }

    fun failed(retry: SendDecision.Retry, now: Double) {
        attempts += 1
        wasPassed = nextTry > now
        nextTry = now + retry.after
        isServerRequested = retry.isServerRequested
    }

    fun succeeded() {
        attempts = 0
        nextTry = 0.0
        isServerRequested = false
        wasPassed = false
    }
}
