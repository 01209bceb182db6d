package astrolabe.otel

import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import astrolabe.delivery.ThreadFlushExecutor
import astrolabe.http.AllowedHosts
import astrolabe.http.HttpIdentity
import astrolabe.queue.OfflineQueue
import astrolabe.support.JdbcSql
import astrolabe.wire.ProtobufReader
import com.sun.net.httpserver.HttpServer
import io.opentelemetry.api.baggage.Baggage
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator
import io.opentelemetry.api.logs.Severity
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator
import io.opentelemetry.context.Context
import io.opentelemetry.context.propagation.TextMapPropagator
import io.opentelemetry.context.propagation.TextMapSetter
import io.opentelemetry.sdk.logs.SdkLoggerProvider
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor
import io.opentelemetry.sdk.metrics.SdkMeterProvider
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader
import io.opentelemetry.sdk.trace.SdkTracerProvider
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor
import java.io.File
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit
import java.util.zip.GZIPInputStream
import okhttp3.OkHttpClient
import okhttp3.Request
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

/** The exporters, the sampler and the propagator in opentelemetry-java's own SDK. */
class RealSdkTests {
    @get:Rule
    val folder = TemporaryFolder()

    /** The numbers of records that the collector received, by path. */
    private val received = ConcurrentHashMap<String, Int>()
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        createContext("/") { exchange ->
            val body = GZIPInputStream(exchange.requestBody).readBytes()
            received.merge(exchange.requestURI.path, records(body)) { old, new -> old + new }
            exchange.sendResponseHeaders(200, -1)
            exchange.close()
        }
        start()
    }

    private val queue by lazy { OfflineQueue(File(folder.root, "queue.db"), JdbcSql.opener) }
    private val executor = ThreadFlushExecutor()
    private val delivery by lazy {
        val signals = ConditionsStore(Conditions(NetworkPath(Medium.WIFI)))
        val sender = OtlpSender(OkHttpClient(), "http://127.0.0.1:${server.address.port}")
        OtlpDelivery(queue, signals, 4.0, sender, executor = executor)
    }

    @After
    fun stop(): Unit = server.stop(0)

    private fun records(request: ByteArray): Int {
        var count = 0
        ProtobufReader(request, "request").forEach { resource ->
            ProtobufReader(resource.bytes, "resource").forEach { scope ->
                if (scope.number == 2L) ProtobufReader(scope.bytes, "scope").forEach { if (it.number == 2L) count += 1 }
            }
        }
        return count
    }

    private fun tracers(session: String): SdkTracerProvider =
        SdkTracerProvider.builder().setSampler(SessionSampler(delivery.policy) { session })
            .addSpanProcessor(BatchSpanProcessor.builder(delivery.exporters.spans).build()).build()

    @Test
    fun `spans, log records and metrics of the SDK reach the collector`() {
        delivery.policy.follow(delivery.policy.decision.copy(samplingRate = 1.0))
        val tracers = tracers("s1")
        val tracer = tracers.get("shop")
        val parent = tracer.spanBuilder("Cart").startSpan()
        val child = tracer.spanBuilder("GET").setParent(Context.root().with(parent)).startSpan()
        child.addEvent("retry").setStatus(StatusCode.ERROR, "HTTP 503").end()
        parent.end()
        assertEquals("th:0", parent.spanContext.traceState.get("ot")?.substringBefore(";"))
        val loggers = SdkLoggerProvider.builder()
            .addLogRecordProcessor(BatchLogRecordProcessor.builder(delivery.exporters.logRecords).build()).build()
        loggers.get("shop").logRecordBuilder().setSeverity(Severity.INFO).setBody("hello").emit()
        val meters = SdkMeterProvider.builder()
            .registerMetricReader(PeriodicMetricReader.create(delivery.exporters.metrics)).build()
        meters.get("shop").counterBuilder("taps").build().add(2)
        meters.get("shop").histogramBuilder("duration").build().record(0.5)
        for (result in listOf(tracers.forceFlush(), loggers.forceFlush(), meters.forceFlush())) {
            assertTrue(result.join(60, TimeUnit.SECONDS).isSuccess)
        }
        // The metric reader, and each forced flush, have flushed the scheduler too.
        delivery.scheduler.flush()
        executor.close(seconds = 60.0)
        assertEquals(mapOf("/v1/traces" to 2, "/v1/logs" to 1, "/v1/metrics" to 2), received.toMap())
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `a session that is not sampled stores no span`() {
        delivery.policy.follow(delivery.policy.decision.copy(samplingRate = 0.0))
        val tracers = tracers("s1")
        tracers.get("shop").spanBuilder("Cart").startSpan().end()
        assertTrue(tracers.forceFlush().join(60, TimeUnit.SECONDS).isSuccess)
        assertEquals(0, queue.statistics().enqueued)
    }

    @Test
    fun `the propagators of the SDK are gated, and trace state and baggage of others stay`() {
        delivery.policy.follow(delivery.policy.decision.copy(samplingRate = 1.0))
        val span = tracers("s1").get("shop").spanBuilder("GET").startSpan()
        val context = Context.root().with(span).with(Baggage.builder().put("user", "u").build())
        val both = TextMapPropagator.composite(
            W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance()
        )
        val propagator = HostGatedPropagator(both, AllowedHosts("shop.example.com"), HttpIdentity({ "s1" }))
        val requests = listOf("shop.example.com", "example.com").map { host ->
            val builder = Request.Builder().url("https://$host/").header("baggage", "own=1")
            propagator.inject(context, builder, TextMapSetter<Request.Builder> { it, key, value -> it?.header(key, value) })
            builder.build()
        }
        val own = requests[0]
        assertEquals("00-${span.spanContext.traceId}-${span.spanContext.spanId}-01", own.header("traceparent")?.take(53) + "01")
        assertTrue("${own.header("tracestate")}", own.header("tracestate").orEmpty().startsWith("ot=th:0;rv:"))
        assertEquals("own=1,user=u,session.id=s1", own.header("baggage"))
        assertEquals(setOf("baggage"), requests[1].headers().names())
        assertEquals("own=1", requests[1].header("baggage"))
    }
}
