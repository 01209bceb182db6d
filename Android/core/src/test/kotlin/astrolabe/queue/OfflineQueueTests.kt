package astrolabe.queue

import astrolabe.sql.SqlException
import astrolabe.sql.SqlFailure
import astrolabe.support.JdbcSql
import java.io.File
import java.nio.file.Files
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class OfflineQueueTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val file: File get() = File(folder.root, "queue.db")

    private fun open(configuration: QueueConfiguration = QueueConfiguration()): OfflineQueue =
        OfflineQueue(file, JdbcSql.opener, configuration)

    private fun record(priority: Int, mark: Int = 0, age: Long = 0): QueueRecord =
        QueueRecord(1, priority, QueueClock.wall() - age, byteArrayOf(mark.toByte()))

    private fun OfflineQueue.leaseAll(): QueueLease? = lease(100_000, Long.MAX_VALUE)

    @Test
    fun `records come back by priority, then by time`() {
        val queue = open()
        queue.enqueue(listOf(record(0, 1), record(3, 2), record(1, 3, age = 10 * SECOND), record(1, 4)))
        val lease = queue.lease(maximumRecords = 3, maximumBytes = 100)
        assertEquals(listOf(2, 3, 4), lease!!.records.map { it.payload[0].toInt() })
        queue.close()
    }

    @Test
    fun `a leased record is not leased again, in this process or in another connection`() {
        val first = open()
        val second = open()
        second.maintain()
        first.enqueue(listOf(record(1)))
        val lease = first.leaseAll()
        assertNotNull(lease)
        assertNull(first.leaseAll())
        assertNull(second.leaseAll())
        first.release(lease!!)
        assertNotNull(second.leaseAll())
        first.close()
        second.close()
    }

    @Test
    fun `opening the queue a second time leaves the leases of a living owner`() {
        val first = open()
        first.enqueue(listOf(record(1)))
        first.leaseAll()
        with(open()) {
            maintain()
            close()
        }
        assertEquals(1, first.statistics().leased)
        first.close()
        val third = open()
        assertEquals(0, third.statistics().leased)
        third.close()
    }

    @Test
    fun `every record is accounted for across a restart`() {
        val queue = open(QueueConfiguration(maximumRecords = 2))
        queue.enqueue(listOf(record(1), record(0), record(2)))
        queue.acknowledge(queue.lease(1, 100)!!.ids)
        queue.close()
        val statistics = open().statistics()
        assertEquals(3L, statistics.enqueued)
        assertEquals(1L, statistics.acknowledged)
        assertEquals(mapOf(QueueDrop.EVICTED to 1L), statistics.dropped)
        assertEquals(1, statistics.records)
        assertTrue(statistics.isBalanced)
    }

    @Test
    fun `a damaged file is set aside and the loss is counted`() {
        val queue = open()
        queue.enqueue(listOf(record(1)))
        queue.close()
        file.writeBytes(ByteArray(8_192) { 7 })
        val next = open()
        assertEquals(0, next.statistics().records)
        assertEquals(1L, next.statistics().counters[QueueCounter.UNKNOWN_LOSSES])
        assertTrue(File(file.path + "-damaged").exists())
        next.enqueue(listOf(record(1)))
        assertEquals(1, next.statistics().records)
        next.close()
    }

    @Test
    fun `a file of a newer version is left unchanged`() {
        with(open()) {
            maintain()
            close()
        }
        val database = JdbcSql.opener(file.path)
        database.execute("PRAGMA user_version = 9")
        database.close()
        val bytes = file.readBytes()
        assertTrue(failure(open()).message!!.contains("schema 9"))
        assertTrue(bytes.contentEquals(file.readBytes()))
        assertFalse(File(file.path + "-damaged").exists())
    }

    private fun failure(queue: OfflineQueue): SqlException = try {
        queue.maintain()
        throw AssertionError("the call succeeded")
    } catch (failure: SqlException) {
        failure
    }

    @Test
    fun `nothing is opened before the first call, and a file that cannot be opened fails calls with one exception`() {
        val queue = open()
        assertFalse(file.exists())
        queue.close()
        file.mkdirs()
        failure(open())
        val inFile = File(folder.newFile("plain"), "queue.db")
        failure(OfflineQueue(inFile, JdbcSql.opener))
        failure(OfflineQueue({ throw SecurityException("no folder") }, JdbcSql.opener))
        assertEquals(SqlFailure.OTHER, failure(OfflineQueue(file, { throw IllegalStateException("broken") })).failure)
    }

    @Test
    fun `a file that another process locks is tried twice`() {
        var failures = 1
        val queue = OfflineQueue(file, { path ->
            failures -= 1
            if (failures >= 0) throw SqlException(SqlFailure.LOCKED, "locked") else JdbcSql.opener(path)
        })
        queue.enqueue(listOf(record(1)))
        assertEquals(1, queue.statistics().records)
        queue.close()
        val locked = OfflineQueue(file, { throw SqlException(SqlFailure.LOCKED, "locked") })
        assertEquals(SqlFailure.LOCKED, failure(locked).failure)
    }

    @Test
    fun `a file that is deleted while it is open is replaced, and the loss is counted`() {
        val queue = open()
        queue.enqueue(listOf(record(1)))
        assertTrue(file.delete())
        queue.enqueue(listOf(record(1), record(1)))
        assertTrue(file.exists())
        assertEquals(2, queue.statistics().records)
        assertEquals(1L, queue.statistics().counters[QueueCounter.UNKNOWN_LOSSES])
        queue.close()
    }

    @Test
    fun `the same file by two names has living owners under both`() {
        val link = File(folder.root, "link")
        Files.createSymbolicLink(link.toPath(), folder.root.toPath())
        val first = open()
        first.enqueue(listOf(record(1)))
        assertNotNull(first.leaseAll())
        val second = OfflineQueue(File(link, "queue.db"), JdbcSql.opener)
        assertEquals(1, second.statistics().leased)
        assertNull(second.leaseAll())
        second.close()
        first.close()
    }

    @Test
    fun `a lease of other kinds leaves a kind where it is`() {
        val queue = open()
        queue.enqueue(listOf(record(1, 1), QueueRecord(2, 0, QueueClock.wall(), byteArrayOf(2))))
        val lease = queue.lease(10, Long.MAX_VALUE, otherThan = setOf(1))
        assertEquals(listOf(2), lease!!.records.map { it.kind })
        queue.close()
    }

    @Test
    fun `ten thousand records fit, and the next one evicts the oldest of the lowest priority`() {
        val queue = open()
        queue.enqueue(List(10_000) { record(if (it == 7) 0 else 1, age = it.toLong()) })
        val receipt = queue.enqueue(listOf(record(1)))
        assertEquals(mapOf(QueueDrop.EVICTED to 1), receipt.dropped)
        assertNull(queue.statistics().byPriority[0])
        assertEquals(10_000, queue.statistics().records)
        queue.close()
    }

    private val day = 86_400 * SECOND

    private class Machine {
        var steady = SECOND
        var boot = "boot"
        val clock = QueueClock({ steady }, { boot })

        fun reboot() {
            steady = 10 * SECOND
            boot += "+"
        }
    }

    private fun open(machine: Machine): OfflineQueue =
        OfflineQueue(file, JdbcSql.opener, QueueConfiguration(), machine.clock)

    @Test
    fun `a wall clock that is set drops no record early, and keeps none longer`() {
        val steps = listOf(600L, 8 * 86_400L, 40 * 31_536_000L)
        for (age in steps + steps.map { -it }) {
            for (moment in listOf("while running", "between runs", "between boots")) {
                val machine = Machine()
                var queue = open(machine)
                queue.enqueue(listOf(record(0, age = age * SECOND), record(1)))
                machine.steady += 60 * SECOND
                if (moment != "while running") {
                    queue.close()
                    if (moment == "between boots") machine.reboot()
                    queue = open(machine)
                }
                queue.enqueue(listOf(record(2), record(3, age = -age * SECOND)))
                for (number in 0 until 7) {
                    queue.maintain()
                    assertEquals("$age s, $moment, day $number", 4, queue.statistics().records)
                    machine.steady += day
                }
                queue.maintain()
                assertEquals(mapOf(QueueDrop.EXPIRED to 4L), queue.statistics().dropped)
                assertTrue(queue.statistics().isBalanced)
                queue.close()
                file.delete()
                for (suffix in listOf("-wal", "-shm")) File(file.path + suffix).delete()
            }
        }
    }

    @Test
    fun `eight days between two runs count if they are certain`() {
        for (boot in listOf("same", "another", "unknown")) {
            val machine = Machine()
            if (boot == "unknown") machine.boot = ""
            val first = open(machine)
            first.enqueue(listOf(record(1)))
            first.close()
            machine.steady += 8 * day
            if (boot == "another") machine.reboot()
            val second = open(machine)
            second.maintain()
            assertEquals(boot, if (boot == "same") 0 else 1, second.statistics().records)
            machine.steady += 7 * day + SECOND
            second.maintain()
            assertEquals(mapOf(QueueDrop.EXPIRED to 1L), second.statistics().dropped)
            second.close()
            file.delete()
            for (suffix in listOf("-wal", "-shm")) File(file.path + suffix).delete()
        }
    }
}
