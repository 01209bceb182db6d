package astrolabe.otel

import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.queue.OfflineQueue
import astrolabe.support.JdbcSql
import io.opentelemetry.api.logs.Severity
import java.io.File
import okhttp3.OkHttpClient

/**
 * The process that [ExportKillTests] kills: exports log records in batches, and sends them, until it dies.
 *
 * It prints `confirmed FIRST` when the export of a batch of ten has succeeded. The name of a record is its number.
 */
internal object ExportKillRole {
    const val BATCH = 10
    private val severities = listOf(Severity.DEBUG, Severity.INFO, Severity.ERROR)

    @JvmStatic
    fun main(arguments: Array<String>) {
        val delivery = delivery(OfflineQueue(File(arguments[0]), JdbcSql.opener), arguments[1])
        delivery.scheduler.start()
        var next = arguments[2].toLong()
        say("ready")
        while (true) {
            val batch = List(BATCH) { event("${next + it}", severities[((next + it) % severities.size).toInt()]) }
            if (delivery.exporters.logRecords.export(batch).isSuccess) say("confirmed $next")
            next += BATCH
            delivery.scheduler.flush()
        }
    }

    fun delivery(queue: OfflineQueue, collector: String): OtlpDelivery {
        val conditions = Conditions(
            NetworkPath(Medium.WIFI), Power(0.8, PowerSource.CHARGING), lifecycle = LifecycleState.ACTIVE
        )
        return OtlpDelivery(queue, ConditionsStore(conditions), 4.0, OtlpSender(OkHttpClient(), collector))
    }

    private fun say(line: String) {
        // One system call a line, so that a line that was begun is complete.
        System.out.write((line + "\n").toByteArray())
        System.out.flush()
    }
}
