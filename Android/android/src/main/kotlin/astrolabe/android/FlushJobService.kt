package astrolabe.android

import android.app.job.JobInfo
import android.app.job.JobParameters
import android.app.job.JobScheduler
import android.app.job.JobService
import android.content.ComponentName
import android.content.Context
import astrolabe.conditions.Guard
import astrolabe.delivery.FlushScheduler

/**
 * A job that sends what waits, also when the app's process is frozen or gone.
 *
 *     class ShopFlushJob : FlushJobService() {
 *         override val scheduler get() = (application as ShopApplication).scheduler
 *     }
 *
 * The app declares it in its manifest with the permission `android.permission.BIND_JOB_SERVICE`, and calls [schedule]
 * when it goes to the background. Android 14 and later freeze a cached process after ten seconds, and its timers with
 * it.
 */
public abstract class FlushJobService : JobService() {
    /** The app's scheduler, started; `null` if it must not send. */
    protected abstract val scheduler: FlushScheduler?

    private val guard = Guard(::logWarning)

    override fun onStartJob(parameters: JobParameters): Boolean = guard.call("Starting a job", { false }) {
        scheduler?.let { send(it, parameters) } != null
    }

    private fun send(scheduler: FlushScheduler, parameters: JobParameters) {
        val work = {
            val isDone = scheduler.flushAndWait(LONGEST)
            guard.run("Ending a job") { jobFinished(parameters, !isDone) }
        }
        Thread(work, "astrolabe.job").start()
    }

    /** Asks the system to start the job again. What is being sent goes on while the process does. */
    override fun onStopJob(parameters: JobParameters): Boolean = true

    public companion object {
        /** Seconds. The system gives a job ten minutes. */
        private const val LONGEST = 300.0

        /**
         * Asks the system to start the job once there is a network. Replaces a job of the same [id].
         *
         * @return Whether the system will.
         */
        public fun schedule(context: Context, job: Class<out FlushJobService>, id: Int = 0x61737472): Boolean =
            Guard(::logWarning).call("Scheduling a job", { false }) {
                val info = JobInfo.Builder(id, ComponentName(context, job))
                    .setRequiredNetworkType(JobInfo.NETWORK_TYPE_ANY).build()
                val jobs = context.getSystemService(Context.JOB_SCHEDULER_SERVICE) as JobScheduler
                jobs.schedule(info) == JobScheduler.RESULT_SUCCESS
            }
    }
}
