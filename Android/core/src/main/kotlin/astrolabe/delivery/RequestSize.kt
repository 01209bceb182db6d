package astrolabe.delivery

/**
 * How many records a request carries.
 *
 * It is halved if the server refuses a request or does not respond in time, and doubled after successes. While records
 * of a refused request remain, requests do not grow, so that halving finds the record at fault.
 */
internal class RequestSize(private val maximum: Int) {
    private var size = maximum
    private var suspects = 0

    /** The records of the next request; few if the last one failed. */
    fun records(failures: Int): Int = if (failures > 0) minOf(size, PROBE) else size

    fun succeeded(count: Int) {
        suspects = maxOf(0, suspects - count)
        if (suspects == 0) size = minOf(size * 2, maximum)
    }

    /** A request of several records was refused. */
    fun refused(count: Int) {
        suspects = count
        size = maxOf(1, minOf(size, count) / 2)
    }

    /** The record at fault was found. */
    fun found() {
        suspects = maxOf(0, suspects - 1)
    }

    fun timedOut(count: Int) {
        size = maxOf(1, minOf(size, count) / 2)
    }

    private companion object {
        /** The most records of a request that finds out whether the server has recovered. */
        const val PROBE = 16
    }
}
