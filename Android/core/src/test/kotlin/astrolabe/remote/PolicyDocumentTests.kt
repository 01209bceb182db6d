package astrolabe.remote

import kotlin.random.Random
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertTrue
import org.junit.Test

class PolicyDocumentTests {
    private val whole = (
        "{\"schema\": 1, \"app\": \"shop\", \"version\": 7, \"expires\": \"2026-12-31T00:00:00Z\", " +
            "\"rates\": {\"full\": 1e0}, \"triggers\": {\"rules\": [{\"span\": \"é\\n\", \"longerThan\": 0.5}]}}"
        ).toByteArray()

    @Test
    fun `damaged bytes are a document or findings, and never an exception`() {
        assertNotNull(PolicyDocument.read(whole).document)
        val random = Random(31)
        for (attempt in 0 until 3_000) {
            val damaged = whole.copyOf(random.nextInt(1, whole.size + 1))
            for (change in 0..attempt % 3) damaged[random.nextInt(damaged.size)] = random.nextInt(256).toByte()
            val reading = PolicyDocument.read(damaged)
            assertTrue(String(damaged), (reading.document == null) != reading.findings.isEmpty())
        }
    }

    @Test
    fun `bytes that are not UTF-8, and raw control characters, are one finding`() {
        val other = PolicyDocument.read(byteArrayOf(0x7B, -1, 0x7D)).findings
        assertEquals(listOf("$: expected JSON in UTF-8, found other bytes"), other.map { it.toString() })
        val control = PolicyDocument.read("{\"a\": \"\u0001\"}".toByteArray()).findings
        assertEquals(
            listOf("$.a: expected control characters as escapes, such as \\n"), control.map { it.toString() }
        )
    }
}
