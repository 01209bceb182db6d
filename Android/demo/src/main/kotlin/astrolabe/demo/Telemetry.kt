package astrolabe.demo

import astrolabe.conditions.AttributeKey
import astrolabe.http.SpanContext
import astrolabe.otel.OtlpExporters
import astrolabe.queue.QueueClock
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.sdk.resources.Resource
import java.security.SecureRandom

/**
 * Makes spans and events and gives them to the exporters.
 *
 * In an app opentelemetry-android records. The demo has just enough to play one.
 *
 * @param session The attributes of each record.
 */
internal class Telemetry(
    private val exporters: OtlpExporters,
    resource: Map<String, Any>,
    private val session: Map<String, Any>
) {
    private val resource = Resource.create(attributes(resource))
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
        val all = LinkedHashMap(attributes + session)
        val start = QueueClock.wall()
        open.set(context)
        try {
            return body(all)
        } catch (failure: Exception) {
            all[AttributeKey.ERROR_TYPE] = failure.javaClass.name
            throw failure
        } finally {
            open.set(parent)
            val isError = AttributeKey.ERROR_TYPE in all
            val span = EndedSpan(resource, name, kind, context, parent, isError, start, attributes(all))
            exporters.spans.export(listOf(span))
        }
    }

    fun event(name: String, attributes: Map<String, Any> = emptyMap()) {
        val event = EmittedEvent(resource, name, open.get(), attributes(attributes + session))
        exporters.logRecords.export(listOf(event))
    }

    private fun id(digits: Int): String {
        val bytes = ByteArray(digits / 2)
        random.nextBytes(bytes)
        return bytes.joinToString("") { String.format("%02x", it) }
    }
}

private fun attributes(values: Map<String, Any>): Attributes {
    val builder = Attributes.builder()
    for ((key, value) in values) {
        when (value) {
            is Boolean -> builder.put(key, value)
            is Long -> builder.put(key, value)
            is Double -> builder.put(key, value)
            else -> builder.put(key, value.toString())
        }
    }
    return builder.build()
}
