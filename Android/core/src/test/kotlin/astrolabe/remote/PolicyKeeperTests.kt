package astrolabe.remote

import astrolabe.policy.PolicyConfiguration
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test

class PolicyKeeperTests {
    private val gate =
        PolicyGate("shop", PolicyConfiguration(), RemotePolicyBounds(allowsFullRecording = true)) { signature, _ ->
            signature.all { it == 1.toByte() }
        }

    private fun offer(version: Int, rest: String = "", signature: Byte = 1): PolicyOffer {
        val text = "{\"schema\": 1, \"app\": \"shop\", \"version\": $version, \"expires\": \"1970-01-02T00:00:00Z\"$rest}"
        return PolicyOffer(text.toByteArray(), ByteArray(64) { signature })
    }

    private fun keeper(stored: PolicyOffer? = null, carriedOut: Map<String, Long> = emptyMap(), now: Long = 0) =
        PolicyKeeper(gate, "i", stored, carriedOut, now)

    @Test
    fun `a document is in force until it expires`() {
        val keeper = keeper()
        assertNull(keeper.policy(0))
        assertNull(keeper.take(offer(2), 0))
        assertEquals(2L, keeper.policy(86_399)?.version)
        assertNull(keeper.policy(86_400))
    }

    @Test
    fun `a refused offer leaves the document before it in force`() {
        val keeper = keeper()
        assertNull(keeper.take(offer(2), 0))
        assertEquals(RefusalReason.REPLAYED, keeper.take(offer(1), 0)?.reason)
        assertEquals(RefusalReason.WRONG_SIGNATURE, keeper.take(offer(3, signature = 2), 0)?.reason)
        assertEquals(RefusalReason.BEYOND_BOUNDS, keeper.take(offer(3, ", \"rates\": {\"minimal\": 1}"), 0)?.reason)
        assertEquals(2L, keeper.policy(0)?.version)
        assertNull(keeper.take(offer(3), 0))
        assertEquals(3L, keeper.policy(0)?.version)
    }

    @Test
    fun `the stored document is verified again, and is remembered for its version after it has expired`() {
        assertEquals(5L, keeper(offer(5)).policy(0)?.version)
        assertNull(keeper(offer(5, signature = 2)).policy(0))
        val expired = keeper(offer(5), now = 86_400)
        assertNull(expired.policy(86_400))
        assertEquals(RefusalReason.REPLAYED, expired.take(offer(4), 0)?.reason)
    }

    @Test
    fun `a request to record runs once, for its time, on its installation alone`() {
        fun requests(installation: String) =
            ", \"requests\": [{\"id\": \"a\", \"kind\": \"record\", \"installation\": \"$installation\", \"seconds\": 60}]"
        val keeper = keeper()
        assertNull(keeper.take(offer(2, requests("i")), 100))
        assertEquals(listOf(true, true, false), listOf(100L, 159L, 160L).map { keeper.policy(it)?.recordsInFull })
        assertNull(keeper.take(offer(3, requests("i")), 200))
        assertEquals(false, keeper.policy(200)?.recordsInFull)
        val restarted = keeper(offer(3, requests("i")), keeper.carriedOut, now = 130)
        assertEquals(true, restarted.policy(130)?.recordsInFull)
        assertNull(restarted.take(offer(4, requests("j")), 130))
        assertEquals(false, restarted.policy(130)?.recordsInFull)
    }
}
