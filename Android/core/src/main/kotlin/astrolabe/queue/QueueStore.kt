package astrolabe.queue

import astrolabe.sql.SqlDatabase
import astrolabe.sql.SqlException
import astrolabe.sql.SqlFailure
import astrolabe.sql.all
import astrolabe.sql.number
import java.io.File
import kotlin.random.Random

/** One open database: its connection, its owner, and its transactions. Not safe for concurrent use. */
internal class QueueStore(
    val database: SqlDatabase,
    file: File,
    val configuration: QueueConfiguration,
    val clock: QueueClock
) {
    private val owner: QueueOwner
    val ages: QueueAges
    var ownerId = 0L
        private set

    init {
        val version = database.number("PRAGMA user_version")
        if (version > QueueSchema.VERSION) {
            throw SqlException(
                SqlFailure.OTHER,
                "the queue at $file has schema $version; expected at most ${QueueSchema.VERSION}. Update the app."
            )
        }
        owner = QueueOwner.create(file)
        ages = QueueAges(database, clock, owner.name, configuration.maximumAge)
        try {
            prepare(file)
        } catch (failure: SqlException) {
            owner.release()
            throw failure
        }
    }

    private fun prepare(file: File) {
        database.transaction {
            if (database.number("PRAGMA user_version") == 0L) {
                for (statement in QueueSchema.statements) database.execute(statement)
                // A random start: if this file replaces a damaged one, ids in use must not be assigned again.
                database.execute("INSERT INTO ids VALUES (?)", Random.nextLong(1L shl 48))
            }
            for (statement in QueueSchema.ages) database.execute(statement)
            endLeasesOfDeadOwners(file)
            database.execute("INSERT INTO owners (name) VALUES (?)", owner.name)
            ownerId = database.number("SELECT last_insert_rowid()")
        }
    }

    private fun endLeasesOfDeadOwners(file: File) {
        val known = database.all("SELECT id, name FROM owners") { Pair(it.long(0), it.text(1)) }
        for ((id, name) in known) if (QueueOwner.isDead(name, file)) removeOwner(id)
        val names = known.map { it.second }
        for (name in QueueOwner.all(file)) if (name !in names) QueueOwner.isDead(name, file)
    }

    private fun removeOwner(id: Long) {
        database.execute("DELETE FROM leases WHERE owner = ?", id)
        database.execute("DELETE FROM owners WHERE id = ?", id)
    }

    /** Releases this owner's leases and closes the connection. */
    fun close(isDamaged: Boolean = false) {
        try {
            if (!isDamaged) database.transaction { removeOwner(ownerId) }
        } catch (_: SqlException) {
            // The next process ends the leases of an owner whose file is not locked.
        }
        owner.release()
        database.close()
    }

    /** Runs [body] in one transaction, committed with its tally, or rolled back on any failure. */
    fun <Result> transaction(body: (QueueTally) -> Result): Result = database.transaction {
        val tally = QueueTally()
        val result = body(tally)
        write(tally)
        result
    }

    private fun write(tally: QueueTally) {
        for ((group, sum) in tally.groups) {
            if (sum.records == 0 && sum.bytes == 0L) continue
            val (kind, priority) = group
            database.execute("INSERT OR IGNORE INTO totals VALUES (?, ?, 0, 0)", kind, priority)
            database.execute(
                "UPDATE totals SET records = records + ?, bytes = bytes + ? WHERE kind = ? AND priority = ?",
                sum.records, sum.bytes, kind, priority
            )
        }
        for ((name, difference) in tally.counters) add(difference, name)
    }

    fun add(difference: Long, counter: String) {
        database.execute("INSERT OR IGNORE INTO ledger VALUES (?, 0)", counter)
        database.execute("UPDATE ledger SET value = value + ? WHERE name = ?", difference, counter)
    }

    /** Removes records with their leases, counts them under [counter], and returns how many there were. */
    fun remove(ids: Collection<Long>, counter: String, tally: QueueTally): Int {
        var count = 0
        for (list in lists(ids)) {
            val sums = "SELECT kind, priority, count(*), sum(length(payload)) FROM records " +
                "WHERE id IN ($list) GROUP BY kind, priority"
            database.query(sums) {
                val records = it.long(2).toInt()
                val group = QueueTally.Group(it.long(0).toInt(), it.long(1).toInt())
                tally.leave(group, records, it.long(3), counter)
                count += records
                true
            }
            database.execute("DELETE FROM records WHERE id IN ($list)")
            database.execute("DELETE FROM leases WHERE record IN ($list)")
        }
        return count
    }

    fun statistics(): QueueStatistics {
        var records = 0
        var bytes = 0L
        val byKind = HashMap<Int, Int>()
        val byPriority = HashMap<Int, Int>()
        database.query("SELECT kind, priority, records, bytes FROM totals WHERE records > 0") {
            val (kind, priority) = Pair(it.long(0).toInt(), it.long(1).toInt())
            val count = it.long(2).toInt()
            records += count
            bytes += it.long(3)
            byKind[kind] = (byKind[kind] ?: 0) + count
            byPriority[priority] = (byPriority[priority] ?: 0) + count
            true
        }
        val times = byPriority.keys.map { database.number("SELECT min(time) FROM records WHERE priority = ?", it) }
        val counters = database.all("SELECT name, value FROM ledger") { Pair(it.text(0), it.long(1)) }.toMap()
        val leased = database.number("SELECT count(*) FROM leases").toInt()
        return QueueStatistics(records, bytes, byKind, byPriority, leased, times.sorted().firstOrNull(), counters)
    }

    companion object {
        private const val IDS_PER_STATEMENT = 500

        /** Ids as the text of SQL lists. Numbers need no quoting, and SQLite of API 24 has no JSON functions. */
        fun lists(ids: Collection<Long>): List<String> = ids.chunked(IDS_PER_STATEMENT).map { it.joinToString(",") }
    }
}
