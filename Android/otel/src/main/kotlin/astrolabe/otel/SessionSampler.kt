package astrolabe.otel

import astrolabe.policy.PolicyDecision
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.trace.Span
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.TraceState
import io.opentelemetry.context.Context
import io.opentelemetry.sdk.trace.data.LinkData
import io.opentelemetry.sdk.trace.samplers.Sampler
import io.opentelemetry.sdk.trace.samplers.SamplingDecision
import io.opentelemetry.sdk.trace.samplers.SamplingResult

/** The policy's decision in force, which the exporters and the sampler read. `FlushScheduler` calls [follow]. */
public class FollowedPolicy(first: PolicyDecision) {
    @Volatile
    public var decision: PolicyDecision = first
        private set

    public fun follow(next: PolicyDecision) {
        decision = next
    }
}

/**
 * Samples whole sessions at the rate of the policy: every trace that begins in a session is recorded, or none is.
 *
 * The numbers are those of the Swift SDK. A session's id gives 56 random bits, and the session is recorded if they
 * reach the threshold of the rate, so that a rate that rises keeps what a lower one would have kept. Recorded spans
 * carry the probability, `ot=th:…;rv:…` in their trace state. A child does as its parent did.
 *
 * @param sessionId Asked at the start of each trace.
 */
public class SessionSampler(private val policy: FollowedPolicy, private val sessionId: () -> String) : Sampler {
    override fun shouldSample(
        parentContext: Context,
        traceId: String,
        name: String,
        spanKind: SpanKind,
        attributes: Attributes,
        parentLinks: List<LinkData>
    ): SamplingResult {
        val parent = Span.fromContext(parentContext).spanContext
        if (parent.isValid) return if (parent.isSampled) SamplingResult.recordAndSample() else SamplingResult.drop()
        val randomness = randomness(sessionId())
        val threshold = threshold(policy.decision.samplingRate)
        return if (randomness >= threshold) Recorded(threshold, randomness) else SamplingResult.drop()
    }

    override fun getDescription(): String = "SessionSampler{${policy.decision.samplingRate}}"

    private class Recorded(private val threshold: Long, private val randomness: Long) : SamplingResult {
        override fun getDecision(): SamplingDecision = SamplingDecision.RECORD_AND_SAMPLE

        override fun getAttributes(): Attributes = Attributes.empty()

        override fun getUpdatedTraceState(parentTraceState: TraceState): TraceState {
            val digits = digits(threshold).trimEnd('0').ifEmpty { "0" }
            return parentTraceState.toBuilder().put("ot", "th:$digits;rv:${digits(randomness)}").build()
        }
    }

    internal companion object {
        private const val RANGE = 1L shl 56

        /** FNV-1a over the id, and the finalizer of SplitMix64, which spreads the bits evenly. */
        fun randomness(session: String): Long {
            var hash = -0x340d631b7bdddcdbL
            for (byte in session.toByteArray()) hash = (hash xor (byte.toLong() and 0xFF)) * 0x100_0000_01B3
            hash = (hash xor (hash ushr 30)) * -0x40a7b892e31b1a47L
            hash = (hash xor (hash ushr 27)) * -0x6b2fb644ecceee15L
            return (hash xor (hash ushr 31)) and (RANGE - 1)
        }

        /** The number of rejected values of 2^56, to the four digits after leading `f`s that OpenTelemetry recommends. */
        fun threshold(rate: Double): Long {
            if (!(rate >= 1.0 / RANGE)) return RANGE
            if (rate >= 1) return 0
            val leading = -(Math.getExponent(rate) + 1) / 4
            val lastDigit = 1L shl (56 - 4 * minOf(4 + leading, 13))
            val kept = Math.round(rate * RANGE)
            val rounded = (RANGE - kept + lastDigit / 2) / lastDigit * lastDigit
            return minOf(rounded, RANGE - lastDigit)
        }

        private fun digits(value: Long): String = value.toString(radix = 16).padStart(14, '0')
    }
}
