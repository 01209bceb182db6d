package astrolabe.otel

import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.delivery.ThreadFlushExecutor
import astrolabe.policy.PolicyConfiguration
import astrolabe.queue.OfflineQueue
import astrolabe.remote.PolicyExchange
import astrolabe.remote.PolicyGate
import astrolabe.remote.PolicyKeeper
import astrolabe.remote.PolicyReply
import astrolabe.support.JdbcSql
import astrolabe.wire.ProtobufWriter
import com.sun.net.httpserver.HttpServer
import java.io.File
import java.net.InetSocketAddress
import java.util.concurrent.CopyOnWriteArrayList
import okhttp3.OkHttpClient
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class RemotePolicyClientTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val contentTypes = CopyOnWriteArrayList<String>()
    private var status = 200
    private val replies = mutableListOf<ByteArray>()
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        createContext("/v1/opamp") { exchange ->
            contentTypes.add(exchange.requestHeaders.getFirst("Content-Type"))
            val reply = if (replies.isEmpty()) ByteArray(0) else replies.removeAt(0)
            exchange.responseHeaders.add("Retry-After", "7")
            exchange.sendResponseHeaders(status, if (reply.isEmpty()) -1 else reply.size.toLong())
            if (reply.isNotEmpty()) exchange.responseBody.write(reply)
            exchange.close()
        }
        start()
    }

    private val executor = ThreadFlushExecutor()
    private val delivery by lazy {
        val queue = OfflineQueue(File(folder.root, "queue.db"), JdbcSql.opener)
        val sender = OtlpSender(OkHttpClient(), "http://127.0.0.1:1")
        OtlpDelivery(queue, ConditionsStore(Conditions()), 4.0, sender, executor = executor)
    }
    private val gate = PolicyGate("shop", PolicyConfiguration()) { _, _ -> true }
    private val keeper = PolicyKeeper(gate, "i", stored = null, carriedOut = emptyMap(), now = 0)
    private val exchange = PolicyExchange(keeper, ByteArray(16) { 9 }, mapOf("service.name" to "shop"), emptyMap())
    private val client by lazy {
        val address = "http://127.0.0.1:${server.address.port}/v1/opamp"
        RemotePolicyClient(OkHttpClient(), address, keeper, exchange, delivery.scheduler, now = { 0 })
    }

    @After
    fun stop(): Unit = server.stop(0)

    private fun offer(): ByteArray {
        val text = """{"schema": 1, "app": "shop", "version": 3, "expires": "1970-01-02T00:00:00Z"}"""
        fun ProtobufWriter.entry(name: String, body: ByteArray): Unit = message(1) {
            text(1, name)
            message(2) { bytes(1, body) }
        }
        val message = ProtobufWriter()
        message.message(3) {
            message(1) {
                entry("policy", text.toByteArray())
                entry("policy.signature", ByteArray(64))
            }
            bytes(2, byteArrayOf(3))
        }
        return message.bytes
    }

    @Test
    fun `a document of the server is told to the app, and then in force in the scheduler`() {
        replies.add(offer())
        val told = mutableListOf<String>()
        client.ask { told.add(it.javaClass.simpleName) }
        assertEquals(listOf("Taken", "Unchanged"), told)
        assertEquals(List(2) { PolicyExchange.CONTENT_TYPE }, contentTypes)
        executor.close(seconds = 60.0)
        assertEquals(3L, delivery.policy.decision.remote?.version)
    }

    @Test
    fun `a server that fails, or that is not there, changes nothing`() {
        val told = mutableListOf<PolicyReply>()
        status = 503
        client.ask { told.add(it) }
        server.stop(0)
        client.ask { told.add(it) }
        val failures = told.map { it as PolicyReply.Failed }
        assertEquals("The server responded with HTTP 503", failures[0].problem)
        assertEquals(listOf(7.0, null), failures.map { it.retryAfter })
        executor.close(seconds = 60.0)
        assertEquals(null, delivery.policy.decision.remote)
    }
}
