package astrolabe.delivery

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
        threads.execute { work() }
    }

    override fun schedule(delay: Double, work: () -> Unit): () -> Unit {
        val future = threads.schedule(Runnable { work() }, (delay * 1_000).toLong(), TimeUnit.MILLISECONDS)
        return { future.cancel(false) }
    }

    /** Ends the thread; waits for its work for at most [seconds]. Later work throws. */
    public fun close(seconds: Double = 5.0) {
        threads.shutdown()
        threads.awaitTermination((seconds * 1_000).toLong(), TimeUnit.MILLISECONDS)
        threads.shutdownNow()
    }
}
