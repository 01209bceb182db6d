package astrolabe.remote

import astrolabe.policy.PolicyConfiguration

/**
 * A signed document on its way.
 *
 * @property document The bytes of the JSON: the entry `policy` of OpAMP's configuration map.
 * @property signature The 64 bytes of the Ed25519 signature of exactly these bytes, the entry `policy.signature`; empty
 *   if there is none.
 */
public class PolicyOffer(public val document: ByteArray, public val signature: ByteArray)

/**
 * Decides whether a phone follows a document.
 *
 *     val gate = PolicyGate("my-app", configuration, isSigned = Ed25519.platform(publicKey) ?: verifierOfTheApp)
 *     when (val decided = gate.decide(offer, current, now)) {
 *         is GateDecision.Followed -> scheduler.follow(decided.document.policy)
 *         is GateDecision.Refused -> log(decided.refusal.description)
 *     }
 *
 * @param app The `service.name` of the app.
 * @param configuration The app's own values are the bounds where [bounds] names none.
 * @param isSigned Returns true if the signature of 64 bytes is that of the app's key over exactly these bytes.
 */
public class PolicyGate(
    private val app: String,
    configuration: PolicyConfiguration,
    bounds: RemotePolicyBounds = RemotePolicyBounds(),
    private val isSigned: (signature: ByteArray, document: ByteArray) -> Boolean
) {
    private val bounds = bounds.filled(configuration.bounded())

    /**
     * Returns the document, or why it is refused.
     *
     * @param current The document of the highest version so far, expired or not; `null` if there was none.
     * @param now Seconds since 1970.
     */
    public fun decide(offer: PolicyOffer, current: PolicyDocument?, now: Long): GateDecision {
        val (bytes, signature) = Pair(offer.document, offer.signature)
        if (bytes.size > PolicyDocument.SIZE_LIMIT) {
            return refuse(RefusalReason.TOO_LARGE, "The document has more than ${PolicyDocument.SIZE_LIMIT} bytes")
        }
        if (signature.isEmpty()) {
            return refuse(
                RefusalReason.UNSIGNED, "The document has no signature. Expected the entry policy.signature."
            )
        }
        if (signature.size != SIGNATURE_SIZE || !isSigned(signature, bytes)) {
            val text = "The signature is not that of the app's key over the bytes of the document"
            return refuse(RefusalReason.WRONG_SIGNATURE, text)
        }
        val reading = PolicyDocument.read(bytes)
        val document = reading.document
            ?: return refuse(RefusalReason.INVALID, "The document is invalid. ${text(reading.findings)}")
        return refusal(document, current, now) ?: GateDecision.Followed(document)
    }

    private fun refusal(document: PolicyDocument, current: PolicyDocument?, now: Long): GateDecision.Refused? {
        val version = document.version
        val excess = bounds.findings(document)
        return when {
            document.app.canonical != app.canonical ->
                refuse(RefusalReason.OTHER_APP, "The document is for another app, \"${document.app}\"")
            document.expires <= now -> refuse(RefusalReason.EXPIRED, "The document has expired")
            current != null &&
                (version < current.version || version == current.version && document.hash != current.hash) -> {
                val text = "The document has version $version. Expected a version after ${current.version}."
                refuse(RefusalReason.REPLAYED, text)
            }
            excess.isNotEmpty() -> {
                val text = "The document asks for more than the app allows. ${text(excess)}"
                refuse(RefusalReason.BEYOND_BOUNDS, text)
            }
            else -> null
        }
    }

    private fun refuse(reason: RefusalReason, description: String) =
        GateDecision.Refused(PolicyRefusal(reason, description))

    /** At most five findings. */
    private fun text(findings: List<PolicyFinding>): String {
        val rest = if (findings.size > 5) "; ${findings.size - 5} more" else ""
        return findings.take(5).joinToString("; ") + rest
    }

    private companion object {
        const val SIGNATURE_SIZE = 64
    }
}

/** The document, or why it is refused. */
public sealed class GateDecision {
    public class Followed(public val document: PolicyDocument) : GateDecision()

    public class Refused(public val refusal: PolicyRefusal) : GateDecision()
}

/**
 * Why a document is refused.
 *
 * @property description The error message of the status that the server gets: at most 5 findings.
 */
public data class PolicyRefusal(public val reason: RefusalReason, public val description: String)

/** The group of a refusal, for a counter. */
public enum class RefusalReason(public val value: String) {
    TOO_LARGE("too_large"),
    UNSIGNED("unsigned"),
    WRONG_SIGNATURE("wrong_signature"),
    INVALID("invalid"),
    OTHER_APP("other_app"),
    EXPIRED("expired"),
    REPLAYED("replayed"),
    BEYOND_BOUNDS("beyond_bounds")
}
