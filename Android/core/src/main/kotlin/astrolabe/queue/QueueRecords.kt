package astrolabe.queue

import astrolabe.sql.all
import astrolabe.sql.number

/** Drops expired records, stores all of these, and evicts the excess. */
internal fun QueueStore.enqueue(records: List<QueueRecord>, tally: QueueTally) {
    dropExpired(tally)
    tally.count(QueueCounter.ENQUEUED, records.size)
    val admitted = records.filter { it.payload.size <= configuration.maximumRecordBytes }
    tally.count(QueueDrop.OVERSIZED.counter, records.size - admitted.size)
    var id = database.number("SELECT last FROM ids")
    if (admitted.isNotEmpty()) ages.noteArrival(id)
    database.execute("UPDATE ids SET last = last + ?", admitted.size)
    for (record in admitted) {
        id += 1
        database.execute(
            "INSERT INTO records (id, kind, priority, time, refusals, payload) VALUES (?, ?, ?, ?, ?, ?)",
            id, record.kind, record.priority, record.time, record.failedAttempts, record.payload
        )
        tally.enter(QueueTally.Group(record.kind, record.priority), 1, record.payload.size.toLong())
    }
    evictExcess(tally)
}

/** The limits of a lease. */
internal class LeaseLimits(
    val records: Int,
    val bytes: Long,
    val kind: Int?,
    val minimumPriority: Int,
    val hasFailed: Boolean?,
    val otherThan: Set<Int> = emptySet(),
    val delivered: Set<Long> = emptySet()
)

/** Leases records in order; `null` if none are available. */
internal fun QueueStore.lease(limits: LeaseLimits, lease: Long, tally: QueueTally): QueueLease? {
    database.execute("DELETE FROM leases WHERE expires <= ?", clock.steady())
    dropExpired(tally)
    val records = next(limits)
    if (records.isEmpty()) return null
    val expires = clock.steady() + configuration.leaseDuration
    for (record in records) {
        database.execute("INSERT INTO leases VALUES (?, ?, ?, ?)", record.id, lease, ownerId, expires)
    }
    return QueueLease(lease, records)
}

/** Reads the records that are next in turn and not leased. */
internal fun QueueStore.next(limits: LeaseLimits): List<LeasedRecord> {
    val records = mutableListOf<LeasedRecord>()
    var bytes = 0L
    val count = maxOf(limits.records, 1)
    for (priority in 3 downTo maxOf(limits.minimumPriority, 0)) {
        var isFull = false
        database.query(
            "SELECT id, kind, time, refusals, payload FROM records WHERE priority = ?" + conditions(limits) +
                " AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id AND expires > ?) " +
                "ORDER BY time, id LIMIT ?",
            priority, clock.steady(), count - records.size + limits.delivered.size
        ) {
            if (it.long(0) in limits.delivered) return@query true
            val payload = it.bytes(4)
            isFull = records.size >= count || records.isNotEmpty() && bytes + payload.size > limits.bytes
            if (!isFull) {
                bytes += payload.size
                records.add(
                    LeasedRecord(it.long(0), it.long(1).toInt(), priority, it.long(2), it.long(3).toInt(), payload)
                )
            }
            !isFull
        }
        if (isFull || records.size >= count) break
    }
    return records
}

private fun conditions(limits: LeaseLimits): String {
    val kind = limits.kind?.let { " AND kind = $it" } ?: ""
    val others = if (limits.otherThan.isEmpty()) "" else " AND kind NOT IN (${limits.otherThan.joinToString(",")})"
    return kind + others + when (limits.hasFailed) {
        true -> " AND refusals > 0"
        false -> " AND refusals = 0"
        null -> ""
    }
}

/**
 * Counts a failed attempt for records that no other lease holds; drops those that have failed too often, but none of
 * the highest priority.
 */
internal fun QueueStore.recordFailure(ids: Collection<Long>, lease: Long, tally: QueueTally) {
    end(lease, ids)
    for (list in QueueStore.lists(ids)) {
        val free = "id IN ($list) AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id)"
        database.execute("UPDATE records SET refusals = refusals + 1 WHERE $free")
        val spent = database.all(
            "SELECT id FROM records WHERE $free AND refusals > ? AND priority < 3",
            configuration.maximumFailedAttempts
        ) { it.long(0) }
        remove(spent, QueueDrop.RETRIES_EXHAUSTED.counter, tally)
    }
}

/** Ends a lease of records; leaves records that another lease holds unchanged. */
internal fun QueueStore.end(lease: Long, ids: Collection<Long>) {
    for (list in QueueStore.lists(ids)) {
        database.execute("DELETE FROM leases WHERE lease = ? AND record IN ($list)", lease)
    }
}
