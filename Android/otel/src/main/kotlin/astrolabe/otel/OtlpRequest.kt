package astrolabe.otel

import astrolabe.policy.UploadPriority
import astrolabe.queue.QueueRecord
import astrolabe.wire.ProtobufWriter
import io.opentelemetry.sdk.common.InstrumentationScopeInfo
import io.opentelemetry.sdk.resources.Resource

/**
 * The signals of OTLP. The ordinal is the kind of a record in the queue.
 *
 * @property path The last part of the address to which a collector's requests go.
 */
public enum class OtlpSignal(public val path: String) { TRACES("traces"), LOGS("logs"), METRICS("metrics") }

/** An encoded span, log record or metric, with what surrounds it in a request. */
internal class OtlpItem(
    val resource: Resource,
    val scope: InstrumentationScopeInfo,
    val priority: UploadPriority,
    val time: Long,
    val bytes: ByteArray
)

/** Makes requests of OTLP. Its three signals have the same fields around a record. */
internal object OtlpRequest {
    /** The most items of one record of the queue, which is refused and dropped as a whole. */
    const val ITEMS = 32

    /** The bytes of items from which on another record begins. */
    const val BYTES = 262_144

    /** Returns records of the queue, each with a whole request of items of one priority. */
    fun records(signal: OtlpSignal, items: List<OtlpItem>): List<QueueRecord> =
        items.groupBy { it.priority }.flatMap { (priority, list) ->
            parts(list).map { QueueRecord(signal.ordinal, priority.level, it.first().time, bytes(it)) }
        }

    private fun parts(items: List<OtlpItem>): List<List<OtlpItem>> {
        val parts = mutableListOf<MutableList<OtlpItem>>()
        var size = 0
        for (item in items) {
            if (parts.isEmpty() || parts.last().size == ITEMS || size + item.bytes.size > BYTES) {
                parts.add(mutableListOf())
                size = 0
            }
            parts.last().add(item)
            size += item.bytes.size
        }
        return parts
    }

    private fun bytes(items: List<OtlpItem>): ByteArray {
        val request = ProtobufWriter()
        for ((resource, ofResource) in items.groupBy { it.resource }) request.message(1) {
            message(1) { attributes(1, resource.attributes) }
            for ((scope, ofScope) in ofResource.groupBy { it.scope }) message(2) {
                message(1) {
                    text(1, scope.name)
                    text(2, scope.version ?: "")
                    attributes(3, scope.attributes)
                }
                for (item in ofScope) message(2, item.bytes)
                text(3, scope.schemaUrl ?: "")
            }
            text(3, resource.schemaUrl ?: "")
        }
        return request.bytes
    }
}
