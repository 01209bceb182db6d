package astrolabe.delivery

import astrolabe.conditions.Guard
import astrolabe.queue.LeasedRecord
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueLease
import astrolabe.sql.SqlException
import astrolabe.sql.SqlFailure

/** How to send, as [FlushScheduler] documents it. */
internal class SendOptions(
    val retry: RetryPolicy,
    val maximumRecords: Int,
    val maximumBytes: Long,
    val timeout: Double,
    val random: () -> Double,
    val send: (List<LeasedRecord>) -> SendResult
)

/** Takes records from the queue, sends them, and settles each by its result. Called on the executor's thread alone. */
internal class QueueSender(
    private val queue: OfflineQueue,
    private val schedule: UploadSchedule,
    private val executor: FlushExecutor,
    private val guard: Guard,
    private val options: SendOptions
) {
    /** What follows after a request. */
    enum class Step { GO_ON, DONE, HELD }

    private val size = RequestSize(options.maximumRecords)
    private var nextRetrial = 0.0
    private var refusedInARow = 0

    /** Kinds whose sender has not returned in time. They wait for it, and the others go on. */
    private val hanging = HashSet<Int>()

    /** Delivered records that could not be removed, so that a full disk sends none of them again. */
    private val delivered = HashSet<Long>()

    /** Refused records whose failure could not be written. */
    private val passedOver = HashSet<Long>()

    /** Stops between two requests. */
    @Volatile
    var isStopped = false

    /** Sends what the policy allows; returns whether nothing more of it waits. */
    fun send(cause: FlushCause): Boolean {
        removeDelivered()
        while (!isStopped) {
            when (sendNext(cause)) {
                Step.GO_ON -> Unit
                Step.DONE -> return hanging.isEmpty()
                Step.HELD -> return false
            }
        }
        return false
    }

    private fun sendNext(cause: FlushCause): Step {
        val lowest = schedule.lowestPriority(cause, executor.now) ?: return Step.HELD
        val lease = lease(lowest.level)
        if (lease != null) return settle(lease)
        if (executor.now < nextRetrial) return Step.DONE
        nextRetrial = executor.now + RETRIAL_INTERVAL
        val refused = queue.lease(
            RETRIAL_SIZE, options.maximumBytes, minimumPriority = lowest.level, hasFailed = true, otherThan = hanging
        )
        return if (refused == null) Step.DONE else retry(refused)
    }

    /** Leases the next records. If a lease cannot be written, as on a full disk, sends without one. */
    private fun lease(lowest: Int): QueueLease? {
        val records = size.records(schedule.attempts)
        val lease = try {
            queue.lease(
                records, options.maximumBytes, minimumPriority = lowest, hasFailed = false, otherThan = hanging
            )
        } catch (failure: SqlException) {
            if (failure.failure != SqlFailure.DISK_FULL && failure.failure != SqlFailure.READ_ONLY) throw failure
            guard.report("Writing a lease", failure)
            val known = delivered + passedOver
            val read = queue.read(records, options.maximumBytes, lowest, hanging, known)
            return if (read.isEmpty()) null else QueueLease(NO_LEASE, read)
        }
        if (lease == null || delivered.isEmpty()) return lease
        val known = delivered.toSet()
        removeDelivered()
        return QueueLease(lease.id, lease.records.filter { it.id !in known })
    }

    /** Sends leased records, those of each kind in a request. */
    private fun settle(lease: QueueLease): Step {
        val parts = lease.records.groupBy { it.kind }.values.map { QueueLease(lease.id, it) }
        return sendEach(parts, endsAtTimeout = false) { part, reason ->
            if (part.records.size == 1) {
                refuse(part, reason)
            } else {
                size.refused(part.records.size)
                Step.GO_ON
            }
        }
    }

    /** Sends records that the server has refused before, each in a request of its own. */
    private fun retry(lease: QueueLease): Step {
        val parts = lease.records.map { QueueLease(lease.id, listOf(it)) }
        return sendEach(parts, endsAtTimeout = true) { part, _ ->
            queue.recordFailure(part.ids, part)
            null
        }
    }

    /**
     * Sends a request for each part, and releases the parts that were not sent.
     *
     * @param endsAtTimeout Whether the parts after one without a result wait.
     * @param refused Called for a part that the server refuses. Returns the next step; `null` to go on with the others.
     */
    private fun sendEach(
        parts: List<QueueLease>,
        endsAtTimeout: Boolean,
        refused: (QueueLease, String) -> Step?
    ): Step {
        val waiting = parts.toMutableList()
        try {
            while (waiting.isNotEmpty() && !isStopped) {
                val part = waiting.first()
                val decided = attempt(part)
                when (decided) {
                    null -> Unit
                    is SendDecision.Delivered -> remove(part.ids)
                    is SendDecision.Refused -> refused(part, decided.reason)?.let { return it }
                    is SendDecision.Retry -> {
                        schedule.failed(decided, executor.now)
                        return Step.HELD
                    }
                }
                waiting.removeAt(0)
                if (decided == null && endsAtTimeout) break
            }
            return Step.GO_ON
        } finally {
            for (part in waiting) release(part)
        }
    }

    /** Sends one request; returns `null` if its sender has not returned in time. */
    private fun attempt(part: QueueLease): SendDecision? {
        val kind = part.records.first().kind
        val result = executor.call(options.timeout, { result(part.records) }) { late -> arrivedLate(part, late) }
        if (result == null) {
            hanging.add(kind)
            guard.report("Sending records of kind $kind", IllegalStateException("no result in ${options.timeout} s"))
        }
        if (result == null || result is SendResult.TimedOut) size.timedOut(part.records.size)
        val decided = result?.let { options.retry.decide(it, schedule.attempts, options.random()) }
        if (decided is SendDecision.Delivered) succeeded(part.records.size)
        return decided
    }

    private fun result(records: List<LeasedRecord>): SendResult = try {
        options.send(records)
    } catch (failure: Throwable) {
        SendResult.Unreachable(failure.toString())
    }

    /** Settles records whose sender has returned after all. */
    private fun arrivedLate(part: QueueLease, result: SendResult) {
        hanging.remove(part.records.first().kind)
        val decided = options.retry.decide(result, schedule.attempts, options.random())
        if (decided is SendDecision.Delivered) remove(part.ids) else release(part)
    }

    private fun succeeded(count: Int) {
        schedule.succeeded()
        size.succeeded(count)
        refusedInARow = 0
    }

    /** A server that refuses one record after the other is at fault itself. */
    private fun refuse(part: QueueLease, reason: String): Step {
        size.found()
        try {
            queue.recordFailure(part.ids, part)
        } catch (failure: SqlException) {
            guard.report("Writing a refusal", failure)
            passedOver.addAll(part.ids)
        }
        nextRetrial = maxOf(nextRetrial, executor.now + RETRIAL_INTERVAL)
        refusedInARow += 1
        if (refusedInARow < 2) return Step.GO_ON
        val wait = options.retry.backoff(schedule.attempts, options.random())
        schedule.failed(SendDecision.Retry(wait, reason, false), executor.now)
        return Step.HELD
    }

    private fun remove(ids: Collection<Long>) {
        try {
            queue.acknowledge(ids)
        } catch (failure: SqlException) {
            guard.report("Removing delivered records", failure)
            delivered.addAll(ids)
        }
    }

    private fun removeDelivered() {
        if (delivered.isEmpty()) return
        val ids = delivered.toList()
        delivered.clear()
        remove(ids)
        if (delivered.isEmpty()) passedOver.clear()
    }

    private fun release(part: QueueLease) {
        if (part.id != NO_LEASE) guard.run("Releasing a lease") { queue.release(part) }
    }

    private companion object {
        /** Seconds between two tries of records that the server has refused. */
        const val RETRIAL_INTERVAL = 300.0

        /** The most such records of one try. */
        const val RETRIAL_SIZE = 16

        /** The id of no lease. */
        const val NO_LEASE = -1L
    }
}
