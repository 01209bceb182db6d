package astrolabe.delivery

/** The result of one attempt to send a request. */
public sealed class SendResult {
    /**
     * A response.
     *
     * @property retryAfter Seconds, if the server sent `Retry-After`. Zero or less counts as none.
     */
    public data class Response(public val status: Int, public val retryAfter: Double? = null) : SendResult()

    /** No response within the request's timeout. */
    public object TimedOut : SendResult()

    /** No response: no network or no server. */
    public data class Unreachable(public val reason: String) : SendResult()
}

/** The action after an attempt. */
public sealed class SendDecision {
    public object Delivered : SendDecision()

    /**
     * The collector or the network failed, and the records are innocent.
     *
     * @property after Seconds to wait before the next attempt.
     * @property isServerRequested Whether the server specified the time.
     */
    public data class Retry(
        public val after: Double,
        public val reason: String,
        public val isServerRequested: Boolean
    ) : SendDecision()

    /** The server refused the bytes of the request: at least one of its records. */
    public data class Refused(public val reason: String, public val isTooLarge: Boolean) : SendDecision()
}

/**
 * Whether an attempt that failed says something about the collector or about the records.
 *
 * Only a response that refuses the bytes is held against the records: 400, 413, 415 and 422. Everything else is a
 * failure of the collector or of the way to it, which the records outlive.
 *
 * @property initialBackoff Seconds before the first retry.
 * @property multiplier Factor between two retries.
 * @property maximumBackoff Maximum seconds between two retries after a response.
 * @property maximumBackoffWithoutResponse Maximum seconds between two retries without a response.
 * @property maximumRetryAfter Maximum seconds that a server's `Retry-After` is respected. The backoff is its minimum.
 */
public data class RetryPolicy(
    public val initialBackoff: Double = 1.0,
    public val multiplier: Double = 1.5,
    public val maximumBackoff: Double = 300.0,
    public val maximumBackoffWithoutResponse: Double = 60.0,
    public val maximumRetryAfter: Double = 3_600.0
) {
    /**
     * Decides what follows from the result of an attempt.
     *
     * @param attempts How many attempts have failed in a row.
     * @param random A number from 0 to 1 for the jitter.
     */
    public fun decide(result: SendResult, attempts: Int, random: Double): SendDecision = when (result) {
        is SendResult.Unreachable -> retryWithoutResponse(result.reason, attempts, random)
        is SendResult.TimedOut -> retryWithoutResponse("timed out", attempts, random)
        is SendResult.Response -> when (result.status) {
            in 200..299 -> SendDecision.Delivered
            400, 413, 415, 422 -> SendDecision.Refused("HTTP ${result.status}", isTooLarge = result.status == 413)
            else -> {
                val requested = result.retryAfter?.let { minOf(it, maximumRetryAfter) } ?: 0.0
                val wait = maxOf(requested, backoff(attempts, random))
                SendDecision.Retry(wait, "HTTP ${result.status}", isServerRequested = requested > 0)
            }
        }
    }

    private fun retryWithoutResponse(reason: String, attempts: Int, random: Double): SendDecision =
        SendDecision.Retry(backoff(attempts, random, maximumBackoffWithoutResponse), reason, false)

    /** Exponential, with full jitter over its upper half, so that a fleet does not retry in lockstep. */
    internal fun backoff(attempts: Int, random: Double, maximum: Double = maximumBackoff): Double {
        var ceiling = initialBackoff
        for (attempt in 0 until minOf(attempts, 64)) if (ceiling < maximum) ceiling *= multiplier
        ceiling = minOf(ceiling, maximum)
        return ceiling / 2 + ceiling / 2 * random
    }
}
