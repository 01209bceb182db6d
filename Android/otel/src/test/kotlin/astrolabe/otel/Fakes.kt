package astrolabe.otel

import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.logs.Severity
import io.opentelemetry.api.trace.SpanContext
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.api.trace.TraceFlags
import io.opentelemetry.api.trace.TraceState
import io.opentelemetry.sdk.common.InstrumentationScopeInfo
import io.opentelemetry.sdk.logs.data.LogRecordData
import io.opentelemetry.sdk.metrics.data.MetricData
import io.opentelemetry.sdk.resources.Resource
import io.opentelemetry.sdk.trace.data.SpanData
import io.opentelemetry.sdk.trace.data.StatusData
import java.lang.reflect.InvocationHandler
import java.lang.reflect.Proxy

/** Returns an object of an interface that responds with these values, by names of methods. */
internal inline fun <reified Type> fake(vararg values: Pair<String, Any?>): Type {
    val byName = values.toMap()
    val handler = InvocationHandler { proxy, method, arguments ->
        when (method.name) {
            in byName -> byName[method.name]
            "hashCode" -> System.identityHashCode(proxy)
            "equals" -> proxy === arguments?.first()
            else -> throw UnsupportedOperationException("no value for ${method.name}")
        }
    }
    return Proxy.newProxyInstance(Type::class.java.classLoader, arrayOf(Type::class.java), handler) as Type
}

internal const val TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
internal const val SPAN = "00f067aa0ba902b7"
internal const val PARENT = "b7ad6b7169203331"

internal fun context(
    spanId: String = SPAN,
    isSampled: Boolean = true,
    state: TraceState = TraceState.getDefault()
): SpanContext =
    SpanContext.create(TRACE, spanId, if (isSampled) TraceFlags.getSampled() else TraceFlags.getDefault(), state)

internal fun scope(name: String): InstrumentationScopeInfo = InstrumentationScopeInfo.create(name)

internal val shop: Resource = Resource.create(Attributes.builder().put("service.name", "shop").build())

internal fun span(
    name: String = "GET",
    status: StatusData = StatusData.unset(),
    isSampled: Boolean = true,
    scope: String = "shop.checkout",
    vararg others: Pair<String, Any?>
): SpanData = fake(
    "getName" to name, "getKind" to SpanKind.CLIENT, "getSpanContext" to context(isSampled = isSampled),
    "getParentSpanContext" to SpanContext.getInvalid(), "getStatus" to status, "getStartEpochNanos" to 1L,
    "getEndEpochNanos" to 2L, "getAttributes" to Attributes.empty(), "getEvents" to emptyList<Any>(),
    "getLinks" to emptyList<Any>(), "getTotalRecordedEvents" to 0, "getTotalRecordedLinks" to 0,
    "getTotalAttributeCount" to 0, "getInstrumentationScopeInfo" to scope(scope), "getResource" to shop, *others
)

internal val failed: StatusData = StatusData.create(StatusCode.ERROR, "")

internal fun event(
    name: String? = null,
    severity: Severity = Severity.INFO,
    scope: String = "shop.checkout",
    vararg others: Pair<String, Any?>
): LogRecordData = fake(
    "getResource" to shop, "getInstrumentationScopeInfo" to scope(scope), "getTimestampEpochNanos" to 1L,
    "getObservedTimestampEpochNanos" to 2L, "getSpanContext" to SpanContext.getInvalid(),
    "getSeverity" to severity, "getSeverityText" to null, "getBodyValue" to null,
    "getAttributes" to Attributes.empty(), "getTotalAttributeCount" to 0, "getEventName" to name, *others
)

internal fun metric(name: String, data: Any, description: String = "", unit: String = ""): MetricData = fake(
    "getResource" to shop, "getInstrumentationScopeInfo" to scope("shop.checkout"), "getName" to name,
    "getDescription" to description, "getUnit" to unit, "getData" to data
)
