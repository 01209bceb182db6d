package astrolabe.otel

import astrolabe.conditions.Conditions
import astrolabe.policy.CollectionPolicy
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.trace.Span
import io.opentelemetry.api.trace.SpanContext
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.TraceState
import io.opentelemetry.context.Context
import io.opentelemetry.sdk.trace.samplers.SamplingDecision
import io.opentelemetry.sdk.trace.samplers.SamplingResult
import org.junit.Assert.assertEquals
import org.junit.Test

class SessionSamplerTests {
    private val any = CollectionPolicy().decision(Conditions(), 4.0)
    private val policy = FollowedPolicy(any)
    private var session = "5f4f8b52-0000-4000-8000-000000000001"
    private val sampler = SessionSampler(policy) { session }

    private fun sample(parent: SpanContext? = null): SamplingResult {
        val context = parent?.let { Context.root().with(Span.wrap(it)) } ?: Context.root()
        return sampler.shouldSample(context, TRACE, "GET", SpanKind.CLIENT, Attributes.empty(), emptyList())
    }

    private fun rate(rate: Double): Unit = policy.follow(any.copy(samplingRate = rate))

    @Test
    fun `the numbers of a session and of a rate are those of the Swift SDK`() {
        // `SessionSampler.randomness` and `SamplingThreshold` of Sources/Recording/Sampling.
        assertEquals("4ec9d885614171", SessionSampler.randomness("5f4f8b52").toString(16))
        assertEquals("2a15e9a9b5e89b", SessionSampler.randomness("").toString(16))
        val thresholds = listOf(1.0, 0.5, 0.25, 0.1, 0.01, 1.0 / 3).map { SessionSampler.threshold(it).toString(16) }
        assertEquals(
            listOf("0", "80000000000000", "c0000000000000", "e6660000000000", "fd70a000000000", "aaab0000000000"), thresholds
        )
        assertEquals(1L shl 56, SessionSampler.threshold(0.0))
        assertEquals(1L shl 56, SessionSampler.threshold(Double.NaN))
    }

    @Test
    fun `a session is recorded as a whole, with its probability, and about as many as the rate says`() {
        rate(0.25)
        val sampled = (0 until 2_000).filter { number ->
            session = "session-$number"
            val results = List(3) { sample() }
            assertEquals(1, results.map { it.decision }.toSet().size)
            results.first().decision == SamplingDecision.RECORD_AND_SAMPLE
        }
        assertEquals(0.25, sampled.size / 2_000.0, 0.04)
        session = "session-${sampled.first()}"
        val state = sample().getUpdatedTraceState(TraceState.builder().put("vendor", "a").build()).asMap()
        val digits = SessionSampler.randomness(session).toString(16).padStart(14, '0')
        assertEquals(mapOf("ot" to "th:c;rv:$digits", "vendor" to "a"), state)
    }

    @Test
    fun `the rate of the policy holds from the next trace on`() {
        rate(0.0)
        assertEquals(SamplingDecision.DROP, sample().decision)
        rate(1.0)
        assertEquals(SamplingDecision.RECORD_AND_SAMPLE, sample().decision)
        assertEquals("th:0", sample().getUpdatedTraceState(TraceState.getDefault()).asMap()["ot"]?.substringBefore(";"))
    }

    @Test
    fun `a child does as its parent did`() {
        rate(0.0)
        assertEquals(SamplingDecision.RECORD_AND_SAMPLE, sample(context()).decision)
        rate(1.0)
        assertEquals(SamplingDecision.DROP, sample(context(isSampled = false)).decision)
    }
}
