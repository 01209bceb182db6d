package astrolabe.queue

import astrolabe.sql.SqlException
import astrolabe.support.JdbcSql
import java.io.File
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
        open().close()
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
        open().close()
        val database = JdbcSql.opener(file.path)
        database.execute("PRAGMA user_version = 9")
        database.close()
        val bytes = file.readBytes()
        val failure = try {
            open()
            null
        } catch (failure: SqlException) {
            failure
        }
        assertTrue(failure!!.message!!.contains("schema 9"))
        assertTrue(bytes.contentEquals(file.readBytes()))
        assertFalse(File(file.path + "-damaged").exists())
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
