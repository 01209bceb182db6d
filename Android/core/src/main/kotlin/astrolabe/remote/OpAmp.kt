package astrolabe.remote

import astrolabe.wire.ProtobufFault
import astrolabe.wire.ProtobufReader
import astrolabe.wire.ProtobufWriter

/** The message of an OpAMP client, as far as a phone has something to say: `opamp.proto.AgentToServer`. */
internal class AgentToServer(
    private val instanceUid: ByteArray,
    private val sequenceNumber: Long,
    private val description: AgentDescription?,
    private val status: RemoteConfigStatus?
) {
    val bytes: ByteArray
        get() {
            val message = ProtobufWriter()
            message.bytes(1, instanceUid)
            message.number(2, sequenceNumber)
            if (description != null) message.message(3, description.bytes)
            message.number(4, CAPABILITIES)
            if (description != null) message.message(5, HEALTHY)
            if (status != null) message.message(7, status.bytes)
            return message.bytes
        }

    private companion object {
        /** Reports status, accepts and reports remote configuration, reports health. */
        const val CAPABILITIES = 0x1L or 0x2L or 0x1000L or 0x800L

        val HEALTHY = ProtobufWriter().also { it.number(1, 1) }.bytes
    }
}

/** Who a client is: `opamp.proto.AgentDescription`, with texts alone. */
internal class AgentDescription(private val identifying: Map<String, String>, private val others: Map<String, String>) {
    val bytes: ByteArray
        get() {
            val message = ProtobufWriter()
            for ((key, value) in identifying) message.message(1, pair(key, value))
            for ((key, value) in others) message.message(2, pair(key, value))
            return message.bytes
        }

    /** `opentelemetry.proto.common.v1.KeyValue`. */
    private fun pair(key: String, value: String): ByteArray {
        val pair = ProtobufWriter()
        pair.message(1, key.toByteArray())
        pair.message(2) { message(1, value.toByteArray()) }
        return pair.bytes
    }
}

/** The fate of a remote configuration: `opamp.proto.RemoteConfigStatus`. */
internal class RemoteConfigStatus(
    private val lastHash: ByteArray,
    private val state: State,
    private val errorMessage: String = ""
) {
    enum class State(val number: Long) { APPLIED(1), FAILED(3) }

    val bytes: ByteArray
        get() {
            val message = ProtobufWriter()
            message.bytes(1, lastHash)
            message.number(2, state.number)
            message.text(3, errorMessage)
            return message.bytes
        }
}

/** The message of an OpAMP server, as far as a phone follows it: `opamp.proto.ServerToAgent`. */
internal class ServerToAgent private constructor() {
    var error: ServerError? = null
        private set
    var remoteConfig: RemoteConfig? = null
        private set

    /** True if the server does not know the client, which is to say all about itself. */
    var asksForDescription = false
        private set

    /** The id that the client is to use from now on; empty if it keeps its own. */
    var newInstanceUid = ByteArray(0)
        private set

    /** @property retryAfter Seconds after which the client may try again; `null` if the server does not say. */
    class ServerError(val message: String, val retryAfter: Double?)

    /**
     * A configuration that the server offers.
     *
     * @property entries The bodies of the parts by name.
     * @property hash The server's hash of the parts, which the client returns in its next status.
     */
    class RemoteConfig(val entries: Map<String, ByteArray>, val hash: ByteArray)

    private fun read(bytes: ByteArray) {
        ProtobufReader(bytes, "ServerToAgent").forEach { field ->
            when (field.number) {
                1L -> field.uid
                2L -> error = error(field.bytes)
                3L -> remoteConfig = remoteConfig(field.bytes)
                6L -> asksForDescription = field.integer and 1 != 0L
                7L -> field.integer
                8L -> newInstanceUid = identification(field.bytes)
            }
        }
    }

    private fun error(bytes: ByteArray): ServerError {
        var message = ""
        var retryAfter: Double? = null
        ProtobufReader(bytes, "ServerErrorResponse").forEach { field ->
            when (field.number) {
                1L -> field.integer
                2L -> message = field.text
                3L -> retryAfter = retryAfter(field.bytes)
            }
        }
        return ServerError(message, retryAfter)
    }

    private fun retryAfter(bytes: ByteArray): Double {
        var nanoseconds = 0L
        ProtobufReader(bytes, "RetryInfo").forEach { if (it.number == 1L) nanoseconds = it.integer }
        // A larger number than a signed one has is longer than an app is installed.
        return (if (nanoseconds < 0) Long.MAX_VALUE else nanoseconds) / 1e9
    }

    private fun identification(bytes: ByteArray): ByteArray {
        var uid = ByteArray(0)
        ProtobufReader(bytes, "AgentIdentification").forEach { if (it.number == 1L) uid = it.uid }
        return uid
    }

    private fun remoteConfig(bytes: ByteArray): RemoteConfig {
        val entries = linkedMapOf<String, ByteArray>()
        var hash = ByteArray(0)
        ProtobufReader(bytes, "AgentRemoteConfig").forEach { field ->
            when (field.number) {
                1L -> readEntries(field.bytes, entries)
                2L -> hash = field.bytes
            }
        }
        return RemoteConfig(entries, hash)
    }

    private fun readEntries(bytes: ByteArray, entries: MutableMap<String, ByteArray>) {
        ProtobufReader(bytes, "AgentConfigMap").forEach { field ->
            if (field.number != 1L) return@forEach
            var (name, body) = Pair("", ByteArray(0))
            ProtobufReader(field.bytes, "an entry of AgentConfigMap").forEach { part ->
                when (part.number) {
                    1L -> name = part.text
                    2L -> body = body(part.bytes)
                }
            }
            entries[name] = body
            if (entries.size > ENTRY_LIMIT) {
                throw ProtobufFault("expected at most $ENTRY_LIMIT entries of AgentConfigMap, found more")
            }
        }
    }

    private fun body(bytes: ByteArray): ByteArray {
        var body = ByteArray(0)
        ProtobufReader(bytes, "AgentConfigFile").forEach { field ->
            when (field.number) {
                1L -> body = field.bytes
                2L -> field.text
            }
        }
        return body
    }

    companion object {
        /** The most bytes of a message. */
        private const val SIZE_LIMIT = 262_144

        /** The most parts of a configuration. */
        private const val ENTRY_LIMIT = 64

        /** @throws ProtobufFault For bytes that are no such message. */
        fun read(bytes: ByteArray): ServerToAgent {
            if (bytes.size > SIZE_LIMIT) {
                throw ProtobufFault("expected ServerToAgent of at most $SIZE_LIMIT bytes, found ${bytes.size}")
            }
            return ServerToAgent().also { it.read(bytes) }
        }
    }
}
