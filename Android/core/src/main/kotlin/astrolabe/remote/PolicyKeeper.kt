package astrolabe.remote

import astrolabe.policy.RemotePolicy

/**
 * The documents of an installation and the requests in them: which one is in force, and what it asks for.
 *
 *     val keeper = PolicyKeeper(gate, installationId, stored, carriedOut, now)
 *     if (keeper.take(offer, now) == null) store(offer, keeper.carriedOut)
 *     scheduler.follow(keeper.policy(now))
 *
 * The app stores the last good offer with its signature, which is verified again at the next start. Use it from one
 * thread.
 *
 * @param installation The `app.installation.id`.
 * @param stored The stored offer. One that does not hold any more is only remembered for its version.
 * @param carriedOut The stored value of the property.
 */
public class PolicyKeeper(
    private val gate: PolicyGate,
    private val installation: String,
    stored: PolicyOffer?,
    carriedOut: Map<String, Long>,
    now: Long
) {
    /** The document of the highest version, in force or not. */
    private var newest: PolicyDocument? = null

    /** The last good document. */
    private var current: PolicyDocument? = null

    internal val hasDocument: Boolean get() = current != null

    /** When each request was carried out, in seconds since 1970, by the hash of its id. */
    public var carriedOut: Map<String, Long> = carriedOut
        private set

    init {
        if (stored != null) restore(stored, now)
    }

    private fun restore(stored: PolicyOffer, now: Long) {
        val decided = gate.decide(stored, null, now)
        when (decided) {
            is GateDecision.Followed -> {
                current = decided.document
                newest = decided.document
            }
            is GateDecision.Refused -> when (decided.refusal.reason) {
                RefusalReason.EXPIRED, RefusalReason.BEYOND_BOUNDS ->
                    newest = PolicyDocument.read(stored.document).document
                // Damaged, or another app's.
                else -> Unit
            }
        }
    }

    /** Returns what the policy takes into account; `null` if no document is in force, or if it has expired. */
    public fun policy(now: Long): RemotePolicy? {
        val document = current?.takeIf { it.expires > now } ?: return null
        val recordsInFull = document.requests.any { request ->
            val start = carriedOut[key(request)]
            request.kind == PolicyDocument.RequestKind.RECORD && request.installation == installation &&
                start != null && now >= start && now - start < request.seconds
        }
        return document.policy.copy(recordsInFull = recordsInFull)
    }

    /** Takes an offer, or returns why it is refused. The last good document stays if it is. */
    public fun take(offer: PolicyOffer, now: Long): PolicyRefusal? {
        val decided = gate.decide(offer, newest, now)
        return when (decided) {
            is GateDecision.Refused -> decided.refusal
            is GateDecision.Followed -> {
                current = decided.document
                newest = decided.document
                val due = decided.document.requests.filter { it.installation == installation }.map { key(it) }
                carriedOut = due.associateWith { now } + carriedOut
                null
            }
        }
    }

    private fun key(request: PolicyDocument.Request): String = PolicyDocument.hash(request.id.toByteArray())
}
