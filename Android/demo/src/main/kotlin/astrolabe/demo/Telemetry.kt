package astrolabe.demo

import astrolabe.conditions.AttributeKey
import astrolabe.delivery.FlushScheduler
import astrolabe.http.SpanContext
import astrolabe.policy.UploadPriority
import astrolabe.queue.QueueClock
import astrolabe.queue.QueueRecord
import astrolabe.support.Json
import java.security.SecureRandom
import java.util.UUID

/** The kinds of records in the queue of the demo: the paths of OTLP/HTTP. */
internal enum class Kind(val path: String) { SPAN("traces"), EVENT("logs") }

/**
 * Makes spans and events as OTLP in JSON and stores them in the queue.
 *
 * In an app opentelemetry-android records. The demo has just enough to play one.
 */
internal class Telemetry(private val scheduler: FlushScheduler, private val sessionId: String) {
    private val random = SecureRandom()
    private val open = ThreadLocal<SpanContext?>()

    /** The span that is open on this thread. */
    val current: SpanContext? get() = open.get()

    /** Runs [body] in a span. What it throws makes the span an error. */
    fun <Result> span(
        name: String,
        kind: SpanKind = SpanKind.INTERNAL,
        attributes: Map<String, Any> = emptyMap(),
        body: (MutableMap<String, Any>) -> Result
    ): Result {
        val parent = open.get()
        val context = SpanContext(parent?.traceId ?: id(32), id(16), isSampled = true)
        val all = LinkedHashMap(attributes)
        val start = QueueClock.wall()
        open.set(context)
        try {
            return body(all)
        } catch (failure: Exception) {
            all[AttributeKey.ERROR_TYPE] = failure.javaClass.name
            throw failure
        } finally {
            open.set(parent)
            store(context, parent, name, kind, start, all)
        }
    }

    private fun store(
        context: SpanContext,
        parent: SpanContext?,
        name: String,
        kind: SpanKind,
        start: Long,
        attributes: Map<String, Any>
    ) {
        val isError = AttributeKey.ERROR_TYPE in attributes
        val span = linkedMapOf(
            "traceId" to context.traceId,
            "spanId" to context.spanId,
            "parentSpanId" to (parent?.spanId ?: ""),
            "flags" to 0x101L,
            "name" to name,
            "kind" to kind.number,
            "startTimeUnixNano" to start.toString(),
            "endTimeUnixNano" to QueueClock.wall().toString(),
            "attributes" to otlp(attributes + (AttributeKey.SESSION_ID to sessionId)),
            "status" to if (isError) mapOf("code" to 2) else emptyMap()
        )
        store(Kind.SPAN, span, if (isError) UploadPriority.HIGH else UploadPriority.NORMAL)
    }

    fun event(name: String, attributes: Map<String, Any> = emptyMap()) {
        val time = QueueClock.wall().toString()
        // A receiver recognises by the uid what it has received before.
        val all = attributes + mapOf(
            AttributeKey.SESSION_ID to sessionId,
            "log.record.uid" to UUID.randomUUID().toString()
        )
        val span = open.get()
        val record = linkedMapOf(
            "timeUnixNano" to time,
            "observedTimeUnixNano" to time,
            "severityNumber" to 9,
            "eventName" to name,
            "attributes" to otlp(all),
            "traceId" to (span?.traceId ?: ""),
            "spanId" to (span?.spanId ?: "")
        )
        store(Kind.EVENT, record, UploadPriority.NORMAL)
    }

    private fun store(kind: Kind, record: Map<String, Any>, priority: UploadPriority) {
        val payload = Json.write(record).toByteArray()
        scheduler.enqueue(listOf(QueueRecord(kind.ordinal, priority.level, QueueClock.wall(), payload)))
    }

    private fun id(digits: Int): String {
        val bytes = ByteArray(digits / 2)
        random.nextBytes(bytes)
        return bytes.joinToString("") { String.format("%02x", it) }
    }
}

internal enum class SpanKind(val number: Int) { INTERNAL(1), CLIENT(3) }

/** Attributes in the form of OTLP's JSON. */
internal fun otlp(attributes: Map<String, Any>): List<Map<String, Any>> = attributes.map { (key, value) ->
    val typed = when (value) {
        is Boolean -> mapOf("boolValue" to value)
        is Long -> mapOf("intValue" to value.toString())
        is Double -> mapOf("doubleValue" to value)
        else -> mapOf("stringValue" to value.toString())
    }
    mapOf("key" to key, "value" to typed)
}
