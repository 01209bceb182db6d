package astrolabe.otel

import astrolabe.delivery.SendResult
import astrolabe.queue.LeasedRecord
import astrolabe.wire.ProtobufReader
import astrolabe.wire.ProtobufWriter
import com.sun.net.httpserver.Headers
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.opentelemetry.api.impl.InstrumentationUtil
import io.opentelemetry.context.Context
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.util.concurrent.CopyOnWriteArrayList
import java.util.zip.GZIPInputStream
import okhttp3.OkHttpClient
import org.junit.After
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

class OtlpSenderTests {
    private class Request(val path: String, val headers: Headers, val body: ByteArray)

    private val received = CopyOnWriteArrayList<Request>()
    private var respond: (HttpExchange) -> Unit = { respond(it, 200) }
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        createContext("/") { exchange ->
            val body = exchange.requestBody.readBytes()
            received.add(Request(exchange.requestURI.path, exchange.requestHeaders, body))
            respond(exchange)
            exchange.close()
        }
        start()
    }
    private val endpoint = "http://127.0.0.1:${server.address.port}/"
    private val suppressed = CopyOnWriteArrayList<Boolean>()
    private val client = OkHttpClient.Builder().addInterceptor { chain ->
        suppressed.add(InstrumentationUtil.shouldSuppressInstrumentation(Context.current()))
        chain.proceed(chain.request())
    }.build()
    private val rejected = mutableListOf<String>()
    private val sender = OtlpSender(client, endpoint, { mapOf("Authorization" to "Bearer t") }) { signal, count, reason ->
        rejected.add("$signal $count $reason")
    }

    @After
    fun stop(): Unit = server.stop(0)

    private fun respond(exchange: HttpExchange, status: Int, body: ByteArray = ByteArray(0), vararg headers: String) {
        for ((name, value) in headers.toList().chunked(2).map { Pair(it[0], it[1]) }) exchange.responseHeaders.add(name, value)
        exchange.sendResponseHeaders(status, if (body.isEmpty()) -1 else body.size.toLong())
        if (body.isNotEmpty()) exchange.responseBody.write(body)
    }

    private fun record(vararg payload: Int, signal: OtlpSignal = OtlpSignal.LOGS): LeasedRecord =
        LeasedRecord(1, signal.ordinal, 1, 1, 0, ByteArray(payload.size) { payload[it].toByte() })

    private fun fails(failure: Exception): OtlpSender =
        OtlpSender(OkHttpClient.Builder().addInterceptor { throw failure }.build(), endpoint)

    @Test
    fun `waiting payloads are one request, in protobuf and gzip, and hidden from OpenTelemetry's instrumentation`() {
        assertEquals(SendResult.Response(200), sender.send(listOf(record(10, 0), record(10, 1, 7))))
        val request = received.single()
        assertEquals("/v1/logs", request.path)
        assertEquals("application/x-protobuf", request.headers.getFirst("Content-Type"))
        assertEquals("gzip", request.headers.getFirst("Content-Encoding"))
        assertEquals("Bearer t", request.headers.getFirst("Authorization"))
        val body = GZIPInputStream(request.body.inputStream()).readBytes()
        assertArrayEquals(byteArrayOf(10, 0, 10, 1, 7), body)
        var resources = 0
        ProtobufReader(body, "a request").forEach { resources += 1 }
        assertEquals(2, resources)
        assertEquals(listOf(true), suppressed)
    }

    @Test
    fun `each signal has its own path`() {
        for (signal in OtlpSignal.values()) sender.send(listOf(record(10, 0, signal = signal)))
        assertEquals(listOf("/v1/traces", "/v1/logs", "/v1/metrics"), received.map { it.path })
    }

    @Test
    fun `Retry-After is read as a number and as a time`() {
        respond = { respond(it, 503, ByteArray(0), "Retry-After", "120") }
        assertEquals(SendResult.Response(503, 120.0), sender.send(listOf(record(10, 0))))
        assertEquals(90.0, OtlpSender.retryAfter("Thu, 01 Jan 1970 00:01:30 GMT", now = 0))
        assertEquals(null, OtlpSender.retryAfter("soon", now = 0))
        respond = { respond(it, 400) }
        assertEquals(SendResult.Response(400), sender.send(listOf(record(10, 0))))
    }

    @Test
    fun `a partial success is delivered and told`() {
        val response = ProtobufWriter()
        response.message(1) {
            number(1, 3)
            text(2, "too old")
        }
        respond = { respond(it, 200, response.bytes, "Content-Type", "application/x-protobuf") }
        assertEquals(SendResult.Response(200), sender.send(listOf(record(10, 0))))
        assertEquals(listOf("LOGS 3 too old"), rejected)
        respond = { respond(it, 200, byteArrayOf(1, 2, 3), "Content-Type", "application/x-protobuf") }
        assertEquals(SendResult.Response(200), sender.send(listOf(record(10, 0))))
        assertEquals(1, rejected.size)
    }

    @Test
    fun `the page of a captive portal is no response of a collector`() {
        respond = { respond(it, 200, "<html>".toByteArray(), "Content-Type", "text/html; charset=utf-8") }
        assertTrue(sender.send(listOf(record(10, 0))) is SendResult.Unreachable)
        respond = {
            if (it.requestURI.path == "/login") respond(it, 200) else respond(it, 302, ByteArray(0), "Location", "/login")
        }
        assertTrue(sender.send(listOf(record(10, 0))) is SendResult.Unreachable)
    }

    @Test
    fun `no network is unreachable, and no response in time is a timeout`() {
        val closed = ServerSocket(0).use { it.localPort }
        val nobody = OtlpSender(client, "http://127.0.0.1:$closed")
        assertTrue(nobody.send(listOf(record(10, 0))) is SendResult.Unreachable)
        assertTrue(fails(java.io.IOException("The phone is offline.")).send(listOf(record(10, 0))) is SendResult.Unreachable)
        val late = fails(java.net.SocketTimeoutException("timeout"))
        assertEquals(SendResult.TimedOut, late.send(listOf(record(10, 0))))
    }

    @Test
    fun `a collector that never responds does not hold the sender`() {
        ServerSocket(0).use { silent ->
            val sender = OtlpSender(client, "http://127.0.0.1:${silent.localPort}", timeout = 1)
            assertEquals(SendResult.TimedOut, sender.send(listOf(record(10, 0))))
        }
    }
}
