package astrolabe.otel

import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import astrolabe.queue.OfflineQueue
import astrolabe.support.JdbcSql
import astrolabe.support.Json
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.common.KeyValue
import io.opentelemetry.api.common.Value
import io.opentelemetry.api.logs.Severity
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.api.trace.TraceState
import io.opentelemetry.sdk.metrics.data.AggregationTemporality
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData
import io.opentelemetry.sdk.metrics.data.DoublePointData
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData
import io.opentelemetry.sdk.metrics.data.GaugeData
import io.opentelemetry.sdk.metrics.data.HistogramData
import io.opentelemetry.sdk.metrics.data.HistogramPointData
import io.opentelemetry.sdk.metrics.data.LongExemplarData
import io.opentelemetry.sdk.metrics.data.LongPointData
import io.opentelemetry.sdk.metrics.data.SumData
import io.opentelemetry.sdk.metrics.data.SummaryData
import io.opentelemetry.sdk.metrics.data.SummaryPointData
import io.opentelemetry.sdk.metrics.data.ValueAtQuantile
import io.opentelemetry.sdk.trace.data.EventData
import io.opentelemetry.sdk.trace.data.LinkData
import io.opentelemetry.sdk.trace.data.StatusData
import java.io.File
import okhttp3.OkHttpClient
import org.junit.Assert.assertEquals
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

