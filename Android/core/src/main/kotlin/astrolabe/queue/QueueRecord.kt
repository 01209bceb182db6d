package astrolabe.queue

/**
 * A record to be enqueued. Its payload is opaque to the queue.
 *
 * @property kind A number of the app's own, such as one for each OTLP signal.
 * @property priority 0 low, 1 normal, 2 high, 3 critical; other values are bounded to these.
 * @property time Nanoseconds since 1970. It decides the turn of the record, not its age.
 * @property failedAttempts How many delivery attempts have already failed.
 */
public class QueueRecord(
    public val kind: Int,
    priority: Int,
    time: Long,
    public val payload: ByteArray,
    public val failedAttempts: Int = 0
) {
    public val priority: Int = minOf(maxOf(priority, 0), 3)
    public val time: Long = maxOf(time, 0)
}

/** A record as it was enqueued, with its id. */
public class LeasedRecord(
    public val id: Long,
    public val kind: Int,
    public val priority: Int,
    public val time: Long,
    public val failedAttempts: Int,
    public val payload: ByteArray
)

/**
 * Leased records, to be acknowledged, recorded as failed, or released.
 *
 * No other reader receives them in the meantime, in this process or another. The lease ends with its owner, or after
 * the configured time.
 *
 * @property records By descending priority, then by time, then by id.
 */
public class QueueLease internal constructor(internal val id: Long, public val records: List<LeasedRecord>) {
    public val ids: List<Long> get() = records.map { it.id }
}

/** Why the queue dropped a record. The counter's name is that of the Swift SDK's ledger. */
public enum class QueueDrop(public val counter: String) {
    /** The queue was full, and the record was the oldest of the lowest priority. */
    EVICTED("queue.dropped.evicted"),

    /** It waited longer than the maximum age. */
    EXPIRED("queue.dropped.expired"),

    /** It exceeded the maximum number of failed attempts. */
    RETRIES_EXHAUSTED("queue.dropped.refused"),

    /** It exceeded the maximum record size. */
    OVERSIZED("queue.dropped.oversized")
}

/**
 * The result of a call.
 *
 * @property enqueued Records of the call, including dropped ones.
 * @property dropped Records dropped in this transaction, new and old.
 * @property unstored Records of the call that are lost, because the file cannot be opened or written. Only
 *   [astrolabe.delivery.FlushScheduler] counts them; the queue throws.
 */
public data class QueueReceipt(
    public val enqueued: Int = 0,
    public val dropped: Map<QueueDrop, Int> = emptyMap(),
    public val unstored: Int = 0
)

/** The names of the queue's own counters, in addition to those of [QueueDrop]. */
public object QueueCounter {
    public const val ENQUEUED: String = "queue.enqueued"
    public const val ACKNOWLEDGED: String = "queue.acknowledged"

    /** Damaged files, whose records could not be counted. */
    public const val UNKNOWN_LOSSES: String = "queue.unknown-losses"
}

/**
 * The queue's contents, and the counts of all records that were ever in it.
 *
 * `enqueued = acknowledged + records + sum(dropped)` in every committed state, across kills.
 *
 * @property records Records, including leased ones.
 * @property bytes Bytes of the payloads.
 * @property oldest The time of the oldest record.
 */
public data class QueueStatistics(
    public val records: Int,
    public val bytes: Long,
    public val byKind: Map<Int, Int>,
    public val byPriority: Map<Int, Int>,
    public val leased: Int,
    public val oldest: Long?,
    public val counters: Map<String, Long>
) {
    public val enqueued: Long get() = counters[QueueCounter.ENQUEUED] ?: 0
    public val acknowledged: Long get() = counters[QueueCounter.ACKNOWLEDGED] ?: 0
    public val dropped: Map<QueueDrop, Long>
        get() = QueueDrop.values().associate { it to (counters[it.counter] ?: 0) }.filterValues { it > 0 }

    /** True if every enqueued record is accounted for. */
    public val isBalanced: Boolean get() = enqueued == acknowledged + records + dropped.values.sum()
}
