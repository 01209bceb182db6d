package astrolabe.delivery

import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import astrolabe.policy.CollectionPolicy
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueClock
import astrolabe.queue.QueueRecord
import astrolabe.queue.SECOND
import astrolabe.sql.SqlDatabase
import astrolabe.sql.SqlException
import astrolabe.sql.SqlFailure
import astrolabe.support.JdbcSql
import java.io.File
import org.junit.Assert.assertEquals
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

/** A disk that is full, or a file that SQLite cannot use, under a scheduler. */
class FailingStorageTests {
    @get:Rule
    val folder = TemporaryFolder()

    private class Storage {
        /** Why the statements that begin with these words fail. */
        var failure: SqlFailure? = null
        var words = listOf("INSERT", "UPDATE", "DELETE")
        var tables = ""

        fun open(path: String): SqlDatabase {
            val database = JdbcSql.opener(path)
            return object : SqlDatabase by database {
                override fun execute(sql: String, vararg arguments: Any) {
                    val reason = failure
                    if (reason != null && words.any { sql.startsWith(it) } && tables in sql) {
                        throw SqlException(reason, "the storage fails")
                    }
                    database.execute(sql, *arguments)
                }
            }
        }
    }

    private val storage = Storage()
    private val executor = ManualExecutor()
    private var steady = SECOND
    private val queue by lazy {
        val clock = QueueClock({ steady + (executor.now * SECOND).toLong() }, { "boot" })
        OfflineQueue(File(folder.root, "queue.db"), storage::open, clock = clock)
    }
    private val sent = mutableListOf<Int>()
    private val diagnostics = mutableListOf<String>()
    private var respond: (List<Int>) -> SendResult = { SendResult.Response(200) }
    private val signals = ConditionsStore(Conditions(NetworkPath(Medium.WIFI), lifecycle = LifecycleState.ACTIVE))
    private val scheduler by lazy {
        FlushScheduler(
            queue, signals, CollectionPolicy(), 4.0, executor, random = { 0.5 }, maximumRecords = 4,
            onDiagnostic = { diagnostics.add(it) }
        ) { records ->
            val marks = records.map { it.payload[0].toInt() }
            sent.addAll(marks)
            // Ends a loop that sends the same records for ever.
            if (sent.size > 1_000) SendResult.Response(503) else respond(marks)
        }.also { it.start() }
    }

    private fun record(mark: Int, priority: Int = 1): QueueRecord =
        QueueRecord(0, priority, QueueClock.wall() + mark, byteArrayOf(mark.toByte()))

    @Test
    fun `what cannot be stored is dropped and counted, with one diagnostic, and the app sees no exception`() {
        for (failure in SqlFailure.values().filter { it != SqlFailure.CORRUPT }) {
            storage.failure = failure
            scheduler.enqueue(listOf(record(0)))
        }
        val before = scheduler.unstored
        val receipt = scheduler.enqueue(listOf(record(1), record(2, priority = 3)))
        assertEquals(2, receipt.unstored)
        assertEquals(before + 2, scheduler.unstored)
        assertEquals(1, diagnostics.count { it.startsWith("Storing records failed") })
        executor.advance(60.0)
        storage.failure = null
        assertEquals(0, scheduler.enqueue(listOf(record(3))).unstored)
        executor.advance(31.0)
        assertEquals(listOf(3), sent)
    }

    @Test
    fun `a storage that fails does not end the scheduler`() {
        scheduler.enqueue(listOf(record(1)))
        for (failure in listOf(SqlFailure.LOCKED, SqlFailure.OTHER)) {
            storage.failure = failure
            executor.advance(120.0)
        }
        assertEquals(emptyList<Int>(), sent)
        storage.failure = null
        executor.advance(31.0)
        assertEquals(listOf(1), sent)
    }

    @Test
    fun `a full disk sends each record once, and removes them when it has space`() {
        scheduler.enqueue((1..10).map { record(it) })
        storage.failure = SqlFailure.DISK_FULL
        executor.advance(3_600.0)
        assertEquals((1..10).toList(), sent)
        assertEquals(1, diagnostics.count { it.startsWith("Writing a lease failed") })
        storage.failure = null
        executor.advance(31.0)
        assertEquals((1..10).toList(), sent)
        assertEquals(10L, queue.statistics().acknowledged)
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `records that could be leased and not removed are not sent again when their leases end`() {
        scheduler.enqueue((1..10).map { record(it) })
        storage.words = listOf("DELETE FROM records")
        storage.failure = SqlFailure.DISK_FULL
        executor.advance(3_600.0)
        assertEquals((1..10).toList(), sent)
        storage.failure = null
        executor.advance(31.0)
        assertEquals((1..10).toList(), sent)
        assertEquals(10L, queue.statistics().acknowledged)
    }

    @Test
    fun `on a full disk a collector that fails is asked by its backoff, and a refused record is passed over`() {
        scheduler.enqueue((1..10).map { record(it) })
        storage.failure = SqlFailure.DISK_FULL
        respond = { SendResult.Response(503) }
        executor.advance(120.0)
        sent.clear()
        respond = { if (3 in it) SendResult.Response(400) else SendResult.Response(200) }
        executor.advance(600.0)
        assertEquals((1..10).toList() - 3, queueOrder(sent) - 3)
        storage.failure = null
        executor.advance(31.0)
        assertEquals(9L, queue.statistics().acknowledged)
        assertEquals(1, queue.statistics().records)
    }

    /** Each mark that was delivered, in order, without repetition by requests that were refused. */
    private fun queueOrder(marks: List<Int>): List<Int> = marks.toSortedSet().toList()
}
