package astrolabe.remote

import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Test

/** With test 3 of RFC 8032, section 7.1. */
class Ed25519Tests {
    private val key = bytes("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
    private val document = bytes("af82")
    private val signature = bytes(
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac" +
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    )

    private fun bytes(hex: String): ByteArray = hex.chunked(2).map { it.toInt(radix = 16).toByte() }.toByteArray()

    private fun verifier() = requireNotNull(Ed25519.platform(key)) { "this Java has no Ed25519" }

    @Test
    fun `the signature of exactly these bytes by this key is valid`() {
        assertEquals(true, verifier()(signature, document))
    }

    @Test
    fun `other bytes, another key, and a signature that is changed or cut, are not`() {
        assertEquals(false, verifier()(signature, document + 0))
        assertEquals(false, verifier()(signature.copyOf(63), document))
        assertEquals(false, verifier()(ByteArray(64), document))
        for (index in signature.indices) {
            val changed = signature.copyOf().also { it[index] = (it[index].toInt() xor 1).toByte() }
            assertEquals("byte $index", false, verifier()(changed, document))
        }
        val other = requireNotNull(
            Ed25519.platform(bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
        )
        assertEquals(false, other(signature, document))
    }

    @Test
    fun `a key of another size is refused at once`() {
        assertThrows(IllegalArgumentException::class.java) { Ed25519.platform(key.copyOf(31)) }
    }
}
