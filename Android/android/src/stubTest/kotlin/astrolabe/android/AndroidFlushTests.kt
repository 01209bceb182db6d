package astrolabe.android

import android.app.Activity
import android.app.job.JobInfo
import android.app.job.JobParameters
import android.net.NetworkCapabilities
import android.os.Build
import astrolabe.conditions.MemoryPressure
import astrolabe.delivery.FlushScheduler
import astrolabe.delivery.ManualExecutor
import astrolabe.delivery.SendResult
import astrolabe.delivery.ThreadFlushExecutor
import astrolabe.policy.CollectionPolicy
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueClock
import astrolabe.queue.QueueRecord
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

/** The scheduler on the device's signals and SQLite. */
class AndroidFlushTests : AndroidTest() {
    private val executor = ManualExecutor()
    private val requests = mutableListOf<Double>()
    private var status = 200

    private fun record(): QueueRecord = QueueRecord(0, 1, QueueClock.wall(), ByteArray(1))

    private fun scheduler(signals: AndroidSignals, queue: OfflineQueue): FlushScheduler =
        FlushScheduler(queue, signals, CollectionPolicy(), 4.0, executor, random = { 0.5 }) {
            requests.add(executor.now - 1_000)
            SendResult.Response(status)
        }

    private fun advance(seconds: Int) {
        for (tenth in 1..10 * seconds) {
            executor.advance(0.1)
            device.advance(100)
        }
    }

    /** The seconds at which a minute sends requests, with a record and perhaps another screen every three seconds. */
    private fun minute(status: Int, transport: Int, changesScreens: Boolean): List<Double> {
        replaceDevice()
        folder.delete()
        folder.create()
        device.noBackupFolder = folder.root
        device.capabilities = NetworkCapabilities.fake(transport, transport == CELLULAR)
        this.status = status
        requests.clear()
        val start = executor.now - 1_000
        withScreen { scheduler, first ->
            var activity = first
            for (screen in 1..20) {
                scheduler.enqueue(listOf(record()))
                if (changesScreens) {
                    val next = Activity()
                    change(activity, next)
                    activity = next
                }
                advance(3)
            }
            scheduler.stop()
            executor.advance(0.0)
        }
        return requests.map { it - start }
    }

    /** Calls `body` with a scheduler that has started, and the activity that is visible. */
    private fun withScreen(body: (FlushScheduler, Activity) -> Unit) {
        val signals = signals()
        val queue = AndroidQueue.of(application)
        val scheduler = scheduler(signals, queue)
        signals.start()
        scheduler.start()
        val activity = Activity()
        show(activity)
        body(scheduler, activity)
        queue.close()
    }

    @Test
    fun `twenty screens in a minute send no more requests than one screen, in health and with 503`() {
        for (transport in listOf(WIFI, CELLULAR)) {
            for (status in listOf(200, 503)) {
                val one = minute(status, transport, changesScreens = false)
                val twenty = minute(status, transport, changesScreens = true)
                assertEquals("transport $transport, status $status", one.size, twenty.size)
                // A healthy collector gets one as the app comes to the front and one an interval, which cellular
                // doubles. One that fails gets the retries of the backoff, by 0.75 s times 1.5, 1.5², …
                val limit = if (status == 503) 10 else if (transport == WIFI) 3 else 2
                assertTrue("transport $transport, status $status: $twenty", twenty.size in 1..limit)
            }
        }
    }

    @Test
    fun `going to the background sends what waits`() = withScreen { scheduler, activity ->
        advance(2)
        scheduler.enqueue(listOf(record()))
        leave(activity)
        advance(1)
        assertEquals(1, requests.size)
    }

    @Test
    fun `memory that is low on Android 14 is found before a flush, and told to the app`() {
        Build.VERSION.SDK_INT = 34
        val signals = signals()
        val queue = AndroidQueue.of(application)
        val breadcrumbs = mutableListOf<Int>()
        val scheduler = FlushScheduler(
            queue, signals, CollectionPolicy(), 4.0, executor, onDecision = { breadcrumbs.add(it.breadcrumbs) }
        ) { SendResult.Response(200) }
        scheduler.start()
        device.isMemoryLow = true
        scheduler.flush()
        executor.advance(0.0)
        assertEquals(MemoryPressure.CRITICAL, signals.current.memory)
        assertEquals(listOf(100, 20), breadcrumbs)
        queue.close()
    }

    private class Job(override val scheduler: FlushScheduler?) : FlushJobService()

    @Test
    fun `a job sends what waits, and asks for another if it could not`() {
        val threads = ThreadFlushExecutor()
        val queue = AndroidQueue.of(application)
        val scheduler = FlushScheduler(queue, signals(), CollectionPolicy(), 4.0, threads) {
            SendResult.Response(status)
        }
        for (next in listOf(503, 200)) {
            status = next
            queue.enqueue(listOf(record()))
            assertTrue(Job(scheduler).onStartJob(JobParameters()))
            assertEquals("whether another job is asked for", next == 503, device.jobsFinished.take())
        }
        assertEquals(0, queue.statistics().records)
        assertFalse(Job(null).onStartJob(JobParameters()))
        assertTrue(Job(scheduler).onStopJob(JobParameters()))
        threads.close()
        queue.close()
    }

    @Test
    fun `a job waits for a network`() {
        assertTrue(FlushJobService.schedule(application, Job::class.java))
        assertEquals(listOf(JobInfo.NETWORK_TYPE_ANY), device.jobs.map { it.networkType })
        device.services.clear()
        assertFalse(FlushJobService.schedule(application, Job::class.java))
        assertEquals(1, device.log.size)
    }

    private companion object {
        const val CELLULAR = NetworkCapabilities.TRANSPORT_CELLULAR
        const val WIFI = NetworkCapabilities.TRANSPORT_WIFI
    }
}
