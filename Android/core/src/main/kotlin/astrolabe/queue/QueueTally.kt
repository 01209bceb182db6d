package astrolabe.queue

/** The changes of one transaction to the sums, collected row by row and written once at its end. */
internal class QueueTally {
    data class Group(val kind: Int, val priority: Int)

    class Sum(var records: Int = 0, var bytes: Long = 0)

    val groups = LinkedHashMap<Group, Sum>()
    val counters = LinkedHashMap<String, Long>()

    fun enter(group: Group, records: Int, bytes: Long) {
        val sum = groups.getOrPut(group) { Sum() }
        sum.records += records
        sum.bytes += bytes
    }

    fun leave(group: Group, records: Int, bytes: Long, counter: String) {
        enter(group, -records, -bytes)
        count(counter, records)
    }

    fun count(counter: String, difference: Int) {
        if (difference != 0) counters[counter] = (counters[counter] ?: 0) + difference
    }

    val dropped: Map<QueueDrop, Int>
        get() = QueueDrop.values().associate { it to (counters[it.counter] ?: 0L).toInt() }.filterValues { it > 0 }
}
