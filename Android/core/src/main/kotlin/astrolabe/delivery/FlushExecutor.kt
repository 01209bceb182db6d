package astrolabe.delivery

import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.ThreadFactory
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

/** The threads and the clock of a [FlushScheduler], injected so that tests control the time. */
public interface FlushExecutor {
    /** Seconds on a monotonic clock. */
    public val now: Double

    /** Runs [work] soon. All work runs one after the other. */
    public fun execute(work: () -> Unit)

    /**
     * Runs [work] after some seconds.
     *
     * @return A function that cancels it.
     */
    public fun schedule(delay: Double, work: () -> Unit): () -> Unit

    /**
     * Runs [work], which may hang but not throw, and waits for its result.
     *
     * @param late Called with a result that comes after [seconds], as other work is.
     * @return The result; `null` if there is none after [seconds].
     */
    public fun <Result : Any> call(seconds: Double, work: () -> Result, late: (Result) -> Unit): Result? = work()
}

/** One daemon thread that does all work, and others for what may hang. */
public class ThreadFlushExecutor : FlushExecutor {
    private val threads = ScheduledThreadPoolExecutor(1, daemons("astrolabe.flush"))

    /** One thread, and one more for each call that hangs. */
    private val callers = Executors.newCachedThreadPool(daemons("astrolabe.send"))

    override val now: Double get() = System.nanoTime() / 1e9

    override fun execute(work: () -> Unit) {
        try {
            threads.execute { work() }
        } catch (_: RejectedExecutionException) {
            // The executor is closed. Records stay in the queue.
        }
    }

    override fun schedule(delay: Double, work: () -> Unit): () -> Unit = try {
        val future = threads.schedule(Runnable { work() }, milliseconds(delay), TimeUnit.MILLISECONDS)
        val cancel: () -> Unit = { future.cancel(false) }
        cancel
    } catch (_: RejectedExecutionException) {
        {}
    }

    override fun <Result : Any> call(seconds: Double, work: () -> Result, late: (Result) -> Unit): Result? {
        val results = ArrayBlockingQueue<Result>(1)
        val isDecided = AtomicBoolean()
        callers.execute {
            val result = work()
            if (isDecided.compareAndSet(false, true)) results.add(result) else execute { late(result) }
        }
        val result: Result? = results.poll(milliseconds(seconds), TimeUnit.MILLISECONDS)
        if (result != null) return result
        return if (isDecided.compareAndSet(false, true)) null else results.take()
    }

    /** Finishes the work that [execute] was given, for at most [seconds], and ends all threads. Ignores later work. */
    public fun close(seconds: Double = 5.0) {
        val finished = CountDownLatch(1)
        execute { finished.countDown() }
        finished.await(milliseconds(seconds), TimeUnit.MILLISECONDS)
        threads.shutdownNow()
        callers.shutdownNow()
    }

    private fun milliseconds(seconds: Double): Long = (seconds * 1_000).toLong()

    private fun daemons(name: String): ThreadFactory =
        ThreadFactory { work -> Thread(work, name).apply { isDaemon = true } }
}
