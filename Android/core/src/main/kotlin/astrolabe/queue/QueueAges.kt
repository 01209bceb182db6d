package astrolabe.queue

import astrolabe.sql.SqlDatabase
import astrolabe.sql.all
import astrolabe.sql.number

/**
 * The time for which records have certainly waited, by the monotonic clock alone.
 *
 * No wall clock is read, so one that is set, or wrong at a start, makes no record older. Within a boot the monotonic
 * clock says what has passed, in whichever process. Of the time between two boots only the time since the later one is
 * certain, and nothing else counts.
 *
 * @property process A name for the readings of this process, if the boot is not known.
 */
internal class QueueAges(
    private val database: SqlDatabase,
    private val clock: QueueClock,
    private val process: String,
    private val maximumAge: Long
) {
    private class Reading(val steady: Long, val boot: String, val isBootKnown: Boolean) {
        /** The nanoseconds that have passed for certain since an earlier reading. */
        fun certain(since: Reading): Long = when {
            boot == since.boot -> maxOf(steady - since.steady, 0L)
            isBootKnown && since.isBootKnown -> steady
            else -> 0L
        }
    }

    private class Known(val age: Long, val reading: Reading)

    /** Notes when the records arrive whose ids follow [id]. Those of an hour of seven days count as one arrival. */
    fun noteArrival(id: Long) {
        val age = age()
        val last = database.all("SELECT age FROM arrivals ORDER BY age DESC LIMIT 1") { it.long(0) }.firstOrNull()
        if (last != null && age - last < maxOf(maximumAge / 168, 1L)) return
        database.execute("INSERT INTO arrivals VALUES (?, ?)", age, id)
    }

    /** Returns the last id of the records that have waited too long; `null` if none has. */
    fun lastExpired(): Long? {
        val oldest = age() - maximumAge
        if (database.number("SELECT count(*) FROM arrivals WHERE age < ?", oldest) == 0L) return null
        val next = database.all("SELECT last_before FROM arrivals WHERE age >= ? ORDER BY age LIMIT 1", oldest) {
            it.long(0)
        }
        return next.firstOrNull() ?: Long.MAX_VALUE
    }

    /** Forgets the arrivals of the records up to [last], as [lastExpired] has returned it. */
    fun forgetExpired(last: Long) {
        database.execute("DELETE FROM arrivals WHERE last_before < ?", last)
    }

    /** The nanoseconds for which the queue has existed for certain. Writes them once a minute. */
    private fun age(): Long {
        val boot = clock.boot()
        val now = Reading(clock.steady(), if (boot == "") process else boot, boot != "")
        val known = database.all("SELECT age, steady, boot, is_boot_known FROM ages LIMIT 1") {
            Known(it.long(0), Reading(it.long(1), it.text(2), it.long(3) == 1L))
        }.firstOrNull()
        if (known == null) {
            begin(now)
            return 0
        }
        val passed = now.certain(known.reading)
        val isContinued = now.boot == known.reading.boot && now.steady >= known.reading.steady
        if (!isContinued || passed >= 60 * SECOND) write(known.age + passed, now)
        return known.age + passed
    }

    /** The age of records that an earlier version has stored begins now. */
    private fun begin(now: Reading) {
        if (database.number("SELECT count(*) FROM records") > 0) {
            database.execute("INSERT INTO arrivals VALUES (?, ?)", 0L, Long.MIN_VALUE)
        }
        write(0, now)
    }

    private fun write(age: Long, now: Reading) {
        database.execute("DELETE FROM ages")
        database.execute(
            "INSERT INTO ages VALUES (?, ?, ?, ?)", age, now.steady, now.boot, if (now.isBootKnown) 1L else 0L
        )
    }
}
