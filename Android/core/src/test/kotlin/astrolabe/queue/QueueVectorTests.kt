package astrolabe.queue

import astrolabe.Vectors
import astrolabe.int
import astrolabe.ints
import astrolabe.list
import astrolabe.map
import astrolabe.sql.all
import astrolabe.sql.number
import astrolabe.support.JdbcSql
import astrolabe.text
import java.io.File
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class QueueVectorTests {
    @get:Rule
    val folder = TemporaryFolder()

    @Test
    fun `each script of calls leaves the rows, leases and counts that it leaves in Swift`() {
        val scripts = Vectors("queue").section("scripts").map { it.map }
        assertEquals(14, scripts.size)
        for ((index, script) in scripts.withIndex()) {
            val file = File(folder.root, "$index/queue.db")
            val replay = ScriptReplay(file, script["maximumFailedAttempts"].int)
            for ((number, step) in script["steps"].list.withIndex()) {
                val call = step.list
                val found = replay.run(call)
                assertEquals("script $index, step $number: $call", text(call.drop(1)), text(found))
            }
            replay.close()
        }
    }

    private fun text(values: List<Any?>): String = values.toString()
}

/** Repeats the calls of a script, and returns what the script has after each call's name. */
private class ScriptReplay(private val file: File, private val maximumFailedAttempts: Int) {
    private var wall = 1_000_000 * SECOND
    private var steady = 500 * SECOND
    private var queue = open()
    private val firstId = reading { it.number("SELECT last FROM ids") } + 1
    private val leases = mutableListOf<QueueLease>()

    private fun open(): OfflineQueue {
        val configuration = QueueConfiguration(
            maximumRecords = 10,
            maximumBytes = 300,
            maximumRecordBytes = 80,
            maximumAge = 20_000 * SECOND,
            maximumFailedAttempts = maximumFailedAttempts,
            leaseDuration = 60 * SECOND
        )
        return OfflineQueue(file, JdbcSql.opener, configuration, QueueClock({ steady }, { "boot" }))
            .also { it.maintain() }
    }

    fun close(): Unit = queue.close()

    fun run(call: List<Any?>): List<Any?> {
        val result = when (call[0].text) {
            "enqueue" -> listOf(call[1], enqueue(call[1].list.map { it.ints }))
            "lease" -> call.subList(1, 6) + lease(call)
            "acknowledge" -> {
                val ids = leases[call[1].int].ids
                call.subList(1, 3) + queue.acknowledge(call[2].ints.map { ids[it] })
            }
            "recordFailure" -> {
                val lease = leases[call[1].int]
                val receipt = queue.recordFailure(call[2].ints.map { lease.ids[it] }, lease)
                call.subList(1, 3) + listOf(dropped(receipt))
            }
            "release" -> {
                queue.release(leases[call[1].int])
                call.subList(1, 2)
            }
            "wait" -> {
                wall += call[1].int * SECOND
                steady += call[1].int * SECOND
                call.subList(1, 2)
            }
            "setClock" -> {
                wall += call[1].int * SECOND
                call.subList(1, 2)
            }
            "reopen" -> {
                queue.close()
                queue = open()
                emptyList()
            }
            else -> emptyList()
        }
        return result + listOf(state())
    }

    private fun enqueue(rows: List<List<Int>>): List<Int> {
        var number = (reading { it.number("SELECT last FROM ids") } - firstId).toInt()
        val records = rows.map { (kind, priority, later, size, failed) ->
            if (size <= 80) number += 1
            QueueRecord(kind, priority, wall + later * SECOND, ByteArray(size) { number.toByte() }, failed)
        }
        return dropped(queue.enqueue(records))
    }

    private fun lease(call: List<Any?>): List<Any?> {
        val lease = queue.lease(
            call[1].int, call[2].int.toLong(), (call[3] as Number?)?.toInt(), call[4].int, call[5] as Boolean?
        ) ?: return listOf(null)
        leases.add(lease)
        for (record in lease.records) {
            assertTrue(record.payload.all { it == (record.id - firstId).toByte() })
        }
        return listOf(lease.ids.map { number(it) })
    }

    private fun number(id: Long): Int = (id - firstId).toInt() + 1

    private fun dropped(receipt: QueueReceipt): List<Int> = QueueDrop.values().map { receipt.dropped[it] ?: 0 }

    private fun state(): List<Any?> {
        val statistics = queue.statistics()
        val rows = reading { database ->
            database.all(
                "SELECT id, kind, priority, length(payload), refusals, " +
                    "EXISTS (SELECT 1 FROM leases WHERE record = records.id) FROM records ORDER BY id"
            ) { row -> listOf(number(row.long(0))) + (1..5).map { row.long(it).toInt() } }
        }
        val counts = listOf(statistics.enqueued, statistics.acknowledged) +
            QueueDrop.values().map { statistics.dropped[it] ?: 0 }
        return listOf(rows, counts, statistics.bytes)
    }

    private fun <Result> reading(body: (astrolabe.sql.SqlDatabase) -> Result): Result {
        val database = JdbcSql.opener(file.path)
        try {
            return body(database)
        } finally {
            database.close()
        }
    }
}
