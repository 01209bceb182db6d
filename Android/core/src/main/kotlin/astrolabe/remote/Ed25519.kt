package astrolabe.remote

import java.security.GeneralSecurityException
import java.security.KeyFactory
import java.security.Provider
import java.security.PublicKey
import java.security.Security
import java.security.Signature
import java.security.spec.X509EncodedKeySpec

/** Verifies Ed25519 signatures with the platform's cryptography. */
public object Ed25519 {
    /**
     * Returns a verifier for [PolicyGate]; `null` if the platform has no Ed25519, so that the app must bring its own.
     *
     * Java has it from version 15 on. On Android it depends on the version of the platform's provider Conscrypt.
     *
     * @param publicKey The 32 bytes of the key.
     * @throws IllegalArgumentException If the key has another size.
     */
    public fun platform(publicKey: ByteArray): ((signature: ByteArray, document: ByteArray) -> Boolean)? {
        require(publicKey.size == KEY_SIZE) { "Expected a public key of $KEY_SIZE bytes, found ${publicKey.size}." }
        // Android's keystore also says that it has Ed25519, but takes only keys that it has made.
        val providers = Security.getProviders("KeyFactory.Ed25519").orEmpty()
            .filter { !it.name.startsWith("AndroidKeyStore") && it.getService("Signature", "Ed25519") != null }
        for (provider in providers) {
            try {
                val key = KeyFactory.getInstance("Ed25519", provider)
                    .generatePublic(X509EncodedKeySpec(HEADER + publicKey))
                return { signature, document -> verifies(provider, key, signature, document) }
            } catch (_: GeneralSecurityException) {
                continue
            }
        }
        return null
    }

    private fun verifies(provider: Provider, key: PublicKey, signature: ByteArray, document: ByteArray): Boolean =
        try {
            val verifier = Signature.getInstance("Ed25519", provider)
            verifier.initVerify(key)
            verifier.update(document)
            verifier.verify(signature)
        } catch (_: GeneralSecurityException) {
            false
        }

    private const val KEY_SIZE = 32

    /** The bytes before the key in the `SubjectPublicKeyInfo` of RFC 8410. */
    private val HEADER = byteArrayOf(0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00)
}
