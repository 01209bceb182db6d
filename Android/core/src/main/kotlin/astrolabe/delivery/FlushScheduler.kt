package astrolabe.delivery

import astrolabe.conditions.Conditions
import astrolabe.conditions.DeviceSignals
import astrolabe.conditions.Guard
import astrolabe.policy.CollectionPolicy
import astrolabe.policy.PolicyDecision
import astrolabe.policy.RemotePolicy
import astrolabe.policy.UploadPriority
import astrolabe.policy.flushTriggers
import astrolabe.queue.LeasedRecord
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueReceipt
import astrolabe.queue.QueueRecord
import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.random.Random

/**
 * Sends the records of a queue when the policy allows it.
 *
 *     val policy = CollectionPolicy()
 *     val executor = ThreadFlushExecutor()
 *     val scheduler = FlushScheduler(queue, signals, policy, device.installedMemoryGB, executor) { records ->
 *         collector.send(records)
 *     }
 *     scheduler.start()
 *     scheduler.enqueue(listOf(record))
 *
 * It flushes on the interval of the policy, and at once when the network returns, when the app comes to the front or
 * leaves it, under critical memory pressure, and for critical records. A failing collector costs no record a try. A
 * record that the server refuses is found by halving requests and dropped after six tries, unless it is critical.
 *
 * No call throws. What the queue cannot store is dropped and counted. If the disk is full, records are sent all the
 * same, and none of them twice by this process.
 *
 * @param installedMemoryGB `DeviceContext.installedMemoryGB`.
 * @param onDecision Called with each new decision, on the executor's thread: the app adapts its sampling and buffers.
 * @param maximumRecords The most records of one request.
 * @param maximumBytes The most payload bytes of one request.
 * @param random A number from 0 to 1 for the jitter of retries.
 * @param sendTimeout Seconds after which other kinds of records no longer wait for [send]. Less than a lease lasts.
 * @param onDiagnostic Called with a text for a log at the first failure of each kind, on any thread.
 * @param send Sends one request with records of one kind and returns its result. Whatever it throws counts as no
 *   response. Called on a thread of the executor, for each kind at most once at a time.
 */
public class FlushScheduler(
    private val queue: OfflineQueue,
    private val signals: DeviceSignals,
    private var policy: CollectionPolicy,
    private val installedMemoryGB: Double,
    private val executor: FlushExecutor,
    private val onDecision: (PolicyDecision) -> Unit = {},
    retry: RetryPolicy = RetryPolicy(),
    maximumRecords: Int = 512,
    maximumBytes: Long = 1_048_576,
    random: () -> Double = { Random.nextDouble() },
    sendTimeout: Double = 60.0,
    onDiagnostic: (String) -> Unit = {},
    send: (List<LeasedRecord>) -> SendResult
) {
    private val guard = Guard(onDiagnostic)
    private var decision = policy.decision(signals.current, installedMemoryGB)
    private val schedule = UploadSchedule(decision.upload, decision.flushInterval, executor.now)
    private val options = SendOptions(retry, maximumRecords, maximumBytes, sendTimeout, random, send)
    private val sender = QueueSender(queue, schedule, executor, guard, options)
    private var cancelTimer: () -> Unit = {}
    private var endObservation: () -> Unit = {}
    private val lost = AtomicLong()

    /** How many records this process could not store. */
    public val unstored: Long get() = lost.get()

    /** Opens the queue on the executor's thread, starts the timer and follows the conditions; also after [stop]. */
    public fun start() {
        endObservation()
        sender.isStopped = false
        endObservation = signals.observe { before, after -> executor.execute { follow(before, after) } }
        executor.execute {
            // The conditions may have changed since this was made, or while it was stopped.
            decide(isFirst = true)
            setTimer()
            guard.run("Opening the queue") { queue.maintain() }
        }
    }

    /** Ends sending and the timer, at the latest when the present request ends. Records stay in the queue. */
    public fun stop() {
        sender.isStopped = true
        endObservation()
        executor.execute { cancelTimer() }
    }

    /** Stores records; sends critical ones at once. Performs I/O. */
    public fun enqueue(records: List<QueueRecord>): QueueReceipt {
        val receipt = guard.call("Storing records", { unstored(records.size) }) { queue.enqueue(records) }
        if (records.any { it.priority == UploadPriority.CRITICAL.level }) flush(FlushCause.Critical)
        return receipt
    }

    private fun unstored(count: Int): QueueReceipt {
        lost.addAndGet(count.toLong())
        return QueueReceipt(count, unstored = count)
    }

    /** Sends what the policy allows, soon and on the executor's thread. */
    public fun flush(cause: FlushCause = FlushCause.Requested) {
        executor.execute { run(cause) }
    }

    /**
     * Sends what the policy allows, and waits for it. For a job; not on the main thread, and not on the executor's.
     *
     * @return Whether all of it was delivered in time. Records that the server has refused may remain.
     */
    public fun flushAndWait(seconds: Double): Boolean {
        val results = ArrayBlockingQueue<Boolean>(1)
        executor.execute { results.offer(run(FlushCause.Requested)) }
        return try {
            results.poll((seconds * 1_000).toLong(), TimeUnit.MILLISECONDS) ?: false
        } catch (_: InterruptedException) {
            Thread.currentThread().interrupt()
            false
        }
    }

    /** Follows a remote document instead of the one before, on the executor's thread; `null` for none. */
    public fun follow(remote: RemotePolicy?) {
        executor.execute {
            policy = CollectionPolicy(policy.configuration, remote)
            decide()
            setTimer()
        }
    }

    private fun decide(isFirst: Boolean = false) {
        // Another change may have followed already.
        val next = policy.decision(signals.current, installedMemoryGB)
        schedule.plan = next.upload
        schedule.flushInterval = next.flushInterval
        val isNew = isFirst || next.copy(reasons = decision.reasons) != decision
        decision = next
        if (isNew) guard.run("Following a decision") { onDecision(next) }
    }

    private fun follow(before: Conditions, after: Conditions) {
        decide()
        val triggers = policy.flushTriggers(before, after, installedMemoryGB)
        if (triggers.isEmpty()) setTimer() else for (trigger in triggers) run(FlushCause.Changed(trigger))
    }

    private fun setTimer() {
        cancelTimer()
        if (sender.isStopped) return
        cancelTimer = executor.schedule(schedule.wait(executor.now)) { run(FlushCause.Scheduled) }
    }

    /** Flushes and sets the timer, whatever happens in between; returns whether all was sent. */
    private fun run(cause: FlushCause): Boolean {
        if (sender.isStopped) return false
        schedule.recordFlush(cause, executor.now)
        guard.run("Reading the conditions") { signals.refresh() }
        // After a failure of the storage the records are still in the file. The next flush tries again.
        val isDone = guard.call("Flushing", { false }) { sender.send(cause) }
        schedule.recordFlush(cause, executor.now)
        setTimer()
        return isDone
    }
}
