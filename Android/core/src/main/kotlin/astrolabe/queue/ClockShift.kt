package astrolabe.queue

import astrolabe.sql.SqlDatabase

/** A reading of both clocks. */
internal data class ClockReading(val wall: Long, val steady: Long, val boot: String) {
    constructor(clock: QueueClock) : this(clock.wall(), clock.steady(), clock.boot())

    /**
     * The nanoseconds by which the wall clock was set forward since an earlier reading; negative if it was set back.
     *
     * Returns 0 for less than an hour, and if the readings are of different boots.
     */
    fun adjustment(since: ClockReading): Long {
        if (boot == "" || boot != since.boot || steady < since.steady) return 0
        val adjustment = wall - since.wall - (steady - since.steady)
        return if (adjustment >= HOUR || adjustment <= -HOUR) adjustment else 0
    }

    private companion object {
        const val HOUR = 3_600 * SECOND
    }
}

/**
 * By how much the times of records differ from the wall clock, because it was set after they were enqueued.
 *
 * @property lastId The last id that the shift applies to.
 * @property nanoseconds To add to a record's time.
 */
internal data class ClockShift(val lastId: Long = 0, val nanoseconds: Long = 0)

/** Notices if the wall clock was set since the last call, in this process or another of the same boot. */
internal class ClockWatch(private val database: SqlDatabase, private val clock: QueueClock) {
    private data class State(val reading: ClockReading, val shift: ClockShift)

    private var known: State? = null

    /** Forgets what a transaction that failed has read. */
    fun reset() {
        known = null
    }

    /** Returns the shift of waiting records. */
    fun shift(): ClockShift {
        val now = ClockReading(clock)
        known?.let {
            val isRecent = now.steady >= it.reading.steady && now.steady - it.reading.steady < 60 * SECOND
            if (it.reading.boot == now.boot && now.adjustment(it.reading) == 0L && isRecent) return it.shift
        }
        val stored = stored() ?: State(now, ClockShift())
        val adjustment = now.adjustment(stored.reading)
        val shift = if (adjustment == 0L) stored.shift else shifted(stored.shift, adjustment)
        val state = State(now, shift)
        known = state
        database.execute("DELETE FROM clock")
        database.execute(
            "INSERT INTO clock VALUES (?, ?, ?, ?, ?)",
            now.wall, now.steady, now.boot, shift.lastId, shift.nanoseconds
        )
        return shift
    }

    private fun shifted(shift: ClockShift, adjustment: Long): ClockShift {
        var hasShifted = false
        database.query("SELECT 1 FROM records WHERE id <= ? LIMIT 1", shift.lastId) {
            hasShifted = true
            false
        }
        var lastId = 0L
        database.query("SELECT last FROM ids") {
            lastId = it.long(0)
            false
        }
        return ClockShift(lastId, (if (hasShifted) shift.nanoseconds else 0) + adjustment)
    }

    private fun stored(): State? {
        var state: State? = null
        database.query("SELECT wall, steady, boot, last_id, shift FROM clock") {
            state = State(ClockReading(it.long(0), it.long(1), it.text(2)), ClockShift(it.long(3), it.long(4)))
            false
        }
        return state
    }
}
