package astrolabe.delivery

import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.Medium
import astrolabe.conditions.MemoryPressure
import astrolabe.conditions.NetworkPath
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.policy.CollectionPolicy
import astrolabe.policy.ModeTable
import astrolabe.policy.PolicyDecision
import astrolabe.policy.RemotePolicy
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueClock
import astrolabe.queue.QueueDrop
import astrolabe.queue.QueueRecord
import astrolabe.support.JdbcSql
import java.io.File
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class FlushSchedulerTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val executor = ManualExecutor()
    private val signals = ConditionsStore(
        Conditions(NetworkPath(Medium.WIFI), Power(0.8, PowerSource.UNPLUGGED), lifecycle = LifecycleState.ACTIVE)
    )
    private val queue by lazy { OfflineQueue(File(folder.root, "queue.db"), JdbcSql.opener) }
    private val sent = mutableListOf<List<Int>>()
    private val decisions = mutableListOf<PolicyDecision>()
    private var respond: (List<Int>) -> SendResult = { SendResult.Response(200) }

    private val scheduler by lazy {
        FlushScheduler(
            queue, signals, CollectionPolicy(), installedMemoryGB = 4.0, executor = executor,
            onDecision = { decisions.add(it) }, random = { 0.5 }
        ) { records ->
            val marks = records.map { it.payload[0].toInt() }
            sent.add(marks)
            respond(marks)
        }.also { it.start() }
    }

    @After
    fun close(): Unit = queue.close()

    private fun record(mark: Int, priority: Int = 1, kind: Int = 0): QueueRecord =
        QueueRecord(kind, priority, QueueClock.wall() + mark, byteArrayOf(mark.toByte()))

    @Test
    fun `records are sent when the interval of the policy has passed`() {
        scheduler.enqueue(listOf(record(1), record(2)))
        executor.advance(29.0)
        assertEquals(emptyList<List<Int>>(), sent)
        executor.advance(1.5)
        assertEquals(listOf(listOf(1, 2)), sent)
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `an exception of the app's sender loses no record and does not end the scheduler`() {
        respond = { throw IllegalStateException("no encoder") }
        scheduler.enqueue(listOf(record(1)))
        executor.advance(31.0)
        assertEquals(1, queue.statistics().records)
        respond = { SendResult.Response(200) }
        executor.advance(60.0)
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `records of different kinds go in different requests`() {
        scheduler.enqueue(listOf(record(1, kind = 0), record(2, kind = 1), record(3, kind = 0)))
        scheduler.flush()
        executor.advance(0.0)
        assertEquals(listOf(listOf(1, 3), listOf(2)), sent)
    }

    @Test
    fun `offline nothing is sent, and all of it at once when the network returns`() {
        scheduler.enqueue(listOf(record(1)))
        signals.update { it.copy(network = NetworkPath(Medium.OFFLINE)) }
        scheduler.enqueue(listOf(record(2, priority = 3)))
        executor.advance(600.0)
        assertEquals(emptyList<List<Int>>(), sent)
        signals.update { it.copy(network = NetworkPath(Medium.WIFI)) }
        executor.advance(0.0)
        assertEquals(listOf(listOf(2, 1)), sent)
    }

    @Test
    fun `a critical record is sent at once, and without the others where uploads are batched`() {
        signals.update { it.copy(network = NetworkPath(Medium.CELLULAR)) }
        scheduler.enqueue(listOf(record(1)))
        scheduler.enqueue(listOf(record(2, priority = 3)))
        executor.advance(0.0)
        assertEquals(listOf(listOf(2)), sent)
    }

    @Test
    fun `a failing collector costs no record a try, and is asked less and less often`() {
        respond = { SendResult.Response(503) }
        scheduler.enqueue(listOf(record(1)))
        executor.advance(3_600.0)
        assertEquals(0, queue.statistics().dropped.size)
        assert(sent.size in 12..60) { "${sent.size} attempts in an hour" }
        respond = { SendResult.Response(200) }
        executor.advance(400.0)
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `of a refused request only the record at fault stays, and is dropped after six tries`() {
        respond = { if (5 in it) SendResult.Response(400) else SendResult.Response(200) }
        scheduler.enqueue((1..9).map { record(it) })
        executor.advance(60.0)
        assertEquals(1, queue.statistics().records)
        assertEquals(8L, queue.statistics().acknowledged)
        executor.advance(5 * 301.0 + 120)
        assertEquals(0, queue.statistics().records)
        assertEquals(mapOf(QueueDrop.RETRIES_EXHAUSTED to 1L), queue.statistics().dropped)
        assertEquals(6, sent.count { it == listOf(5) })
    }

    @Test
    fun `a remote document changes the interval at once, and the app hears of it and of its end`() {
        scheduler.enqueue(listOf(record(1)))
        scheduler.follow(RemotePolicy(version = 12, flushIntervals = ModeTable(null, 90.0, null, null)))
        executor.advance(89.0)
        assertEquals(emptyList<List<Int>>(), sent)
        executor.advance(1.5)
        assertEquals(listOf(listOf(1)), sent)
        scheduler.enqueue(listOf(record(2)))
        scheduler.follow(null)
        executor.advance(30.5)
        assertEquals(listOf(listOf(1), listOf(2)), sent)
        assertEquals(listOf(null, 12L, null), decisions.map { it.remote?.version })
        assertEquals("Remote policy 12: flush every 90.0 seconds", decisions[1].reasons[1])
    }

    @Test
    fun `under critical memory pressure records are sent and the app hears of smaller buffers`() {
        scheduler.enqueue(listOf(record(1)))
        signals.update { it.copy(memory = MemoryPressure.WARNING) }
        executor.advance(0.0)
        assertEquals(emptyList<List<Int>>(), sent)
        signals.update { it.copy(memory = MemoryPressure.CRITICAL) }
        executor.advance(0.0)
        assertEquals(listOf(listOf(1)), sent)
        assertEquals(listOf(100, 50, 20), decisions.map { it.breadcrumbs })
    }
}

/** Runs all work when the test advances the time. */
private class ManualExecutor : FlushExecutor {
    private class Work(val time: Double, val body: () -> Unit)

    private var waiting = listOf<Work>()
    override var now = 1_000.0
        private set

    override fun execute(work: () -> Unit) {
        schedule(0.0, work)
    }

    override fun schedule(delay: Double, work: () -> Unit): () -> Unit {
        val entry = Work(now + delay, work)
        waiting = waiting + entry
        return { waiting = waiting - entry }
    }

    fun advance(seconds: Double) {
        val end = now + seconds
        while (true) {
            val next = waiting.filter { it.time <= end }.sortedBy { it.time }.firstOrNull() ?: break
            waiting = waiting - next
            now = maxOf(now, next.time)
            next.body()
        }
        now = end
    }
}
