package astrolabe.http

import com.sun.net.httpserver.Headers
import java.io.IOException
import java.util.concurrent.CountDownLatch
import okhttp3.Call
import okhttp3.Callback
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test

/** The current span is one of a thread, as that of OpenTelemetry is. */
class TracingCallFactoryTests {
    private val server = EchoServer()
    private val client = OkHttpClient()
    private val span = SpanContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", isSampled = true)
    private val open = ThreadLocal<SpanContext?>()
    private val rules = HeaderRules(AllowedHosts("127.0.0.1"), HttpIdentity({ "s1" }))
    private val calls = TracingCallFactory(client, rules) { RequestContext(open.get()) }
    private val done = CountDownLatch(1)

    @After
    fun stop() {
        server.close()
        client.dispatcher().executorService().shutdown()
    }

    private fun request(path: String): Request = Request.Builder().url(server.address + path).build()

    private fun inSpan(body: () -> Unit) {
        open.set(span)
        body()
        open.set(null)
    }

    private fun enqueued(path: String) {
        inSpan {
            calls.newCall(request(path)).enqueue(object : Callback {
                override fun onFailure(call: Call, failure: IOException) = done.countDown()

                override fun onResponse(call: Call, response: Response) {
                    response.close()
                    done.countDown()
                }
            })
        }
        done.await()
    }

    private fun webSocket(path: String): Headers {
        inSpan {
            // The server refuses the upgrade, which is enough to see its headers.
            calls.newWebSocket(request(path), object : WebSocketListener() {
                override fun onFailure(socket: WebSocket, failure: Throwable, response: Response?) = done.countDown()
            })
        }
        done.await()
        return server.received(path)
    }

    @Test
    fun `a call carries the span of the code that makes it, however it is sent`() {
        inSpan { calls.newCall(request("/api")).execute().close() }
        assertEquals(span.traceParent, server.received("/api").getFirst("traceparent"))
        enqueued("/api")
        assertEquals(span.traceParent, server.received("/api").getFirst("traceparent"))
    }

    @Test
    fun `a call that is made in the span and sent after it carries the span`() {
        var call: Call? = null
        inSpan { call = calls.newCall(request("/api")) }
        call!!.execute().close()
        assertEquals(span.traceParent, server.received("/api").getFirst("traceparent"))
    }

    @Test
    fun `a redirect of an enqueued call to another host carries nothing`() {
        enqueued("/other")
        assertEquals(span.traceParent, server.received("/other").getFirst("traceparent"))
        val headers = server.received("/end")
        for (name in listOf("traceparent", "baggage")) assertNull(name, headers.getFirst(name))
    }

    @Test
    fun `a WebSocket carries the span and the session`() {
        val headers = webSocket("/socket")
        assertEquals("websocket", headers.getFirst("upgrade"))
        assertEquals(span.traceParent, headers.getFirst("traceparent"))
        assertEquals("session.id=s1", headers.getFirst("baggage"))
    }

    @Test
    fun `an upgrade that carries headers follows no redirect to another host`() {
        webSocket("/other")
        inSpan { calls.newCall(request("/last")).execute().close() }
        server.received("/last")
    }

    @Test
    fun `a call proceeds if the current context cannot be had`() {
        val broken = TracingCallFactory(client, rules) { throw IllegalStateException("no span") }
        broken.newCall(request("/api")).execute().close()
        assertNull(server.received("/api").getFirst("traceparent"))
        broken.newWebSocket(request("/socket"), object : WebSocketListener() {})
        assertNull(server.received("/socket").getFirst("traceparent"))
    }
}
