package astrolabe.otel

import astrolabe.http.AllowedHosts
import astrolabe.http.HttpIdentity
import com.sun.net.httpserver.Headers
import com.sun.net.httpserver.HttpServer
import io.opentelemetry.context.Context
import io.opentelemetry.context.propagation.TextMapGetter
import io.opentelemetry.context.propagation.TextMapPropagator
import io.opentelemetry.context.propagation.TextMapSetter
import java.net.InetSocketAddress
import java.net.URL
import java.util.concurrent.ConcurrentHashMap
import okhttp3.OkHttpClient
import okhttp3.Request
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test

class HostGatedPropagatorTests {
    private val received = ConcurrentHashMap<String, Headers>()
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        createContext("/") { exchange ->
            received[exchange.requestURI.path] = exchange.requestHeaders
            // 127.0.0.1 is an allowed host in these tests, and localhost is not.
            val target = mapOf("/other" to "http://localhost:${address.port}/end")[exchange.requestURI.path]
            target?.let { exchange.responseHeaders.add("Location", it) }
            exchange.sendResponseHeaders(if (target != null) 302 else 200, -1)
            exchange.close()
        }
        start()
    }

    private var sessionId: () -> String = { "s1" }
    private val written = linkedMapOf(
        "traceparent" to "00-$TRACE-$SPAN-01", "tracestate" to "vendor=a", "baggage" to "user=u;p=1", "b3" to "0"
    )
    private val delegate = object : TextMapPropagator {
        override fun fields(): Collection<String> = written.keys

        override fun <C> inject(context: Context, carrier: C?, setter: TextMapSetter<C>): Unit =
            written.forEach { (name, value) -> setter.set(carrier, name, value) }

        override fun <C> extract(context: Context, carrier: C?, getter: TextMapGetter<C>): Context = context
    }
    private val identity = HttpIdentity({ sessionId() }, "i1", "1.4.0")
    private val propagator = HostGatedPropagator(delegate, AllowedHosts("127.0.0.1"), identity)

    /** As OpenTelemetry's instrumentation of OkHttp does it. */
    private val client = OkHttpClient.Builder().addNetworkInterceptor { chain ->
        val builder = chain.request().newBuilder()
        propagator.inject(Context.root(), builder, TextMapSetter<Request.Builder> { it, key, value -> it?.header(key, value) })
        chain.proceed(builder.build())
    }.build()

    @After
    fun stop(): Unit = server.stop(0)

    private fun get(path: String, host: String = "127.0.0.1", configure: Request.Builder.() -> Unit = {}): Headers {
        val request = Request.Builder().url("http://$host:${server.address.port}$path").apply(configure).build()
        client.newCall(request).execute().close()
        return received.getValue(path)
    }

    @Test
    fun `a request to an allowed host carries what the delegate writes, and the session`() {
        val headers = get("/api") { header("baggage", "own=1") }
        assertEquals("00-$TRACE-$SPAN-01", headers.getFirst("traceparent"))
        assertEquals("vendor=a", headers.getFirst("tracestate"))
        assertEquals("own=1,user=u;p=1,session.id=s1", headers.getFirst("baggage"))
        assertEquals("0", headers.getFirst("b3"))
    }

    @Test
    fun `another host gets nothing, at once or after a redirect`() {
        get("/other")
        get("/api", host = "localhost")
        for (path in listOf("/end", "/api")) {
            for (name in written.keys) assertNull("$path $name", received.getValue(path).getFirst(name))
        }
    }

    @Test
    fun `a trace that is not recorded is not sent, since a server would follow it`() {
        written["traceparent"] = "00-$TRACE-$SPAN-00"
        val headers = get("/api")
        assertNull(headers.getFirst("traceparent"))
        assertNull(headers.getFirst("tracestate"))
        assertEquals("user=u;p=1,session.id=s1", headers.getFirst("baggage"))
    }

    @Test
    fun `what fails in the app's own function does not fail its request`() {
        sessionId = { throw IllegalStateException("no session yet") }
        assertNull(get("/api").getFirst("traceparent"))
    }

    @Test
    fun `a connection of the platform is gated too, and a carrier without a host gets nothing`() {
        val allowed = URL("http://127.0.0.1/").openConnection()
        val other = URL("http://localhost/").openConnection()
        for (connection in listOf(allowed, other)) {
            propagator.inject(Context.root(), connection, TextMapSetter { it, key, value -> it?.setRequestProperty(key, value) })
        }
        assertEquals("00-$TRACE-$SPAN-01", allowed.getRequestProperty("traceparent"))
        assertNull(other.getRequestProperty("traceparent"))
        val map = HashMap<String, String>()
        propagator.inject(Context.root(), map, TextMapSetter { it, key, value -> it?.put(key, value) })
        assertEquals(emptyMap<String, String>(), map)
    }
}
