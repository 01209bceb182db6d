package astrolabe.http

import com.sun.net.httpserver.Headers
import okhttp3.OkHttpClient
import okhttp3.Request
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Test

class TracingInterceptorTests {
    private val server = EchoServer()
    private val span = SpanContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", isSampled = true)
    private val names = listOf("traceparent", "baggage", "x-session-id", "x-device-id", "x-request-id", "x-app-version")
    private val identity = HttpIdentity({ "s1" }, "i1", "1.4.0", hasHeaders = true)

    @After
    fun stop(): Unit = server.close()

    private fun get(
        path: String,
        identity: HttpIdentity = this.identity,
        current: () -> RequestContext = { RequestContext(span) },
        configure: Request.Builder.() -> Unit = {}
    ): Headers {
        val interceptor = TracingInterceptor(HeaderRules(AllowedHosts("127.0.0.1"), identity), current)
        val client = OkHttpClient.Builder().addNetworkInterceptor(interceptor).build()
        client.newCall(Request.Builder().url(server.address + path).apply(configure).build()).execute().close()
        return server.received(path)
    }

    @Test
    fun `a request to an allowed host carries the trace, the session and the identity`() {
        val headers = get("/api") { addHeader("baggage", "a=1").addHeader("baggage", "b=2") }
        assertEquals(span.traceParent, headers.getFirst("traceparent"))
        assertEquals("a=1,b=2,session.id=s1", headers.getFirst("baggage"))
        assertEquals("s1", headers.getFirst("x-session-id"))
        assertEquals("i1", headers.getFirst("x-device-id"))
        assertEquals("1.4.0", headers.getFirst("x-app-version"))
    }

    @Test
    fun `a redirect within the allowed hosts carries them too, with another request id`() {
        val first = get("/own")
        val second = server.received("/end")
        assertEquals(span.traceParent, second.getFirst("traceparent"))
        assertNotEquals(first.getFirst("x-request-id"), second.getFirst("x-request-id"))
    }

    @Test
    fun `a redirect to another host carries nothing`() {
        assertEquals(span.traceParent, get("/other").getFirst("traceparent"))
        val headers = server.received("/end")
        for (name in names) assertNull(name, headers.getFirst(name))
    }

    @Test
    fun `a value that no header can carry is left out, and the request proceeds with the others`() {
        for (text in listOf("1.0β", "a\nb", "a\u0000", "\u007F")) {
            val headers = get("/api", HttpIdentity({ text }, text, text, hasHeaders = true))
            assertEquals(span.traceParent, headers.getFirst("traceparent"))
            val left = listOf("x-session-id", "x-device-id", "x-app-version")
            for (name in left) assertNull(name, headers.getFirst(name))
            assertEquals("session.id=" + PercentCoding.encode(text), headers.getFirst("baggage"))
        }
    }

    @Test
    fun `whatever throws in the interceptor, the plain request proceeds`() {
        val broken = HttpIdentity({ throw IllegalStateException("no session") }, "i1", "1.4.0", hasHeaders = true)
        val found = listOf(
            get("/api", broken), get("/api", current = { throw IllegalStateException("no span") })
        )
        for (headers in found) for (name in names) assertNull(name, headers.getFirst(name))
    }

    @Test
    fun `the trace state and the baggage of another SDK are kept`() {
        val written = mapOf(
            "traceparent" to span.traceParent, "tracestate" to "vendor=1,ot=th:8", "baggage" to "tenant=a%20b;ttl=60"
        )
        val headers = get("/api", current = { RequestContext.of(written::get) })
        assertEquals(span.traceParent, headers.getFirst("traceparent"))
        assertEquals("vendor=1,ot=th:8", headers.getFirst("tracestate"))
        assertEquals("tenant=a%20b;ttl=60,session.id=s1", headers.getFirst("baggage"))
    }
}
