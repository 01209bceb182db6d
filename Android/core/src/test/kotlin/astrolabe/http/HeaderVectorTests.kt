package astrolabe.http

import astrolabe.Vectors
import astrolabe.flag
import astrolabe.list
import astrolabe.map
import astrolabe.text
import astrolabe.texts
import java.util.UUID
import org.junit.Assert.assertEquals
import org.junit.Test

class HeaderVectorTests {
    private val vectors = Vectors("headers")

    @Test
    fun `a traceparent is read or refused as in Swift`() {
        for (case in vectors.section("traceparents").map { it.list }) {
            assertEquals(case.toString(), case[1], SpanContext.parse(case[0].text)?.traceParent)
        }
    }

    @Test
    fun `a tracestate is read, shortened or refused as in Swift`() {
        for (case in vectors.section("tracestates").map { it.list }) {
            assertEquals(case.toString(), case[1], TraceState.parse(case[0].text)?.header)
        }
    }

    @Test
    fun `a baggage header is read and written as in Swift`() {
        for (case in vectors.section("baggage").map { it.list }) {
            assertEquals(case.toString(), case[1], Baggage.parse(case[0].text).header)
        }
    }

    @Test
    fun `each request gets the headers that it gets in Swift`() {
        val cases = vectors.section("requests").map { it.map }
        for (case in cases) {
            val carried = case["carried"].map.mapKeys { it.key.text }.mapValues { it.value.text }
            val identity = HttpIdentity({ case["session"].text }, "i1", "1.4.0", case["hasHeaders"].flag)
            val propagation = if (case["always"].flag) Propagation.ALWAYS else Propagation.SAMPLED_ONLY
            val rules = HeaderRules(AllowedHosts(case["allowedHosts"].texts), identity, propagation)
            val baggage = case["baggage"].map.entries.fold(Baggage()) { baggage, (name, value) ->
                baggage.with(name.text, value.text)
            }
            val span = (case["span"] as String?)?.let { SpanContext.parse(it, case["state"].text) }
            val sent = carried + rules.headers(case["host"].text, RequestContext(span, baggage)) { carried[it] }
            assertEquals(case["url"].text, case["headers"], sent.mapValues { (name, value) -> masked(name, value) })
        }
    }

    private fun masked(name: String, value: String): String {
        if (name != HeaderName.REQUEST_ID || value == "given") return value
        UUID.fromString(value)
        return "*"
    }
}
