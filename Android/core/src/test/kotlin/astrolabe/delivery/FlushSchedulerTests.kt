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
import java.io.IOException
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
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
    private val diagnostics = mutableListOf<String>()
    private var onDecision = {}
    private var respond: (List<Int>) -> SendResult = { SendResult.Response(200) }

    private val scheduler by lazy {
        FlushScheduler(
            queue, signals, CollectionPolicy(), installedMemoryGB = 4.0, executor = executor,
            onDecision = {
                decisions.add(it)
                onDecision()
            },
            random = { 0.5 }, onDiagnostic = { diagnostics.add(it) }
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
    fun `whatever the app's sender throws loses no record and does not end the scheduler`() {
        val failures = listOf(IllegalStateException(), IOException(), OutOfMemoryError(), InterruptedException())
        for ((mark, failure) in failures.withIndex()) {
            respond = { throw failure }
            sent.clear()
            scheduler.enqueue(listOf(record(mark)))
            executor.advance(31.0)
            assertTrue("$failure: no retry after the backoff, which is shorter than the interval", sent.size > 1)
            assertEquals("$failure", 1, queue.statistics().records)
            assertEquals("$failure", 0, queue.statistics().leased)
            respond = { SendResult.Response(200) }
            executor.advance(60.0)
            assertEquals("$failure", 0, queue.statistics().records)
        }
    }

    @Test
    fun `a callback that throws does not keep the timer from starting`() {
        onDecision = { throw IllegalStateException("no sampler") }
        scheduler.enqueue(listOf(record(1)))
        executor.advance(31.0)
        assertEquals(listOf(listOf(1)), sent)
        assertEquals(1, diagnostics.size)
        assertTrue(diagnostics.first(), "no sampler" in diagnostics.first())
    }

    @Test
    fun `after a stop nothing is sent and nothing starts again, until the app starts it`() {
        scheduler.enqueue(listOf(record(1)))
        scheduler.stop()
        scheduler.enqueue(listOf(record(2, priority = 3)))
        signals.update { it.copy(lifecycle = LifecycleState.BACKGROUND) }
        scheduler.flush()
        scheduler.follow(RemotePolicy(version = 1))
        executor.advance(3_600.0)
        assertEquals(emptyList<List<Int>>(), sent)
        assertEquals(2, queue.statistics().records)
        signals.update { it.copy(lifecycle = LifecycleState.ACTIVE) }
        scheduler.start()
        executor.advance(31.0)
        assertEquals(listOf(listOf(2, 1)), sent)
    }

    @Test
    fun `a stop during a request lets no other request follow`() {
        respond = {
            scheduler.stop()
            SendResult.Response(200)
        }
        scheduler.enqueue(listOf(record(1, kind = 0), record(2, kind = 1)))
        executor.advance(3_600.0)
        assertEquals(listOf(listOf(1)), sent)
        assertEquals(1, queue.statistics().records)
        assertEquals(0, queue.statistics().leased)
    }

    @Test
    fun `a request without a response in time is sent again with half of its records`() {
        respond = { if (it.size > 2) SendResult.TimedOut else SendResult.Response(200) }
        scheduler.enqueue((1..10).map { record(it) })
        executor.advance(120.0)
        assertEquals(listOf(10, 5, 2), sent.take(3).map { it.size })
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `a server that refuses everything is at fault itself, and two records bear its refusals`() {
        respond = { SendResult.Response(400) }
        scheduler.enqueue((1..20).map { record(it) })
        executor.advance(30.5)
        assertEquals(2, sent.count { it.size == 1 })
        respond = { SendResult.Response(200) }
        executor.advance(120.0)
        assertEquals(18L, queue.statistics().acknowledged)
        executor.advance(301.0)
        assertEquals(20L, queue.statistics().acknowledged)
    }

    @Test
    fun `a sender that hangs holds its own kind, and what it returns at last counts`() {
        executor.hangs = true
        scheduler.enqueue(listOf(record(1, priority = 2, kind = 0), record(2, kind = 1), record(3, kind = 2)))
        scheduler.flush()
        executor.advance(0.0)
        assertEquals(listOf(listOf(2), listOf(3)), sent)
        scheduler.enqueue(listOf(record(4, priority = 2, kind = 0), record(5, kind = 1)))
        executor.advance(3_600.0)
        assertEquals(listOf(listOf(2), listOf(3), listOf(5)), sent)
        assertEquals(1, diagnostics.size)
        executor.finish()
        executor.advance(31.0)
        assertEquals(listOf(listOf(1), listOf(4)), sent.drop(3))
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `records of a sender that hangs and then fails are sent again`() {
        executor.hangs = true
        respond = { SendResult.Response(503) }
        scheduler.enqueue(listOf(record(1)))
        executor.advance(31.0)
        executor.finish()
        respond = { SendResult.Response(200) }
        executor.advance(31.0)
        assertEquals(listOf(listOf(1), listOf(1)), sent)
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `a refused record whose sender hangs is settled by what the sender returns at last`() {
        respond = { SendResult.Response(400) }
        scheduler.enqueue(listOf(record(1), record(2)))
        executor.advance(31.0)
        respond = { SendResult.Response(200) }
        executor.hangs = true
        executor.advance(400.0)
        assertEquals(0L, queue.statistics().acknowledged)
        executor.finish()
        executor.advance(400.0)
        assertEquals(2L, queue.statistics().acknowledged)
        assertEquals(0, queue.statistics().records)
    }

    @Test
    fun `conditions that change before the start count`() {
        val early = FlushScheduler(queue, signals, CollectionPolicy(), 4.0, executor) { SendResult.Response(200) }
        signals.update { it.copy(network = NetworkPath(Medium.OFFLINE)) }
        early.enqueue(listOf(record(1)))
        early.start()
        executor.advance(600.0)
        assertEquals(1, queue.statistics().records)
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
        executor.advance(0.0)
        signals.update { it.copy(memory = MemoryPressure.WARNING) }
        executor.advance(0.0)
        assertEquals(emptyList<List<Int>>(), sent)
        signals.update { it.copy(memory = MemoryPressure.CRITICAL) }
        executor.advance(0.0)
        assertEquals(listOf(listOf(1)), sent)
        assertEquals(listOf(100, 50, 20), decisions.map { it.breadcrumbs })
    }
}
