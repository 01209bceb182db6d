package astrolabe.queue

import astrolabe.support.JdbcSql
import java.io.File
import kotlin.random.Random

/**
 * The process that the kill test kills: enqueues, leases, acknowledges and records failures until it dies.
 *
 * It prints `enqueued FIRST` after each batch of ten has been stored, `removing NUMBER` before and `removed NUMBER`
 * after the acknowledgement of a record. The payload of a record is its number. With a negative first number it only
 * leases some records.
 */
internal object KillRole {
    const val BATCH = 10

    @JvmStatic
    fun main(arguments: Array<String>) {
        val queue = open(File(arguments[0]))
        val random = Random(arguments[1].toInt())
        var next = arguments[2].toLong()
        say("ready")
        if (next < 0) hold(queue)
        while (true) {
            val now = QueueClock.wall()
            queue.enqueue(List(BATCH) { QueueRecord(1, ((next + it) % 4).toInt(), now + it, payload(next + it)) })
            say("enqueued $next")
            next += BATCH
            val lease = queue.lease(1 + random.nextInt(60), Long.MAX_VALUE) ?: continue
            when (random.nextInt(4)) {
                0 -> queue.release(lease)
                1 -> queue.recordFailure(lease.ids.take(3), lease)
                else -> {
                    val numbers = lease.records.map { number(it.payload) }
                    for (number in numbers) say("removing $number")
                    queue.acknowledge(lease.ids)
                    for (number in numbers) say("removed $number")
                }
            }
        }
    }

    /** Leases four of ten records and does nothing more. */
    private fun hold(queue: OfflineQueue) {
        queue.enqueue(List(BATCH) { QueueRecord(1, 1, QueueClock.wall() + it, payload(it.toLong())) })
        val lease = queue.lease(4, Long.MAX_VALUE)
        say("leased ${lease?.records?.size}")
        Thread.currentThread().join()
    }

    fun open(file: File): OfflineQueue =
        OfflineQueue(file, JdbcSql.opener, QueueConfiguration(maximumFailedAttempts = Int.MAX_VALUE))

    fun payload(number: Long): ByteArray = number.toString().toByteArray()

    fun number(payload: ByteArray): Long = String(payload).toLong()

    private fun say(line: String) {
        // One system call a line, so that a line that was begun is complete.
        System.out.write((line + "\n").toByteArray())
        System.out.flush()
    }
}