/** The requests equal those of the official protobuf messages, which `Scripts/android-otlp-vectors` writes. */
class OtlpRequestTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val queue by lazy { OfflineQueue(File(folder.root, "queue.db"), JdbcSql.opener) }
    private val exporters by lazy {
        val signals = ConditionsStore(Conditions(NetworkPath(Medium.OFFLINE)))
        OtlpDelivery(queue, signals, 4.0, OtlpSender(OkHttpClient(), "http://127.0.0.1:1")).exporters
    }

    private fun text(key: String, value: String): Attributes = Attributes.builder().put(key, value).build()

    private fun assertStored(signal: OtlpSignal) {
        val requests = queue.lease(10, Long.MAX_VALUE)?.records?.filter { it.kind == signal.ordinal } ?: emptyList()
        val repository = System.getProperty("astrolabe.repository") ?: "../.."
        val file = File(repository, "Android/otel/src/test/vectors/requests.json")
        val expected = (Json.parse(file.readText()) as Map<*, *>)[signal.path]
        assertEquals(listOf(expected), requests.map { it.payload.joinToString("") { byte -> String.format("%02x", byte) } })
    }

    @Test
    fun `a span with all that it can have is encoded as by the official messages`() {
        // The real builder sorts them.
        val attributes = Attributes.builder().put("empty", "").put("half", 0.5).put("less", -1L)
            .put("list", *arrayOf("a", "")).put("no", false).put("none", 0.0).put("text", "grüße").put("yes", true)
            .put("zero", 0L).build()
        val event = fake<EventData>(
            "getName" to "retry", "getEpochNanos" to 1_700_000_000_100_000_000, "getAttributes" to text("cause", "503"),
            "getTotalAttributeCount" to 2
        )
        val link = fake<LinkData>(
            "getSpanContext" to context(PARENT), "getAttributes" to text("kind", "cause"), "getTotalAttributeCount" to 2
        )
        val state = TraceState.builder().put("vendor", "a").put("ot", "th:8").build()
        exporters.spans.export(
            listOf(
                span(
                    "POST", StatusData.create(StatusCode.ERROR, "HTTP 503"), true, "shop.checkout",
                    "getSpanContext" to context(state = state), "getParentSpanContext" to context(PARENT),
                    "getStartEpochNanos" to 1_700_000_000_000_000_001, "getEndEpochNanos" to 1_700_000_000_500_000_000,
                    "getAttributes" to attributes, "getEvents" to listOf(event), "getLinks" to listOf(link),
                    "getTotalRecordedEvents" to 4, "getTotalRecordedLinks" to 5,
                    "getTotalAttributeCount" to attributes.size() + 2
                )
            )
        )
        assertStored(OtlpSignal.TRACES)
    }

    @Test
    fun `a log record with a body of parts is encoded as by the official messages`() {
        val sizes = Value.of(Value.of(1L), Value.of(byteArrayOf(0, -1)))
        val body = Value.of(KeyValue.of("reason", Value.of("low memory")), KeyValue.of("sizes", sizes))
        exporters.logRecords.export(
            listOf(
                event(
                    "app.failed", Severity.ERROR, "shop.checkout", "getSeverityText" to "ERROR", "getBodyValue" to body,
                    "getTimestampEpochNanos" to 1_700_000_000_000_000_000,
                    "getObservedTimestampEpochNanos" to 1_700_000_000_000_000_005, "getSpanContext" to context(),
                    "getAttributes" to text("log.record.uid", "u1"), "getTotalAttributeCount" to 2
                )
            )
        )
        assertStored(OtlpSignal.LOGS)
    }

    @Test
    fun `metrics of each type are encoded as by the official messages`() {
        val times = arrayOf<Pair<String, Any?>>(
            "getStartEpochNanos" to 1_700_000_000_000_000_000, "getEpochNanos" to 1_700_000_060_000_000_000,
            "getAttributes" to text("screen", "Cart")
        )
        val exemplar = arrayOf<Pair<String, Any?>>(
            "getEpochNanos" to 1_700_000_030_000_000_000, "getSpanContext" to context(),
            "getFilteredAttributes" to text("user", "u")
        )
        val none = "getExemplars" to emptyList<Any>()
        val battery = fake<DoublePointData>(
            *times, "getValue" to 0.25,
            "getExemplars" to listOf(fake<DoubleExemplarData>(*exemplar, "getValue" to 0.5))
        )
        val taps = fake<LongPointData>(
            *times, "getValue" to -3L, "getExemplars" to listOf(fake<LongExemplarData>(*exemplar, "getValue" to -1L))
        )
        val duration = fake<HistogramPointData>(
            *times, none, "getCount" to 3L, "getSum" to 4.5, "hasMin" to true, "getMin" to 0.0, "hasMax" to true,
            "getMax" to 3.0, "getBoundaries" to listOf(0.5, 1.0), "getCounts" to listOf(1L, 0L, 2L)
        )
        val positive = fake<ExponentialHistogramBuckets>("getOffset" to -1, "getBucketCounts" to listOf(300L))
        val negative = fake<ExponentialHistogramBuckets>("getOffset" to 1, "getBucketCounts" to emptyList<Long>())
        val frames = fake<ExponentialHistogramPointData>(
            *times, none, "getCount" to 301L, "getSum" to 9.0, "getScale" to -2, "getZeroCount" to 1L,
            "getPositiveBuckets" to positive, "getNegativeBuckets" to negative, "hasMin" to true, "getMin" to -1.0,
            "hasMax" to false
        )
        val half = fake<ValueAtQuantile>("getQuantile" to 0.5, "getValue" to 1.0)
        val old = fake<SummaryPointData>(*times, "getCount" to 2L, "getSum" to 3.0, "getValues" to listOf(half))
        val delta = "getAggregationTemporality" to AggregationTemporality.DELTA
        val cumulative = "getAggregationTemporality" to AggregationTemporality.CUMULATIVE
        exporters.metrics.export(
            listOf(
                metric("battery", fake<GaugeData<*>>("getPoints" to listOf(battery)), "Level.", "1"),
                metric("taps", fake<SumData<*>>("getPoints" to listOf(taps), delta, "isMonotonic" to true)),
                metric("duration", fake<HistogramData>("getPoints" to listOf(duration), delta)),
                metric("frames", fake<ExponentialHistogramData>("getPoints" to listOf(frames), cumulative)),
                metric("old", fake<SummaryData>("getPoints" to listOf(old)))
            )
        )
        assertStored(OtlpSignal.METRICS)
    }
}
