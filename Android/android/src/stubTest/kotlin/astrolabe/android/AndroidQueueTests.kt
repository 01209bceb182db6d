package astrolabe.android

import android.database.sqlite.SQLiteDatabase
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueClock
import astrolabe.queue.QueueCounter
import astrolabe.queue.QueueDrop
import astrolabe.queue.QueueConfiguration
import astrolabe.queue.QueueRecord
import astrolabe.sql.SqlException
import astrolabe.sql.SqlFailure
import java.io.File
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

class AndroidQueueTests : AndroidTest() {
    private val file: File get() = File(folder.root, "astrolabe/queue.db")

    private fun queue(configuration: QueueConfiguration = QueueConfiguration()): OfflineQueue =
        AndroidQueue.of(application, configuration)

    private fun record(mark: Int): QueueRecord =
        QueueRecord(1, 1, QueueClock.wall() + mark, byteArrayOf(mark.toByte(), -1))

    private fun failure(body: () -> Unit): SqlFailure? = try {
        body()
        null
    } catch (failure: SqlException) {
        failure.failure
    }

    @Test
    fun `the queue works on Android's SQLite, in the folder that is not backed up, from its first call on`() {
        val queue = queue(QueueConfiguration(maximumRecords = 3))
        assertFalse(file.exists())
        queue.enqueue((1..4).map { record(it) })
        assertTrue(file.exists())
        val lease = queue.lease(2, 100)!!
        assertEquals(listOf(2, 3), lease.records.map { it.payload[0].toInt() })
        assertEquals(listOf(-1, -1), lease.records.map { it.payload[1].toInt() })
        queue.acknowledge(lease.ids)
        queue.close()
        val next = queue()
        assertEquals(1, next.statistics().records)
        assertEquals(mapOf(QueueDrop.EVICTED to 1L), next.statistics().dropped)
        assertTrue(next.statistics().isBalanced)
        next.close()
    }

    @Test
    fun `what has been stored survives the device, not only the process`() {
        val database = AndroidSql.opener(File(folder.root, "one.db").path)
        val found = mutableListOf<Any>()
        database.query("PRAGMA synchronous") { found.add(it.long(0)) }
        database.query("PRAGMA journal_mode") { found.add(it.text(0)) }
        database.close()
        assertEquals(listOf<Any>(2L, "wal"), found)
    }

    @Test
    fun `a transaction that fails has changed nothing`() {
        val database = AndroidSql.opener(File(folder.root, "one.db").path)
        database.execute("CREATE TABLE rows (number INTEGER)")
        assertEquals(SqlFailure.OTHER, failure {
            database.transaction {
                database.execute("INSERT INTO rows VALUES (?)", 1L)
                throw SqlException(SqlFailure.OTHER, "in the middle")
            }
        })
        database.transaction { database.execute("INSERT INTO rows VALUES (?)", 2L) }
        val found = mutableListOf<Long>()
        database.query("SELECT number FROM rows WHERE number IN (?, ?)", 1, 2L) { found.add(it.long(0)) }
        assertEquals(listOf(2L), found)
        database.close()
    }

    @Test
    fun `each exception of SQLite has its reason`() {
        val reasons = mapOf(
            1 to SqlFailure.OTHER, 5 to SqlFailure.LOCKED, 6 to SqlFailure.LOCKED, 8 to SqlFailure.READ_ONLY,
            10 to SqlFailure.OTHER, 11 to SqlFailure.CORRUPT, 13 to SqlFailure.DISK_FULL, 14 to SqlFailure.READ_ONLY,
            26 to SqlFailure.CORRUPT
        )
        val database = AndroidSql.opener(File(folder.root, "one.db").path)
        for ((code, reason) in reasons) {
            val exception = SQLiteDatabase.exception(code, "code $code")
            device.failures["execSQL"] = exception
            assertEquals("code $code", reason, failure { database.execute("PRAGMA user_version = 1") })
            device.failures.clear()
            device.failures["rawQuery"] = exception
            assertEquals("code $code", reason, failure { database.query("SELECT 1") { true } })
            device.failures.clear()
            device.failures["openDatabase"] = exception
            assertEquals("code $code", reason, failure { AndroidSql.opener(File(folder.root, "two.db").path) })
            device.failures.clear()
        }
        device.failures["execSQL"] = IllegalStateException("attempt to re-open an already-closed object")
        assertEquals(SqlFailure.OTHER, failure { database.execute("PRAGMA user_version = 1") })
        device.failures.clear()
        database.close()
    }

    @Test
    fun `a damaged file is set aside, and the loss is counted`() {
        file.parentFile.mkdirs()
        file.writeBytes(ByteArray(8_192) { 7 })
        val queue = queue()
        queue.enqueue(listOf(record(1)))
        assertEquals(1L, queue.statistics().counters[QueueCounter.UNKNOWN_LOSSES])
        assertTrue(File(file.path + "-damaged").exists())
        queue.close()
    }

    @Test
    fun `a folder that cannot be had fails the calls of the queue alone`() {
        device.failures["getNoBackupFilesDir"] = SecurityException()
        val queue = queue()
        assertEquals(SqlFailure.OTHER, failure { queue.enqueue(listOf(record(1))) })
        device.failures.clear()
        queue.enqueue(listOf(record(1)))
        assertEquals(1, queue.statistics().records)
        queue.close()
    }

    @Test
    fun `records grow old by the time since the boot, and only by it`() {
        val queue = queue()
        queue.enqueue(listOf(record(1)))
        device.elapsedMilliseconds += 6 * DAY
        queue.maintain()
        assertEquals(1, queue.statistics().records)
        device.elapsedMilliseconds += 2 * DAY
        queue.maintain()
        assertEquals(mapOf(QueueDrop.EXPIRED to 1L), queue.statistics().dropped)
        queue.close()
    }

    @Test
    fun `a boot that the device does not count is not known`() {
        assertEquals("7", AndroidClock.queueClock(application).boot())
        for (count in listOf(null, 0)) {
            device.bootCount = count
            assertEquals("", AndroidClock.queueClock(application).boot())
        }
    }

    private companion object {
        /** Milliseconds. */
        const val DAY = 86_400_000L
    }
}
