/// A meter for the CPU time of the SDK's own work, on any thread.
///
///     let request = meter.measure { buildRequest(batch) }           // on a thread of the concurrency pool
///     DedicatedThread.start(countedBy: meter) { watch() }           // on a thread owned by the SDK
///     meter.charge(.nanoseconds(300) * records)                     // too short to be measured, on the host's threads
///     meter.total
///
/// Only work counted in one of these three ways is included, because the threads of the pool and of the host do other
/// work too. Waiting time is not CPU time.
package final class CPUTimeMeter: Sendable {
    private struct Thread {
        var number: UInt64
        var time: ThreadCPUClock
        /// The thread's CPU time when counting began, and when it was last read.
        var start: UInt64
        var latest: UInt64

        var used: UInt64 { latest - start }

        mutating func read() { latest = max(latest, time.nanoseconds ?? latest) }
    }

    private struct State {
        /// CPU time of work that has ended, in nanoseconds.
        var finished: UInt64 = 0
        var count: UInt64 = 0
        var threads: [Thread] = []
    }

    private let state = Locked(State())

    package init() {}

    /// The CPU time so far; never decreases. Measured work counts when it ends, threads count while they run.
    package var total: Duration {
        let nanoseconds = state.withLock { state in
            for index in state.threads.indices { state.threads[index].read() }
            return state.threads.reduce(state.finished) { $0 + $1.used }
        }
        return .nanoseconds(Int64(clamping: nanoseconds))
    }

    /// Runs a piece of work and counts its CPU time, on any thread.
    ///
    /// Measure batches rather than records: a measurement costs two system calls. Nested measurements are counted once.
    /// The work cannot suspend, because it might resume on another thread.
    package func measure<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if ThreadMark.isSet { return try work() }
        ThreadMark.isSet = true
        let start = ThreadCPUClock.ofCurrentThread
        defer {
            let end = ThreadCPUClock.ofCurrentThread
            ThreadMark.isSet = false
            if end > start { add(end - start) }
        }
        return try work()
    }

    /// Adds a known CPU time, such as a number of records multiplied by the cost of one.
    ///
    /// Negative durations add nothing; durations over an hour add an hour.
    package func charge(_ duration: Duration) {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(3600)).components
        add(UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
    }

    /// Counts the calling thread while the body runs, and includes it in `total` in the meantime.
    func countThread(_ body: () -> Void) {
        guard let time = ThreadCPUClock(), let start = time.nanoseconds else { return body() }
        let number = state.withLock { state in
            state.count += 1
            state.threads.append(Thread(number: state.count, time: time, start: start, latest: start))
            return state.count
        }
        ThreadMark.isSet = true
        body()
        ThreadMark.isSet = false
        // Holding the lock prevents reads of the thread's clock, which is invalid after the thread has ended.
        state.withLock { state in
            guard let index = state.threads.firstIndex(where: { $0.number == number }) else { return }
            var thread = state.threads.remove(at: index)
            thread.read()
            state.finished += thread.used
        }
    }

    private func add(_ nanoseconds: UInt64) {
        state.withLock { $0.finished += nanoseconds }
    }
}
