package astrolabe.queue

import astrolabe.sql.all
import astrolabe.sql.number

/** Drops records that have waited too long, except leased ones. */
internal fun QueueStore.dropExpired(tally: QueueTally) {
    val last = ages.lastExpired() ?: return
    val ids = database.all(
        "SELECT id FROM records WHERE id <= ? AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id)", last
    ) { it.long(0) }
    remove(ids, QueueDrop.EXPIRED.counter, tally)
    if (database.number("SELECT count(*) FROM records WHERE id <= ?", last) == 0L) ages.forgetExpired(last)
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
