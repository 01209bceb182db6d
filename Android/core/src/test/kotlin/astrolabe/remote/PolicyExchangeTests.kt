package astrolabe.remote

import astrolabe.policy.PolicyConfiguration
import astrolabe.wire.ProtobufWriter
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

class PolicyExchangeTests {
    private val gate = PolicyGate("shop", PolicyConfiguration()) { signature, _ -> signature.all { it == 1.toByte() } }
    private val keeper = PolicyKeeper(gate, "i", stored = null, carriedOut = emptyMap(), now = 0)
    private val uid = ByteArray(16) { 9 }
    private val exchange = exchange(keeper)

    private fun exchange(keeper: PolicyKeeper, serverHash: ByteArray? = null) =
        PolicyExchange(keeper, uid, mapOf("service.name" to "shop"), emptyMap(), serverHash)

    private fun request(number: Long, describes: Boolean, status: RemoteConfigStatus?, id: ByteArray = uid): ByteArray {
        val description = AgentDescription(mapOf("service.name" to "shop"), emptyMap())
        return AgentToServer(id, number, if (describes) description else null, status).bytes
    }

    /** A message with one field for each pair. */
    private fun message(vararg fields: Pair<Int, ByteArray>): ByteArray {
        val writer = ProtobufWriter()
        for ((number, content) in fields) writer.message(number, content)
        return writer.bytes
    }

    private fun document(version: Int): ByteArray =
        "{\"schema\": 1, \"app\": \"shop\", \"version\": $version, \"expires\": \"1970-01-02T00:00:00Z\"}".toByteArray()

    private fun offer(version: Int, signature: Byte = 1): ByteArray {
        fun entry(name: String, body: ByteArray) = Pair(1, message(1 to name.toByteArray(), 2 to message(1 to body)))
        val signed = entry("policy.signature", ByteArray(64) { signature })
        val entries = message(entry("policy", document(version)), signed)
        return message(3 to message(1 to entries, 2 to byteArrayOf(version.toByte())))
    }

    @Test
    fun `a good document is in force at once, and the next message says so`() {
        assertArrayEquals(request(1, describes = true, status = null), exchange.request())
        val reply = exchange.follow(offer(2), now = 0)
        assertTrue(reply.goesOn)
        assertArrayEquals(document(2), (reply as PolicyReply.Taken).offer.document)
        assertArrayEquals(byteArrayOf(2), reply.serverHash)
        assertEquals(2L, keeper.policy(0)?.version)
        val status = RemoteConfigStatus(byteArrayOf(2), RemoteConfigStatus.State.APPLIED)
        assertArrayEquals(request(2, describes = false, status = status), exchange.request())
        assertFalse(exchange.follow(ByteArray(0), now = 0).goesOn)
    }

    @Test
    fun `a refused document changes nothing, and the next message says why`() {
        exchange.follow(offer(2), now = 0)
        val reply = exchange.follow(offer(3, signature = 2), now = 0)
        assertTrue(reply.goesOn)
        val refusal = (reply as PolicyReply.Refused).refusal
        assertEquals(RefusalReason.WRONG_SIGNATURE, refusal.reason)
        assertEquals(2L, keeper.policy(0)?.version)
        val status = RemoteConfigStatus(byteArrayOf(3), RemoteConfigStatus.State.FAILED, refusal.description)
        assertArrayEquals(request(1, describes = false, status = status), exchange.request())
    }

    @Test
    fun `a configuration without a document is refused as unsigned`() {
        val reply = exchange.follow(message(3 to message(2 to byteArrayOf(5))), now = 0)
        assertEquals(RefusalReason.UNSIGNED, (reply as PolicyReply.Refused).refusal.reason)
    }

    @Test
    fun `a server that does not know the client hears all about it, under the id that it chooses`() {
        val id = ByteArray(16) { 3 }
        val flags = ProtobufWriter().also { it.number(6, 1) }.bytes
        exchange.request()
        assertTrue(exchange.follow(flags + message(8 to message(1 to id)), now = 0).goesOn)
        assertArrayEquals(request(2, describes = true, status = null, id = id), exchange.request())
    }

    @Test
    fun `an error, and bytes that are no message, change nothing`() {
        val retry = ProtobufWriter().also { it.number(1, 2_500_000_000) }.bytes
        val busy = exchange.follow(message(2 to message(2 to "busy".toByteArray(), 3 to retry)), now = 0)
        assertEquals("The server responded with the error \"busy\"", (busy as PolicyReply.Failed).problem)
        assertEquals(2.5, busy.retryAfter)
        val unread = exchange.follow(byteArrayOf(0x1A), now = 0) as PolicyReply.Failed
        assertTrue(unread.problem, unread.problem.startsWith("The server's response cannot be read: expected "))
        assertNull(unread.retryAfter)
        assertArrayEquals(request(1, describes = true, status = null), exchange.request())
    }

    @Test
    fun `after a restart the first message names the stored document, unless it is damaged`() {
        fun restarted(signature: Byte): PolicyExchange {
            val stored = PolicyOffer(document(2), ByteArray(64) { signature })
            return exchange(PolicyKeeper(gate, "i", stored, emptyMap(), now = 0), serverHash = byteArrayOf(2))
        }
        val status = RemoteConfigStatus(byteArrayOf(2), RemoteConfigStatus.State.APPLIED)
        assertArrayEquals(request(1, describes = true, status = status), restarted(signature = 1).request())
        assertArrayEquals(request(1, describes = true, status = null), restarted(signature = 2).request())
    }
}
