package astrolabe.queue

import astrolabe.sql.all

/**
 * Drops expired records, except leased ones.
 *
 * A record is as old as it has waited: if the wall clock was set in the meantime, its time is corrected.
 */
internal fun QueueStore.dropExpired(tally: QueueTally) {
    val shift = clockWatch.shift()
    val now = clock.wall()
    if (now <= configuration.maximumAge) return
    val cutoff = now - configuration.maximumAge
    val shifted = cutoff - shift.nanoseconds
    for (priority in 0..3) {
        val ids = database.all(
            "SELECT id FROM records WHERE priority = ? AND time < ? " +
                "AND time < CASE WHEN id > ? THEN ? ELSE ? END " +
                "AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id)",
            priority, maxOf(cutoff, shifted), shift.lastId, cutoff, shifted
        ) { it.long(0) }
        remove(ids, QueueDrop.EXPIRED.counter, tally)
    }
}

/** Evicts records until the limits hold: lowest priority first, then oldest; never leased records. */
internal fun QueueStore.evictExcess(tally: QueueTally) {
    var (records, bytes) = excess(tally)
    for (priority in 0..3) {
        while (records > 0 || bytes > 0) {
            val oldest = oldest(priority, if (records > 0) records else 64)
            if (oldest.isEmpty()) break
            val evicted = mutableListOf<Long>()
            for ((id, size) in oldest) {
                if (records <= 0 && bytes <= 0) break
                evicted.add(id)
                records -= 1
                bytes -= size
            }
            remove(evicted, QueueDrop.EVICTED.counter, tally)
        }
    }
}

/** Returns by how much the sums, including this transaction's changes, exceed the limits. */
private fun QueueStore.excess(tally: QueueTally): Pair<Long, Long> {
    var records = -configuration.maximumRecords.toLong()
    var bytes = -configuration.maximumBytes
    database.query("SELECT records, bytes FROM totals") {
        records += it.long(0)
        bytes += it.long(1)
        true
    }
    for (change in tally.groups.values) {
        records += change.records
        bytes += change.bytes
    }
    return Pair(records, bytes)
}

private fun QueueStore.oldest(priority: Int, limit: Long): List<Pair<Long, Long>> = database.all(
    "SELECT id, length(payload) FROM records WHERE priority = ? " +
        "AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id) ORDER BY time, id LIMIT ?",
    priority, limit
) { Pair(it.long(0), it.long(1)) }
