package astrolabe.delivery

import astrolabe.Vectors
import astrolabe.double
import astrolabe.flag
import astrolabe.int
import astrolabe.ints
import astrolabe.list
import astrolabe.policy.FlushTrigger
import astrolabe.policy.UploadPlan
import astrolabe.policy.UploadStrategy
import astrolabe.text
import org.junit.Assert.assertEquals
import org.junit.Test

class DeliveryVectorTests {
    private val vectors = Vectors("delivery")
    private val causes: Map<String, FlushCause> = mapOf(
        "scheduled" to FlushCause.Scheduled,
        "requested" to FlushCause.Requested,
        "critical" to FlushCause.Critical
    ) + FlushTrigger.values().map { it.value to FlushCause.Changed(it) }

    @Test
    fun `each result of a request is judged as in Swift`() {
        for (case in vectors.section("results").map { it.list }) {
            val result = when (val name = case[0]) {
                "timedOut" -> SendResult.TimedOut
                "unreachable" -> SendResult.Unreachable("no route")
                else -> SendResult.Response(name.int, case[1]?.double)
            }
            val decision = RetryPolicy().decide(result, case[2].int, case[3].double)
            val found = when (decision) {
                is SendDecision.Delivered -> listOf("delivered", null, null)
                is SendDecision.Retry -> listOf("retry", decision.after, decision.isServerRequested)
                is SendDecision.Refused -> listOf(if (decision.isTooLarge) "tooLarge" else "refused", null, null)
            }
            assertEquals(case.toString(), case.subList(4, 7), found)
        }
    }

    @Test
    fun `flushes are due, and send what they may, as in Swift`() {
        for (script in vectors.section("schedules").map { it.list }) {
            var now = 100.0
            // The first step sets another plan.
            val current = UploadSchedule(UploadPlan(UploadStrategy.QUEUED, canSend = false), 1.0, now)
            for (step in script.map { it.list }) {
                val arguments = step.dropLast(3)
                when (arguments[0].text) {
                    "plan" -> {
                        current.plan = plan(arguments)
                        current.flushInterval = arguments[3].double
                    }
                    "failed" ->
                        current.failed(SendDecision.Retry(arguments[1].double, "", arguments[2].flag), now)
                    "succeeded" -> current.succeeded()
                    "flush" -> current.recordFlush(causes.getValue(arguments[1].text), now)
                    else -> now += arguments[1].double
                }
                val lowest = causes.values.map { current.lowestPriority(it, now)?.level ?: -1 }
                val found = listOf(lowest, current.wait(now), current.attempts)
                val (expected, wait, attempts) = step.takeLast(3)
                assertEquals(step.toString(), listOf(expected.ints, wait.double, attempts.int), found)
            }
        }
    }

    private fun plan(arguments: List<Any?>): UploadPlan =
        UploadPlan(UploadStrategy.values().first { it.value == arguments[1] }, arguments[2].flag)
}
