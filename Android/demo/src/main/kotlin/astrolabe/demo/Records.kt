package astrolabe.demo

import astrolabe.http.SpanContext
import astrolabe.queue.QueueClock
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.logs.Severity
import io.opentelemetry.api.trace.SpanContext as OtelSpanContext
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.api.trace.TraceFlags
import io.opentelemetry.api.trace.TraceState
import io.opentelemetry.sdk.common.InstrumentationScopeInfo
import io.opentelemetry.sdk.logs.data.LogRecordData
import io.opentelemetry.sdk.resources.Resource
import io.opentelemetry.sdk.trace.data.EventData
import io.opentelemetry.sdk.trace.data.LinkData
import io.opentelemetry.sdk.trace.data.SpanData
import io.opentelemetry.sdk.trace.data.StatusData

private val SCOPE = InstrumentationScopeInfo.create("astrolabe.android.demo")

private fun otel(context: SpanContext?): OtelSpanContext = context
    ?.let { OtelSpanContext.create(it.traceId, it.spanId, TraceFlags.getSampled(), TraceState.getDefault()) }
    ?: OtelSpanContext.getInvalid()

/** A span that ends when it is made. */
internal class EndedSpan(
    private val resource: Resource,
    private val name: String,
    private val kind: SpanKind,
    private val context: SpanContext,
    private val parent: SpanContext?,
    private val isError: Boolean,
    private val start: Long,
    private val attributes: Attributes
) : SpanData {
    private val end = QueueClock.wall()

    override fun getResource(): Resource = resource

    override fun getInstrumentationScopeInfo(): InstrumentationScopeInfo = SCOPE

    override fun getName(): String = name

    override fun getKind(): SpanKind = kind

    override fun getSpanContext(): OtelSpanContext = otel(context)

    override fun getParentSpanContext(): OtelSpanContext = otel(parent)

    override fun getStatus(): StatusData = if (isError) StatusData.create(StatusCode.ERROR, "") else StatusData.unset()

    override fun getStartEpochNanos(): Long = start

    override fun getEndEpochNanos(): Long = end

    override fun hasEnded(): Boolean = true

    override fun getAttributes(): Attributes = attributes

    override fun getTotalAttributeCount(): Int = attributes.size()

    override fun getEvents(): List<EventData> = emptyList()

    override fun getTotalRecordedEvents(): Int = 0

    override fun getLinks(): List<LinkData> = emptyList()

    override fun getTotalRecordedLinks(): Int = 0

    @Suppress("DEPRECATION", "OverridingDeprecatedMember")
    override fun getInstrumentationLibraryInfo(): io.opentelemetry.sdk.common.InstrumentationLibraryInfo =
        io.opentelemetry.sdk.common.InstrumentationLibraryInfo.empty()
}

/** An event of the present. */
internal class EmittedEvent(
    private val resource: Resource,
    private val name: String,
    private val context: SpanContext?,
    private val attributes: Attributes
) : LogRecordData {
    private val time = QueueClock.wall()

    override fun getResource(): Resource = resource

    override fun getInstrumentationScopeInfo(): InstrumentationScopeInfo = SCOPE

    override fun getEventName(): String = name

    override fun getTimestampEpochNanos(): Long = time

    override fun getObservedTimestampEpochNanos(): Long = time

    override fun getSpanContext(): OtelSpanContext = otel(context)

    override fun getSeverity(): Severity = Severity.INFO

    override fun getSeverityText(): String? = null

    override fun getAttributes(): Attributes = attributes

    override fun getTotalAttributeCount(): Int = attributes.size()

    @Suppress("DEPRECATION", "OverridingDeprecatedMember")
    override fun getBody(): io.opentelemetry.sdk.logs.data.Body = io.opentelemetry.sdk.logs.data.Body.empty()
}
