package astrolabe.delivery

import java.util.concurrent.CountDownLatch
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.ThreadFactory
import java.util.concurrent.TimeUnit

/** The thread and the clock of a [FlushScheduler], injected so that tests control the time. */
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
}

/** One daemon thread that does all work. */
public class ThreadFlushExecutor : FlushExecutor {
    private val threads = ScheduledThreadPoolExecutor(
        1,
        ThreadFactory { work -> Thread(work, "astrolabe.flush").apply { isDaemon = true } }
    )

    override val now: Double get() = System.nanoTime() / 1e9

    override fun execute(work: () -> Unit) {
        try {
            threads.execute { work() }
        } catch (_: RejectedExecutionException) {
            // The executor is closed. Records stay in the queue.
        }
    }

    override fun schedule(delay: Double, work: () -> Unit): () -> Unit = try {
        val future = threads.schedule(Runnable { work() }, (delay * 1_000).toLong(), TimeUnit.MILLISECONDS)
        val cancel: () -> Unit = { future.cancel(false) }
        cancel
    } catch (_: RejectedExecutionException) {
        {}
    }

    /** Finishes the work that [execute] was given, for at most [seconds], and ends the thread. Later work is ignored. */
    public fun close(seconds: Double = 5.0) {
        val finished = CountDownLatch(1)
        execute { finished.countDown() }
        finished.await((seconds * 1_000).toLong(), TimeUnit.MILLISECONDS)
        threads.shutdownNow()
    }
}
