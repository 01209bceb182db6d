package astrolabe.delivery

import astrolabe.conditions.Conditions
import astrolabe.conditions.DeviceSignals
import astrolabe.policy.CollectionPolicy
import astrolabe.policy.PolicyDecision
import astrolabe.policy.RemotePolicy
import astrolabe.policy.UploadPriority
import astrolabe.policy.flushTriggers
import astrolabe.queue.LeasedRecord
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueLease
import astrolabe.queue.QueueReceipt
import astrolabe.queue.QueueRecord
import astrolabe.sql.SqlException
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
 * @param installedMemoryGB `DeviceContext.installedMemoryGB`.
 * @param onDecision Called with each new decision, on the executor's thread: the app adapts its sampling and buffers.
 * @param maximumRecords The most records of one request.
 * @param maximumBytes The most payload bytes of one request.
 * @param random A number from 0 to 1 for the jitter of retries.
 * @param send Sends one request with records of one kind and returns its result. Called on the executor's thread. An
 *   exception counts as no response.
 */
public class FlushScheduler(
    private val queue: OfflineQueue,
    private val signals: DeviceSignals,
    private var policy: CollectionPolicy,
    private val installedMemoryGB: Double,
    private val executor: FlushExecutor,
    private val onDecision: (PolicyDecision) -> Unit = {},
    private val retry: RetryPolicy = RetryPolicy(),
    maximumRecords: Int = 512,
    private val maximumBytes: Long = 1_048_576,
    private val random: () -> Double = { Random.nextDouble() },
    private val send: (List<LeasedRecord>) -> SendResult
) {
    private var decision = policy.decision(signals.current, installedMemoryGB)
    private val schedule = UploadSchedule(decision.upload, decision.flushInterval, executor.now)
    private val size = RequestSize(maximumRecords)
    private var nextRetrial = 0.0
    private var refusedInARow = 0
    private var cancelTimer: () -> Unit = {}
    private var endObservation: () -> Unit = {}

    /** Starts the timer and follows the conditions. */
    public fun start() {
        endObservation = signals.observe { before, after -> executor.execute { follow(before, after) } }
        executor.execute {
            onDecision(decision)
            setTimer()
        }
    }

    /** Ends the timer. Records stay in the queue. */
    public fun stop() {
        endObservation()
        executor.execute { cancelTimer() }
    }

    /** Stores records; sends critical ones at once. Performs I/O. */
    public fun enqueue(records: List<QueueRecord>): QueueReceipt {
        val receipt = queue.enqueue(records)
        if (records.any { it.priority == UploadPriority.CRITICAL.level }) flush(FlushCause.Critical)
        return receipt
    }

    /** Sends what the policy allows, soon and on the executor's thread. */
    public fun flush(cause: FlushCause = FlushCause.Requested) {
        executor.execute { run(cause) }
    }

    /** Follows a remote document instead of the one before, on the executor's thread; `null` for none. */
    public fun follow(remote: RemotePolicy?) {
        executor.execute {
            policy = CollectionPolicy(policy.configuration, remote)
            decide()
            setTimer()
        }
    }

    private fun decide() {
        // Another change may have followed already.
        val next = policy.decision(signals.current, installedMemoryGB)
        schedule.plan = next.upload
        schedule.flushInterval = next.flushInterval
        if (next.copy(reasons = decision.reasons) != decision) onDecision(next)
        decision = next
    }

    private fun follow(before: Conditions, after: Conditions) {
        decide()
        val triggers = policy.flushTriggers(before, after, installedMemoryGB)
        if (triggers.isEmpty()) setTimer() else for (trigger in triggers) run(FlushCause.Changed(trigger))
    }

    private fun setTimer() {
        cancelTimer()
        cancelTimer = executor.schedule(schedule.wait(executor.now)) { run(FlushCause.Scheduled) }
    }

    private fun run(cause: FlushCause) {
        schedule.recordFlush(cause, executor.now)
        try {
            while (sendNext(cause)) continue
        } catch (_: SqlException) {
            // The records are still in the file. The next flush tries again.
        }
        schedule.recordFlush(cause, executor.now)
        setTimer()
    }

    /** Sends one request; returns whether to go on. */
    private fun sendNext(cause: FlushCause): Boolean {
        val lowest = schedule.lowestPriority(cause, executor.now) ?: return false
        val records = size.records(schedule.attempts)
        val lease = queue.lease(records, maximumBytes, minimumPriority = lowest.level, hasFailed = false)
        if (lease != null) return settle(lease)
        if (executor.now < nextRetrial) return false
        nextRetrial = executor.now + RETRIAL_INTERVAL
        val refused = queue.lease(RETRIAL_SIZE, maximumBytes, minimumPriority = lowest.level, hasFailed = true)
        return refused != null && retry(refused)
    }

    /** Sends leased records, those of each kind in a request; returns whether to go on. */
    private fun settle(lease: QueueLease): Boolean {
        for (records in lease.records.groupBy { it.kind }.values) {
            val ids = records.map { it.id }
            val decided = attempt(records)
            when (decided) {
                is SendDecision.Delivered -> {
                    queue.acknowledge(ids)
                    succeeded(ids.size)
                }
                is SendDecision.Retry -> {
                    queue.release(lease)
                    schedule.failed(decided, executor.now)
                    return false
                }
                is SendDecision.Refused -> {
                    val goesOn = if (ids.size > 1) {
                        size.refused(ids.size)
                        true
                    } else {
                        refuse(lease, ids, decided.reason)
                    }
                    queue.release(lease)
                    return goesOn
                }
            }
        }
        return true
    }

    /** Sends records that the server has refused before, each in a request of its own. */
    private fun retry(lease: QueueLease): Boolean {
        for (record in lease.records) {
            val decided = attempt(listOf(record))
            when (decided) {
                is SendDecision.Delivered -> {
                    queue.acknowledge(listOf(record.id))
                    succeeded(count = 1)
                }
                is SendDecision.Refused -> queue.recordFailure(listOf(record.id), lease)
                is SendDecision.Retry -> {
                    queue.release(lease)
                    schedule.failed(decided, executor.now)
                    return false
                }
            }
        }
        return true
    }

    private fun attempt(records: List<LeasedRecord>): SendDecision {
        val result = try {
            send(records)
        } catch (failure: RuntimeException) {
            SendResult.Unreachable(failure.toString())
        }
        if (result is SendResult.TimedOut) size.timedOut(records.size)
        return retry.decide(result, schedule.attempts, random())
    }

    private fun succeeded(count: Int) {
        schedule.succeeded()
        size.succeeded(count)
        refusedInARow = 0
    }

    /** A server that refuses one record after the other is at fault itself. */
    private fun refuse(lease: QueueLease, ids: List<Long>, reason: String): Boolean {
        size.found()
        queue.recordFailure(ids, lease)
        nextRetrial = maxOf(nextRetrial, executor.now + RETRIAL_INTERVAL)
        refusedInARow += 1
        if (refusedInARow < 2) return true
        val wait = retry.backoff(schedule.attempts, random())
        schedule.failed(SendDecision.Retry(wait, reason, false), executor.now)
        return false
    }

    private companion object {
        /** Seconds between two tries of records that the server has refused. */
        const val RETRIAL_INTERVAL = 300.0

        /** The most such records of one try. */
        const val RETRIAL_SIZE = 16
    }
}
