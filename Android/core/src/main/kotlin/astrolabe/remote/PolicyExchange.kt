package astrolabe.remote

import astrolabe.wire.ProtobufFault

/**
 * The messages of OpAMP by which an app asks for documents, without the connection.
 *
 *     for (attempt in 1..3) {
 *         val reply = exchange.follow(post(exchange.request()), now)
 *         if (reply is PolicyReply.Taken) store(keeper.carriedOut, reply.offer, reply.serverHash)
 *         if (!reply.goesOn) break
 *     }
 *     scheduler.follow(keeper.policy(now))
 *
 * The app sends each message by `POST` with the content type [CONTENT_TYPE]. Use it from one thread.
 *
 * @param instanceUid The 16 bytes that identify the client, such as those of the installation's id.
 * @param identifying `service.name`, `service.version`, `app.installation.id`.
 * @param others `os.name`, `os.version`, `device.model.identifier` and the like.
 * @param serverHash The stored `serverHash` of the keeper's stored document; `null` if there is none.
 */
public class PolicyExchange(
    private val keeper: PolicyKeeper,
    instanceUid: ByteArray,
    identifying: Map<String, String>,
    others: Map<String, String>,
    serverHash: ByteArray? = null
) {
    private val description = AgentDescription(identifying, others)
    private var uid = instanceUid
    private var sequenceNumber = 0L
    private var describes = true
    private var status = serverHash?.takeIf { keeper.hasDocument }
        ?.let { RemoteConfigStatus(it, RemoteConfigStatus.State.APPLIED) }

    /** Returns the next message to the server. */
    public fun request(): ByteArray {
        sequenceNumber += 1
        return AgentToServer(uid, sequenceNumber, if (describes) description else null, status).bytes
    }

    /**
     * Follows the body of a response with the status 2xx.
     *
     * @param now Seconds since 1970.
     */
    public fun follow(response: ByteArray, now: Long): PolicyReply {
        val message = try {
            ServerToAgent.read(response)
        } catch (fault: ProtobufFault) {
            return PolicyReply.Failed("The server's response cannot be read: ${fault.message}", retryAfter = null)
        }
        message.error?.let { error ->
            val problem = "The server responded with the error \"${error.message.take(200)}\""
            return PolicyReply.Failed(problem, error.retryAfter)
        }
        describes = message.asksForDescription
        if (message.newInstanceUid.isNotEmpty()) uid = message.newInstanceUid
        return message.remoteConfig?.let { take(it, now) } ?: PolicyReply.Unchanged(describes)
    }

    private fun take(config: ServerToAgent.RemoteConfig, now: Long): PolicyReply {
        fun entry(name: String) = config.entries[name] ?: ByteArray(0)
        val offer = PolicyOffer(entry("policy"), entry("policy.signature"))
        val refusal = keeper.take(offer, now)
        if (refusal == null) {
            status = RemoteConfigStatus(config.hash, RemoteConfigStatus.State.APPLIED)
            return PolicyReply.Taken(offer, config.hash)
        }
        status = RemoteConfigStatus(config.hash, RemoteConfigStatus.State.FAILED, refusal.description)
        return PolicyReply.Refused(refusal)
    }

    public companion object {
        /** The media type of both messages. */
        public const val CONTENT_TYPE: String = "application/x-protobuf"
    }
}

/**
 * The result of a request.
 *
 * @property goesOn True if another message is to be sent at once, which says what became of the offer.
 */
public sealed class PolicyReply(public val goesOn: Boolean) {
    /** A document that is in force now. The app stores both. */
    public class Taken(public val offer: PolicyOffer, public val serverHash: ByteArray) : PolicyReply(goesOn = true)

    public class Refused(public val refusal: PolicyRefusal) : PolicyReply(goesOn = true)

    /** No document for this installation, or the one that it has. */
    public class Unchanged internal constructor(goesOn: Boolean) : PolicyReply(goesOn)

    /** @property retryAfter Seconds after which the server may be asked again; `null` if it does not say. */
    public class Failed(public val problem: String, public val retryAfter: Double?) : PolicyReply(goesOn = false)
}
