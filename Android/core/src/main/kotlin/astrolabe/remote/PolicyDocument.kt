package astrolabe.remote

import astrolabe.policy.RemotePolicy
import java.security.MessageDigest

/**
 * A document of remote policy: JSON of version 1 of `Docs/remote-policy.schema.json`.
 *
 *     val reading = PolicyDocument.read(bytes)
 *     val document = reading.document ?: return println(reading.findings)
 *     document.policy.samplingRates.normal    // 0.05
 *
 * @property app The `service.name` that it is for.
 * @property version Grows with each document for the app. An older one is refused.
 * @property expires Seconds since 1970 from which it does not hold.
 */
public data class PolicyDocument(
    public val app: String,
    public val version: Long,
    public val expires: Long,
    public val policy: RemotePolicy,
    public val requests: List<Request> = emptyList()
) {
    /** Names the document: 32 hexadecimal digits, the first half of its SHA-256. */
    public val hash: String get() = policy.hash

    /** The kind of a request to an installation. */
    public enum class RequestKind(public val value: String) {
        /** Send what the flight recorder has. Only the Swift SDK has one. */
        PROMOTE("promote"),

        /** Record each session for some time. */
        RECORD("record")
    }

    /**
     * A request to one installation, which carries it out once.
     *
     * @property id The name by which an installation knows that it has carried it out.
     * @property installation The `app.installation.id`.
     * @property seconds The time of a recording, from when the installation gets the document; 0 for others.
     */
    public data class Request(
        public val id: String,
        public val kind: RequestKind,
        public val installation: String,
        public val seconds: Long
    )

    /**
     * The result of reading: the document, or all that is wrong with it.
     *
     * @property document `null` if there are findings.
     */
    public class Reading internal constructor(
        public val document: PolicyDocument?,
        public val findings: List<PolicyFinding>
    )

    public companion object {
        /** The version of the schema that this code reads. */
        public const val SCHEMA: Long = 1

        /** The most bytes of a document. */
        public const val SIZE_LIMIT: Int = 65_536

        /** The most seconds for which an installation can be asked to record in full. */
        public const val LONGEST_RECORDING: Long = 86_400

        /** Reads a document and finds all that is wrong with it, without regard to the time, an app or its bounds. */
        public fun read(bytes: ByteArray): Reading {
            if (bytes.size > SIZE_LIMIT) {
                val problem = "expected at most $SIZE_LIMIT bytes, found ${bytes.size}"
                return Reading(null, listOf(PolicyFinding("$", problem)))
            }
            return try {
                val reader = PolicyReader()
                val document = reader.document(StrictJson.read(bytes), hash(bytes))
                Reading(if (reader.findings.isEmpty()) document else null, reader.findings)
            } catch (fault: StrictJson.Fault) {
                Reading(null, listOf(fault.finding))
            }
        }

        /** Returns the name of the document with these bytes. */
        public fun hash(bytes: ByteArray): String =
            MessageDigest.getInstance("SHA-256").digest(bytes).take(16).joinToString("") { String.format("%02x", it) }
    }
}
