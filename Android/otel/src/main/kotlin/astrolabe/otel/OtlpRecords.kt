package astrolabe.otel

import astrolabe.wire.ProtobufWriter
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.sdk.logs.data.LogRecordData
import io.opentelemetry.sdk.trace.data.SpanData
import java.util.UUID

/** Returns `opentelemetry.proto.trace.v1.Span`. */
internal fun otlp(span: SpanData): ByteArray {
    val parent = span.parentSpanContext
    return ProtobufWriter().apply {
        bytes(1, span.spanContext.traceBytes)
        bytes(2, span.spanContext.spanBytes)
        text(3, span.spanContext.stateHeader)
        bytes(4, parent.spanBytes)
        text(5, span.name)
        number(6, number(span.kind))
        fixed(7, span.startEpochNanos)
        fixed(8, span.endEpochNanos)
        attributes(9, span.attributes)
        number(10, dropped(span.totalAttributeCount, span.attributes.size()))
        for (event in span.events) message(11) {
            fixed(1, event.epochNanos)
            text(2, event.name)
            attributes(3, event.attributes)
            number(4, dropped(event.totalAttributeCount, event.attributes.size()))
        }
        number(12, dropped(span.totalRecordedEvents, span.events.size))
        for (link in span.links) message(13) {
            bytes(1, link.spanContext.traceBytes)
            bytes(2, link.spanContext.spanBytes)
            text(3, link.spanContext.stateHeader)
            attributes(4, link.attributes)
            number(5, dropped(link.totalAttributeCount, link.attributes.size()))
            fixed(6, link.spanContext.flags or remoteFlags(link.spanContext.isRemote))
        }
        number(14, dropped(span.totalRecordedLinks, span.links.size))
        message(15) {
            text(2, span.status.description)
            number(3, number(span.status.statusCode))
        }
        fixed(16, span.spanContext.flags or remoteFlags(parent.isRemote))
    }.bytes
}

/** Returns `opentelemetry.proto.logs.v1.LogRecord`, with a `log.record.uid`, by which a receiver finds duplicates. */
internal fun otlp(record: LogRecordData): ByteArray = ProtobufWriter().apply {
    fixed(1, record.timestampEpochNanos)
    number(2, record.severity.severityNumber.toLong())
    text(3, record.severityText ?: "")
    record.bodyValue?.let { body -> message(5) { any(body) } }
    attributes(6, record.attributes)
    if (record.attributes.asMap().keys.none { it.key == RECORD_UID }) pair(6, RECORD_UID, UUID.randomUUID().toString())
    number(7, dropped(record.totalAttributeCount, record.attributes.size()))
    fixed(8, record.spanContext.flags)
    bytes(9, record.spanContext.traceBytes)
    bytes(10, record.spanContext.spanBytes)
    fixed(11, record.observedTimestampEpochNanos)
    text(12, record.eventName ?: "")
}.bytes

private const val RECORD_UID = "log.record.uid"

private fun dropped(total: Int, kept: Int): Long = maxOf(total - kept, 0).toLong()

private fun number(kind: SpanKind): Long = when (kind) {
    SpanKind.INTERNAL -> 1
    SpanKind.SERVER -> 2
    SpanKind.CLIENT -> 3
    SpanKind.PRODUCER -> 4
    SpanKind.CONSUMER -> 5
}

private fun number(status: StatusCode): Long = when (status) {
    StatusCode.UNSET -> 0
    StatusCode.OK -> 1
    StatusCode.ERROR -> 2
}
