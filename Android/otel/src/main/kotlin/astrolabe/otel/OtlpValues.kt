package astrolabe.otel

import astrolabe.wire.ProtobufWriter
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.common.KeyValue
import io.opentelemetry.api.common.Value
import io.opentelemetry.api.trace.SpanContext
import java.nio.ByteBuffer

/** Adds attributes as `opentelemetry.proto.common.v1.KeyValue`. */
internal fun ProtobufWriter.attributes(field: Int, attributes: Attributes): Unit =
    attributes.forEach { key, value -> pair(field, key.key, value) }

internal fun ProtobufWriter.pair(field: Int, key: String, value: Any?): Unit = message(field) {
    text(1, key)
    message(2) { any(value) }
}

/** Adds the member of an `AnyValue`. */
internal fun ProtobufWriter.any(value: Any?) {
    when (value) {
        is String -> message(1, value.toByteArray())
        is Boolean -> member(2, if (value) 1 else 0)
        is Long -> member(3, value)
        is Double -> double(4, value)
        is List<*> -> list(value)
        is ByteBuffer -> message(7, ByteArray(value.remaining()).also { value.duplicate().get(it) })
        is Value<*> -> any(value.value)
    }
}

private fun ProtobufWriter.list(values: List<*>) {
    val pairs = values.filterIsInstance<KeyValue>()
    if (pairs.isNotEmpty()) {
        message(6) { for (pair in pairs) pair(1, pair.key, pair.value) }
    } else {
        message(5) { for (value in values) message(1) { any(value) } }
    }
}

/** The bytes of an id; none if the context is not valid. */
internal val SpanContext.traceBytes: ByteArray get() = if (isValid) traceIdBytes else ByteArray(0)
internal val SpanContext.spanBytes: ByteArray get() = if (isValid) spanIdBytes else ByteArray(0)
internal val SpanContext.flags: Int get() = traceFlags.asByte().toInt() and 0xFF
internal val SpanContext.stateHeader: String
    get() = traceState.asMap().entries.joinToString(",") { "${it.key}=${it.value}" }

/** Bits of `flags` that say whether a context came from another process, and that this is known. */
internal fun remoteFlags(isRemote: Boolean): Int = if (isRemote) 0x300 else 0x100
