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
 *     val queue = OfflineQueue({ File(context.noBackupFilesDir, "queue.db") }, AndroidSql.opener)
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
 * The first call opens the file. Every call throws [SqlException] if the file cannot be opened or SQLite fails, and
 * nothing else; [astrolabe.delivery.FlushScheduler] counts instead. A damaged file is moved to the same path with
 * `-damaged` and replaced by a new one, and so is one that was deleted while it was open.
 *
 * @param locate Returns the file. Called once, by the first call. On Android it belongs where no backup takes it to
 *   another phone.
 */
public class OfflineQueue(
    locate: () -> File,
    private val open: SqlOpener,
    private val configuration: QueueConfiguration = QueueConfiguration(),
    private val clock: QueueClock = QueueClock.system
) {
    public constructor(
        file: File,
        open: SqlOpener,
        configuration: QueueConfiguration = QueueConfiguration(),
        clock: QueueClock = QueueClock.system
    ) : this({ file }, open, configuration, clock)

    private val lock = Any()
    private val file by lazy { locate().absoluteFile }
    private var store: QueueStore? = null
    private var isClosed = false

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
     * @param otherThan No records of these kinds.
     */
    public fun lease(
        maximumRecords: Int,
        maximumBytes: Long,
        kind: Int? = null,
        minimumPriority: Int = 0,
        hasFailed: Boolean? = null,
        otherThan: Set<Int> = emptySet()
    ): QueueLease? = perform { store, tally ->
        val limits = LeaseLimits(maximumRecords, maximumBytes, kind, minimumPriority, hasFailed, otherThan)
        store.lease(limits, Random.nextLong(Long.MAX_VALUE), tally)
    }

    /**
     * Reads records in the order of [lease] and writes nothing, for a disk that is full.
     *
     * Another reader may receive the same records.
     *
     * @param delivered Ids of records that are left out.
     */
    internal fun read(
        maximumRecords: Int,
        maximumBytes: Long,
        minimumPriority: Int,
        otherThan: Set<Int>,
        delivered: Set<Long>
    ): List<LeasedRecord> = perform { store, _ ->
        val limits = LeaseLimits(maximumRecords, maximumBytes, null, minimumPriority, false, otherThan, delivered)
        store.next(limits)
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
            isClosed = true
            try {
                store?.close()
            } catch (_: RuntimeException) {
                // The next process ends the leases of an owner whose file is not locked.
            }
            store = null
        }
    }

    /**
     * Runs [body] in a transaction.
     *
     * If the file is damaged, reopens it, because another process may have replaced it in the meantime. If it is
     * damaged again, replaces it with a new file. If another process locks it too long, tries once more.
     */
    private fun <Result> perform(body: (QueueStore, QueueTally) -> Result): Result {
        synchronized(lock) {
            if (isClosed) throw SqlException(SqlFailure.OTHER, "the queue is closed")
            return try {
                if (store != null && !file.exists()) {
                    // Its records are lost and could not be counted.
                    abandon()
                    store = openStore(isReplacing = true)
                }
                try {
                    attempt(body)
                } catch (failure: SqlException) {
                    if (failure.failure != SqlFailure.LOCKED) throw failure
                    attempt(body)
                }
            } catch (failure: SqlException) {
                throw failure
            } catch (failure: IOException) {
                throw SqlException(SqlFailure.READ_ONLY, "cannot write the queue's folder: ${failure.message}", failure)
            } catch (failure: RuntimeException) {
                throw SqlException(SqlFailure.OTHER, "cannot use the queue's file: $failure", failure)
            }
        }
    }

    private fun <Result> attempt(body: (QueueStore, QueueTally) -> Result): Result {
        val attempts = if (store == null) listOf(false, true) else listOf(false, false, true)
        for (isReplacing in attempts) {
            try {
                val current = store ?: openStore(isReplacing)
                store = current
                return current.transaction { tally -> body(current, tally) }
            } catch (failure: SqlException) {
                if (failure.failure != SqlFailure.CORRUPT) throw failure
                abandon()
            }
        }
        throw SqlException(SqlFailure.CORRUPT, "the queue at $file is damaged, and so is the file that replaced it")
    }

    private fun abandon() {
        val damaged = store
        store = null
        damaged?.close(isDamaged = true)
    }

    private fun openStore(isReplacing: Boolean): QueueStore {
        file.parentFile?.mkdirs()
        if (isReplacing) setAside()
        val database = open(file.path)
        try {
            val store = QueueStore(database, file, configuration, clock)
            if (isReplacing) store.transaction { store.add(1, QueueCounter.UNKNOWN_LOSSES) }
            return store
        } catch (failure: Exception) {
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
