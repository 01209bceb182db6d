package astrolabe.delivery

import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import astrolabe.policy.CollectionPolicy
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueClock
import astrolabe.queue.QueueRecord
import astrolabe.support.JdbcSql
import java.io.File
import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicBoolean
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

/** Real threads. The long times are for a machine that is busy; none of them passes. */
class ThreadFlushExecutorTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val executor = ThreadFlushExecutor()
    private val opened = ConcurrentLinkedQueue<String>()
    private val signals = ConditionsStore(Conditions(NetworkPath(Medium.WIFI), lifecycle = LifecycleState.ACTIVE))
    private val queue = OfflineQueue({
        opened.add(Thread.currentThread().name)
        File(folder.root, "queue.db")
    }, JdbcSql.opener)
    private var respond: () -> SendResult = { SendResult.Response(200) }
    private val scheduler =
        FlushScheduler(queue, signals, CollectionPolicy(), 4.0, executor, sendTimeout = LONG) { respond() }

    private fun record(): QueueRecord = QueueRecord(0, 1, QueueClock.wall(), ByteArray(1))

    @After
    fun close() {
        executor.close(seconds = 0.0)
        queue.close()
    }

    @Test
    fun `the queue is opened on the executor's thread`() {
        scheduler.start()
        assertTrue(scheduler.flushAndWait(LONG))
        assertEquals(listOf("astrolabe.flush"), opened.toList())
    }

    @Test
    fun `waiting for a flush says whether all was delivered`() {
        scheduler.start()
        scheduler.enqueue(listOf(record()))
        respond = { SendResult.Response(503) }
        assertFalse(scheduler.flushAndWait(LONG))
        respond = { SendResult.Response(200) }
        assertTrue(scheduler.flushAndWait(LONG))
        assertEquals(0, queue.statistics().records)
        signals.update { it.copy(network = NetworkPath(Medium.OFFLINE)) }
        scheduler.enqueue(listOf(record()))
        assertFalse(scheduler.flushAndWait(LONG))
        scheduler.stop()
        assertFalse(scheduler.flushAndWait(LONG))
    }

    @Test
    fun `waiting for a flush ends in time if the sender does not`() {
        val end = CountDownLatch(1)
        respond = {
            end.await()
            SendResult.Response(200)
        }
        scheduler.enqueue(listOf(record()))
        assertFalse(scheduler.flushAndWait(0.05))
        end.countDown()
        assertTrue(scheduler.flushAndWait(LONG))
    }

    @Test
    fun `a call that hangs leaves the executor to others, and its result arrives late`() {
        val end = CountDownLatch(1)
        val late = ArrayBlockingQueue<String>(1)
        val work = {
            end.await()
            "done"
        }
        assertNull(executor.call(0.02, work) { late.add(it + " on " + Thread.currentThread().name) })
        assertEquals("next", executor.call(LONG, { "next" }) {})
        end.countDown()
        assertEquals("done on astrolabe.flush", late.take())
    }

    @Test
    fun `closing the executor waits for the work that it was given`() {
        val begun = CountDownLatch(1)
        val end = CountDownLatch(1)
        val isFinished = AtomicBoolean()
        executor.execute {
            begun.countDown()
            end.await()
        }
        executor.execute { isFinished.set(true) }
        begun.await()
        Thread { end.countDown() }.start()
        executor.close(LONG)
        assertTrue(isFinished.get())
    }

    private companion object {
        const val LONG = 600.0
    }
}
