package astrolabe.queue

import astrolabe.sql.SqlException
import astrolabe.sql.SqlFailure
import astrolabe.sql.SqlOpener
import java.io.File
import java.io.IOException
import kotlin.random.Random

/**
 * A bounded queue of records on disk with priorities and leases, stored in SQLite.
 *
 *     val queue = OfflineQueue(File(context.filesDir, "queue.db"), AndroidSql.opener)
 *     queue.enqueue(listOf(QueueRecord(kind = 0, priority = 1, time = now, payload = request)))
 *     queue.lease(maximumRecords = 100, maximumBytes = 1_000_000)?.let { lease ->
 *         if (send(lease)) queue.acknowledge(lease.ids) else queue.release(lease)
 *     }
 *
 * - Each call is one transaction, durable when it returns. A call that throws has changed nothing.
 * - Every record is leased to at most one owner at a time, in this process or another.
 * - Every added and removed record is counted in the same transaction: see [QueueStatistics].
 * - Performs I/O, so call it from a background thread. Concurrent calls wait for each other.
 *
 * Every call throws [SqlException] if SQLite fails. A damaged file is moved to the same path with `-damaged` and
 * replaced by a new one.
 */
public class OfflineQueue(
    private val file: File,
    private val open: SqlOpener,
    private val configuration: QueueConfiguration = QueueConfiguration(),
    private val clock: QueueClock = QueueClock.system
) {
    private val lock = Any()
    private var store: QueueStore? = null
    private var isClosed = false

    init {
        perform { _, _ -> }
    }

    /** Drops expired records, stores all of these or none, and evicts the excess. */
    public fun enqueue(records: List<QueueRecord>): QueueReceipt = perform { store, tally ->
        store.enqueue(records, tally)
        QueueReceipt(records.size, tally.dropped)
    }

    /**
     * Leases records by descending priority, then by time, then by id; `null` if none are available.
     *
     * @param maximumRecords At least one record is leased if any is available.
     * @param maximumBytes Payload bytes. A first record that is longer is leased alone.
     * @param kind Only records of this kind; `null` for all.
     * @param minimumPriority Records of lower priority stay.
     * @param hasFailed Only records with failed attempts, or only those without; `null` for all.
     */
    public fun lease(
        maximumRecords: Int,
        maximumBytes: Long,
        kind: Int? = null,
        minimumPriority: Int = 0,
        hasFailed: Boolean? = null
    ): QueueLease? = perform { store, tally ->
        val limits = LeaseLimits(maximumRecords, maximumBytes, kind, minimumPriority, hasFailed)
        store.lease(limits, Random.nextLong(Long.MAX_VALUE), tally)
    }

    /**
     * Removes delivered records, whichever lease holds them now. Records already removed are not counted again.
     *
     * @return How many were removed.
     */
    public fun acknowledge(ids: Collection<Long>): Int = perform { store, tally ->
        store.remove(ids, QueueCounter.ACKNOWLEDGED, tally)
    }

    /**
     * Counts a failed attempt for records and releases them; drops records that exceed the maximum, but none of the
     * highest priority.
     *
     * For records that a server has refused, and for nothing else. Records that another lease holds by now are left
     * unchanged.
     */
    public fun recordFailure(ids: Collection<Long>, lease: QueueLease): QueueReceipt = perform { store, tally ->
        store.recordFailure(ids, lease.id, tally)
        QueueReceipt(dropped = tally.dropped)
    }

    /** Releases records without counting a failure: there was no network, or the collector failed. */
    public fun release(lease: QueueLease): Unit = perform { store, _ -> store.end(lease.id, lease.ids) }

    public fun statistics(): QueueStatistics = perform { store, _ -> store.statistics() }

    /** Drops expired records. */
    public fun maintain(): Unit = perform { store, tally -> store.dropExpired(tally) }

    /** Releases all leases and closes the file; later calls throw. */
    public fun close() {
        synchronized(lock) {
            store?.close()
            store = null
            isClosed = true
        }
    }

    /**
     * Runs [body] in a transaction.
     *
     * If the file is damaged, reopens it, because another process may have replaced it in the meantime. If it is
     * damaged again, replaces it with a new file.
     */
    private fun <Result> perform(body: (QueueStore, QueueTally) -> Result): Result {
        synchronized(lock) {
            if (isClosed) throw SqlException(SqlFailure.OTHER, "the queue at $file is closed")
            val attempts = if (store == null) listOf(false, true) else listOf(false, false, true)
            for (isReplacing in attempts) {
                try {
                    val current = store ?: openStore(isReplacing)
                    store = current
                    return current.transaction { tally -> body(current, tally) }
                } catch (failure: SqlException) {
                    if (failure.failure != SqlFailure.CORRUPT) throw failure
                    store?.close(isDamaged = true)
                    store = null
                }
            }
            throw SqlException(SqlFailure.CORRUPT, "the queue at $file is damaged, and so is the file that replaced it")
        }
    }

    private fun openStore(isReplacing: Boolean): QueueStore {
        file.absoluteFile.parentFile?.mkdirs()
        if (isReplacing) setAside()
        val database = open(file.path)
        try {
            val store = QueueStore(database, file, configuration, clock)
            if (isReplacing) store.transaction { store.add(1, QueueCounter.UNKNOWN_LOSSES) }
            return store
        } catch (failure: IOException) {
            database.close()
            throw SqlException(SqlFailure.READ_ONLY, "cannot write beside $file: ${failure.message}", failure)
        } catch (failure: SqlException) {
            database.close()
            throw failure
        }
    }

    private fun setAside() {
        val damaged = File(file.path + "-damaged")
        damaged.delete()
        file.renameTo(damaged)
        for (suffix in listOf("-wal", "-shm", "-journal")) File(file.path + suffix).delete()
    }
}
