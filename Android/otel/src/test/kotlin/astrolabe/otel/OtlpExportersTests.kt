package astrolabe.otel

import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.policy.CollectionPolicy
import astrolabe.policy.RemotePolicy
import astrolabe.policy.UploadPriority
import astrolabe.queue.OfflineQueue
import astrolabe.support.JdbcSql
import io.opentelemetry.api.logs.Severity
import io.opentelemetry.sdk.metrics.InstrumentType
import io.opentelemetry.sdk.metrics.data.AggregationTemporality
import java.io.File
import okhttp3.OkHttpClient
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class OtlpExportersTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val signals = ConditionsStore(Conditions(NetworkPath(Medium.OFFLINE)))
    private val queue by lazy { OfflineQueue(File(folder.root, "queue.db"), JdbcSql.opener) }
    private val problems = mutableListOf<String>()
    private val delivery by lazy {
        OtlpDelivery(queue, signals, 4.0, OtlpSender(OkHttpClient(), "http://127.0.0.1:1")) { problems.add(it) }
    }
    private val exporters get() = delivery.exporters

    /** The numbers of records in the queue by priority. */
    private val stored: Map<Int, Int> get() = queue.statistics().byPriority.filterValues { it > 0 }

    private fun decide(battery: Double, remote: RemotePolicy? = null) {
        val conditions = Conditions(NetworkPath(Medium.WIFI), Power(battery, PowerSource.UNPLUGGED))
        delivery.policy.follow(CollectionPolicy(remote = remote).decision(conditions, 4.0))
    }

    @Test
    fun `a batch of a priority is one record of the queue, and errors and crashes are ahead`() {
        assertTrue(exporters.spans.export(listOf(span("a"), span("b"), span("c", failed))).isSuccess)
        exporters.logRecords.export(listOf(event(severity = Severity.DEBUG), event("device.crash", Severity.ERROR)))
        assertEquals(
            mapOf(
                UploadPriority.LOW.level to 1, UploadPriority.NORMAL.level to 1, UploadPriority.HIGH.level to 1,
                UploadPriority.CRITICAL.level to 1
            ),
            stored
        )
    }

    @Test
    fun `a large batch is several records, so that little is lost if a collector refuses one`() {
        exporters.spans.export(List(70) { span("s$it") })
        assertEquals(3, queue.statistics().records)
        exporters.spans.export(List(3) { span("n".repeat(OtlpRequest.BYTES / 2)) })
        assertEquals(6, queue.statistics().records)
    }

    @Test
    fun `spans without the sampled flag are left out, but errors stay`() {
        exporters.spans.export(listOf(span(isSampled = false), span(status = failed, isSampled = false)))
        assertEquals(mapOf(UploadPriority.HIGH.level to 1), stored)
    }

    @Test
    fun `with a low battery only the app's own events are kept, at low priority, and what fails`() {
        decide(battery = 0.05)
        val others = listOf(event(scope = "io.opentelemetry.click"), event(severity = Severity.DEBUG))
        exporters.logRecords.export(others + event())
        assertEquals(mapOf(UploadPriority.LOW.level to 1), stored)
        exporters.logRecords.export(listOf(event(severity = Severity.ERROR, scope = "io.opentelemetry.anr")))
        assertEquals(mapOf(UploadPriority.LOW.level to 1, UploadPriority.HIGH.level to 1), stored)
    }

    @Test
    fun `a kill switch of the remote document names a scope`() {
        decide(battery = 0.8, remote = RemotePolicy(version = 1, offScopes = setOf("shop.checkout")))
        exporters.spans.export(listOf(span(), span(scope = "shop.search")))
        assertEquals(1, queue.statistics().records)
    }

    @Test
    fun `what cannot be stored fails the export, is told, and is not thrown at the app`() {
        exporters.spans.export(listOf(span()))
        queue.close()
        assertFalse(exporters.spans.export(listOf(span())).isSuccess)
        assertEquals(1L, delivery.scheduler.unstored)
        assertTrue(problems.single(), "Storing records failed" in problems.single())
    }

    @Test
    fun `after its shutdown an exporter stores nothing, and the others go on`() {
        assertTrue(exporters.spans.shutdown().isSuccess)
        assertFalse(exporters.spans.export(listOf(span())).isSuccess)
        assertEquals(0, queue.statistics().records)
        assertTrue(exporters.logRecords.export(listOf(event("shop.event"))).isSuccess)
        assertEquals(1, queue.statistics().records)
    }

    @Test
    fun `counters and histograms are deltas, and sums that go down are not`() {
        val metrics = exporters.metrics
        assertEquals(AggregationTemporality.DELTA, metrics.getAggregationTemporality(InstrumentType.COUNTER))
        assertEquals(AggregationTemporality.DELTA, metrics.getAggregationTemporality(InstrumentType.HISTOGRAM))
        val upDown = metrics.getAggregationTemporality(InstrumentType.UP_DOWN_COUNTER)
        assertEquals(AggregationTemporality.CUMULATIVE, upDown)
    }
}
