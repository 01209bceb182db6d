package astrolabe.otel

import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueDrop
import astrolabe.support.JdbcSql
import astrolabe.wire.ProtobufReader
import com.sun.net.httpserver.HttpServer
import java.io.File
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentHashMap
import java.util.zip.GZIPInputStream
import kotlin.random.Random
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

/** A process that exports is killed after a random number of batches, 5 times or, in a thorough run, 50 times. */
class ExportKillTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val kills = if (System.getenv("ASTROLABE_THOROUGH") != null) 50 else 5

    /** How often the collector has accepted each record. */
    private val delivered = ConcurrentHashMap<Long, Int>()
    private val random = Random(58)
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        createContext("/") { exchange ->
            val numbers = numbers(GZIPInputStream(exchange.requestBody).readBytes())
            val isBusy = random.nextInt(10) == 0
            if (!isBusy) for (number in numbers) delivered.merge(number, 1) { old, new -> old + new }
            exchange.sendResponseHeaders(if (isBusy) 503 else 200, -1)
            exchange.close()
        }
        start()
    }
    private val collector = "http://127.0.0.1:${server.address.port}"

    @After
    fun stop(): Unit = server.stop(0)

    private fun numbers(request: ByteArray): List<Long> {
        val numbers = mutableListOf<Long>()
        fields(request, 1) { resource ->
            fields(resource, 2) { scope ->
                fields(scope, 2) { record -> fields(record, 12) { numbers.add(String(it).toLong()) } }
            }
        }
        return numbers
    }

    private fun fields(message: ByteArray, number: Long, read: (ByteArray) -> Unit): Unit =
        ProtobufReader(message, "a request").forEach { if (it.number == number) read(it.bytes) }

    @Test
    fun `no record whose export succeeded is lost by kills, with a collector that is busy at times`() {
        val file = File(folder.root, "queue.db")
        val confirmed = HashSet<Long>()
        var next = 0L
        for (round in 0 until kills) {
            for (line in killed(file, round, next)) {
                val first = line.removePrefix("confirmed ").toLongOrNull() ?: continue
                for (offset in 0 until ExportKillRole.BATCH) confirmed.add(first + offset)
            }
            // The process may have exported one more batch than it could say.
            next = confirmed.fold(next) { a, b -> maxOf(a, b + 1) } + ExportKillRole.BATCH
        }
        val queue = OfflineQueue(file, JdbcSql.opener)
        for (attempt in 0 until 100) {
            if (queue.statistics().records == 0) break
            // A new scheduler has no backoff.
            ExportKillRole.delivery(queue, collector).scheduler.flushAndWait(seconds = 60.0)
        }
        val statistics = queue.statistics()
        assertEquals("$statistics", 0, statistics.records)
        assertTrue("$statistics", statistics.isBalanced)
        assertEquals(emptyMap<QueueDrop, Long>(), statistics.dropped)
        assertEquals("lost", emptySet<Long>(), confirmed - delivered.keys)
        val twice = delivered.filterValues { it > 1 }.size
        println("$kills kills: ${confirmed.size} records confirmed, ${delivered.size} delivered, $twice of them twice.")
        assertTrue("${confirmed.size} records", confirmed.size >= kills * ExportKillRole.BATCH)
    }

    /** Starts the process, kills it once it has printed some lines, and returns all that it has printed. */
    private fun killed(file: File, round: Int, next: Long): List<String> {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val command = listOf(
            java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-classpath",
            System.getProperty("java.class.path"), "astrolabe.otel.ExportKillRole", file.path, collector, "$next"
        )
        val process = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        val output = process.inputStream.bufferedReader()
        assertEquals("ready", output.readLine())
        val lines = List(Random(round).nextInt(1, 100)) { output.readLine() }
        // Java's own way to end a process would close the pipe with what the process has printed last.
        ProcessBuilder("kill", "-KILL", process.pid().toString()).start().waitFor()
        val rest = output.readText()
        process.waitFor()
        return lines + rest.substringBeforeLast('\n', "").split('\n')
    }
}
