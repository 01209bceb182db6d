package astrolabe.queue

import java.io.File
import kotlin.random.Random
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

/** A process that uses the queue is killed after a random number of lines, 5 times or, in a thorough run, 200 times. */
class KillTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val kills = if (System.getenv("ASTROLABE_THOROUGH") != null) 200 else 5

    @Test
    fun `the queue is consistent after each kill, nothing is lost, and nothing acknowledged is sent again`() {
        val file = File(folder.root, "queue.db")
        val stored = HashSet<Long>()
        val removing = HashSet<Long>()
        val removed = HashSet<Long>()
        var next = 0L
        for (round in 0 until kills) {
            val lines = killed(file, round, next)
            for ((word, number) in lines.map { it.split(" ") }.filter { it.size == 2 }) {
                when (word) {
                    "enqueued" -> for (offset in 0 until KillRole.BATCH) stored.add(number.toLong() + offset)
                    "removing" -> removing.add(number.toLong())
                    "removed" -> removed.add(number.toLong())
                }
            }
            val queue = KillRole.open(file)
            val statistics = queue.statistics()
            assertTrue("kill $round: $statistics", statistics.isBalanced)
            assertEquals("kill $round", 0, statistics.leased)
            val lease = queue.lease(100_000, Long.MAX_VALUE)
            val numbers = lease?.records?.map { KillRole.number(it.payload) } ?: emptyList()
            assertEquals("kill $round", numbers.size, numbers.toSet().size)
            assertEquals("kill $round", statistics.records, numbers.size)
            // Sent twice: a record whose acknowledgement had returned comes back.
            assertEquals("kill $round", emptySet<Long>(), removed.intersect(numbers))
            // Lost: a stored record that is neither in the queue nor acknowledged. The limits drop none here.
            assertEquals("kill $round", emptyMap<QueueDrop, Long>(), statistics.dropped)
            assertEquals("kill $round", emptySet<Long>(), stored - removing - numbers)
            val acknowledged = statistics.acknowledged
            assertTrue("kill $round", removed.size <= acknowledged && acknowledged <= removing.size)
            // The process may have stored one more batch than it could say, so those numbers are not used again.
            next = stored.fold(next) { a, b -> maxOf(a, b + 1) } + KillRole.BATCH
            lease?.let { queue.release(it) }
            queue.close()
        }
        assertTrue("the process stored ${stored.size} records", stored.size >= kills * KillRole.BATCH)
    }

    @Test
    fun `a living process keeps its leases, and a killed one does not`() {
        val file = File(folder.root, "queue.db")
        val process = started(file, 0, -1)
        val output = process.inputStream.bufferedReader()
        assertEquals(listOf("ready", "leased 4"), listOf(output.readLine(), output.readLine()))
        val queue = KillRole.open(file)
        assertEquals(4, queue.statistics().leased)
        assertEquals(6, queue.lease(100, Long.MAX_VALUE)?.records?.size)
        kill(process)
        process.waitFor()
        // The next one to open the queue sees who is alive.
        val next = KillRole.open(file)
        assertEquals(4, next.lease(100, Long.MAX_VALUE)?.records?.size)
        next.close()
        queue.close()
    }

    /** Starts the process, kills it once it has printed some lines, and returns all that it has printed. */
    private fun killed(file: File, round: Int, next: Long): List<String> {
        val process = started(file, round, next)
        val output = process.inputStream.bufferedReader()
        assertEquals("ready", output.readLine())
        val lines = List(Random(round).nextInt(1, 300)) { output.readLine() }
        kill(process)
        val text = output.readText()
        assertEquals(SIGKILL_STATUS, process.waitFor())
        return lines + text.substringBeforeLast('\n', "").split('\n')
    }

    private fun started(file: File, round: Int, next: Long): Process {
        val java = File(System.getProperty("java.home"), "bin/java").path
        // A quick start matters more than quick code.
        val command = listOf(
            java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-classpath",
            System.getProperty("java.class.path"), "astrolabe.queue.KillRole", file.path, "$round", "$next"
        )
        return ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    }

    /** Java's own way to end a process would close the pipe with what the process has printed last. */
    private fun kill(process: Process) {
        ProcessBuilder("kill", "-KILL", process.pid().toString()).start().waitFor()
    }

    private companion object {
        /** 128 and the number of the signal. */
        const val SIGKILL_STATUS = 137
    }
}
