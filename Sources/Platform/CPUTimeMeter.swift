/// Adds up the processor time of the SDK's own work, wherever it is done.
///
///     let request = account.measure { buildRequest(batch) }    // on a thread of the concurrency pool
///     DedicatedThread.start(countedBy: account) { watch() }           // on a thread of the SDK's own
///     account.charge(.nanoseconds(300) * records)               // too short to be measured, on the host's threads
///     account.total
///
/// Only what is counted by one of the three is known: the pool's threads and the host's do other work, too. Time spent
/// waiting counts for nothing, for the processor is then somebody else's.
package final class CPUTimeMeter: Sendable {
    private struct Thread {
        var number: UInt64
        var time: ThreadCPUClock
        /// What the thread had used when it was first counted, and when it was last looked at.
        var start: UInt64
        var latest: UInt64

        var used: UInt64 { latest - start }

        mutating func look() { latest = max(latest, time.nanoseconds ?? latest) }
    }

    private struct State {
        /// Of work that has ended.
        var settled: UInt64 = 0
        var count: UInt64 = 0
        var threads: [Thread] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Never falls. Work that is measured counts when it ends, threads count while they run.
    package var total: Duration {
        let nanoseconds = state.withLock { state in
            for index in state.threads.indices { state.threads[index].look() }
            return state.threads.reduce(state.settled) { $0 + $1.used }
        }
        return .nanoseconds(Int64(clamping: nanoseconds))
    }

    /// Counts what a piece of work takes of the processor, on whatever thread it is called.
    ///
    /// For batches and not for records: it costs two system calls. Within work that is counted already it only does the
    /// work. The work cannot suspend, for it might resume on another thread.
    package func measure<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if ThreadMark.isSet { return try work() }
        ThreadMark.isSet = true
        let start = ThreadCPUClock.ofCurrentThread
        defer {
            let end = ThreadCPUClock.ofCurrentThread
            ThreadMark.isSet = false
            if end > start { settle(end - start) }
        }
        return try work()
    }

    /// Adds what the caller knows otherwise, such as a number of records times what one of them costs.
    ///
    /// Nothing is added for a negative duration, and an hour for one that is longer than that.
    package func charge(_ duration: Duration) {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(3600)).components
        settle(UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
    }

    /// Counts the calling thread for as long as the body runs, and lets others see it meanwhile.
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
        // While the lock is held nobody looks at the thread, which must not be looked at after it has ended.
        state.withLock { state in
            guard let index = state.threads.firstIndex(where: { $0.number == number }) else { return }
            var thread = state.threads.remove(at: index)
            thread.look()
            state.settled += thread.used
        }
    }

    private func settle(_ nanoseconds: UInt64) {
        state.withLock { $0.settled += nanoseconds }
    }
}
