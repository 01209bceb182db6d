package import AstrolabeJournal
import AstrolabeOfflineQueue
package import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import Foundation

/// Delivers records from the journal and the queue to the server; the only owner of batching and retry.
///
///     let delivery = DeliveryService(
///         journal: journal, durableLedger: ledger, transport: transport, settings: settings,
///     )
///     await delivery.start()
///     await delivery.apply(DeliveryPlan(flushInterval: 30, upload: decision.upload))    // when the policy decides
///     await delivery.flush(.conditions(.networkReturned))
///
/// At most one request is in flight, and the next is prepared meanwhile. Their records are leased: no other reader
/// receives them, in this process or another, and they become available again if the process is killed. A flush
/// requested during another flush waits for it and then sends what has been recorded since, so nothing is sent twice.
/// Records that cannot be sent now move to the queue. Code of the app is called without holding the actor, and waited
/// for within a limit: see ``AppCall``.
package actor DeliveryService {
    package struct Settings: Sendable {
        /// The server's endpoint; `nil` keeps records on the device.
        package var endpoint: OTLPEndpoint?
        /// Maximum number of records in one request.
        package var batchSize = 512
        /// Maximum bytes of the records in one request, before compression.
        package var batchBytes = 1 << 20
        package var retry = RetryPolicy()
        /// Headers of a request in addition to the endpoint's. The argument is true if the server refused the last
        /// ones. If it does not return within the request's timeout, the request counts as one without a response.
        package var requestHeaders: (@Sendable (_ wereRefused: Bool) async -> [String: String])?
        /// The limits of the flight recorder.
        package var recorder = FlightRecorder.Settings()
        /// The plan until the policy sets another.
        package var plan = DeliveryPlan(flushInterval: 5, upload: UploadPlan(.immediate, canSend: true))

        package init(endpoint: OTLPEndpoint?) {
            self.endpoint = endpoint
        }
    }

    /// The outcome of a flush.
    package enum FlushResult: Equatable, Sendable {
        /// All records that may be sent now were delivered or dropped.
        case done
        /// The server is unreachable or busy; the next attempt follows after this many seconds.
        case waiting(seconds: Double, reason: String)

        /// It was cancelled, and what was not sent is still pending.
        static let cancelled = FlushResult.waiting(seconds: 0, reason: "cancelled")
    }

    let pendingRecords: PendingRecords
    let durableLedger: DurableLedger
    let transport: any OTLPTransport
    let settings: Settings
    let hooks: DeliveryHooks
    let time: DeliveryTime
    let processor: CPUTimeMeter

    var schedule: UploadSchedule
    /// The current plan, which any thread may set.
    private let currentPlan: Locked<DeliveryPlan>
    /// True if the user's consent is missing; any thread may set it.
    private let isHeld = Locked(false)
    let journal: RecordJournal
    let ring: RecordJournal?
    /// Nothing is sent or stored from now on, which any thread may set.
    private let isAbandoned = Locked(false)
    /// The plan that the loop's current wait was computed from.
    private var loopPlan: DeliveryPlan?
    var pacing: TransferPacing
    var turns = KindTurns()
    /// The number of flushes that wait for the one in progress and send more than critical records.
    private(set) var fullerFlushesWaiting = 0
    /// The number of records of a signal in a row that the server has refused, each alone in a request.
    var refusedInARow: [RecordKind: Int] = [:]
    /// When records that the server has refused may be sent again, in seconds on the monotonic clock.
    var nextRetrial = 0.0
    var sent = DeliveryReport()
    /// The number of requests whose records the server has taken.
    var deliveredRequests = 0
    private var flushing: (task: Task<FlushResult, Never>, cause: FlushCause)?
    /// The number of times that a flush has timed out.
    private var expirations = 0
    private var loop: Task<Void, Never>?
    var isShutDown = false
    /// The last flush of a shutdown is done, or there is none: another would record metrics that are never sent.
    private(set) var isEnding = false
    private var hasTakenOver = false
    /// Failures of the storage and of the app's code that were reported.
    var reportedFailures: Set<String> = []
    /// Lines that the app has not got yet.
    var lines: [String] = []
    /// The number of lost records that were reported, by reason.
    var reportedLosses: [DropReason: Int] = [:]
    private let recordings = AppCallbacks(label: "astrolabe.collection")
    let diagnostics = AppCallbacks(label: "astrolabe.diagnostics")
    /// Drop counts already persisted. Subtract from `hooks.droppedBefore()` to get the counts not yet written.
    private var persistedCounts: [DropReason: Int] = [:]
    var lastUpkeep = 0.0

    private let executor = DeliveryExecutor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter ring: The flight recorder's; `nil` if there is none.
    package init(
        journal: RecordJournal, ring: RecordJournal? = nil, durableLedger: DurableLedger, transport: any OTLPTransport,
        settings: Settings, hooks: DeliveryHooks = DeliveryHooks(), time: DeliveryTime = .system,
        processor: CPUTimeMeter = CPUTimeMeter(),
    ) {
        self.ring = ring
        pendingRecords = PendingRecords(
            journal, durableLedger: durableLedger,
            recorder: ring.map { FlightRecorder($0, settings: settings.recorder, durableLedger: durableLedger) })
        self.durableLedger = durableLedger
        self.journal = journal
        self.transport = transport
        self.settings = settings
        self.hooks = hooks
        self.time = time
        self.processor = processor
        schedule = UploadSchedule(settings.plan, to: settings.endpoint, at: time.now())
        currentPlan = Locked(settings.plan)
        pacing = TransferPacing(records: settings.batchSize, bytes: settings.batchBytes)
    }

    /// Flushes on the interval, or when a retry is due, until `shutdown`; first of all, what previous runs left.
    package func start() {
        guard loop == nil, !isShutDown else { return }
        applyPlan()
        loopPlan = schedule.plan
        loop = Task(priority: .utility) { [weak self, time] in
            await self?.takeOver()
            while let wait = await self?.untilNextFlush {
                do { try await time.sleep(wait) } catch { return }
                await self?.flush(.scheduled)
            }
        }
    }

    /// Sends what previous runs left, or moves it to the queue. A launch may be too short for a scheduled flush.
    private func takeOver() async {
        guard !hasTakenOver, !isShutDown else { return }
        hasTakenOver = true
        let hasRecords = processor.measure { pendingRecords.takeOver() }
        promote()
        reportStorageFailures()
        await report()
        if hasRecords || pendingRecords.queued > 0 { await flush(.scheduled) }
    }

    /// Records what is recorded on demand. Metric callbacks, processors and `beforeSend` of the app are part of it.
    func record(_ body: @escaping @Sendable (DeliveryHooks) -> Void) async {
        let outcome = await recordings.run(call(within: Self.callbackLimit)) { [hooks] in body(hooks) }
        if case .hangs = outcome, reportedFailures.insert("recording").inserted {
            note(
                "A metric callback, a log record processor or beforeSend has not returned for "
                    + "\(Self.text(Self.callbackLimit)). Expected functions that return soon. No metrics are collected "
                    + "until it does.")
        }
    }

    /// Collects metrics if that is due before a flush with this cause.
    func collect(_ cause: FlushCause) async {
        guard hooks.isCollectionDue(cause) else { return }
        let ledger = ledger
        await record { $0.collect(ledger) }
    }

    /// - Parameter grace: Seconds to wait after a cancellation, for a result that is on its way.
    nonisolated func call(within seconds: Double, grace: Double = 1) -> AppCall {
        AppCall(limit: seconds, grace: grace, time: time, caller: ObjectIdentifier(self))
    }

    /// Seconds to wait for code of the app that does not suspend.
    static let callbackLimit = 10.0

    static func text(_ seconds: Double) -> String { "\(Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)") s" }

    /// Seconds until the next scheduled flush.
    package var untilNextFlush: Double { schedule.wait(at: time.now()) }

    /// Sets the plan without waiting. The next request follows it, and so does every flush requested from now on.
    package nonisolated func setPlan(_ plan: DeliveryPlan) { currentPlan.withLock { $0 = plan } }

    /// Keeps all records on the device until it is called with `false`, whatever the plan says.
    package nonisolated func hold(_ isHeld: Bool) { self.isHeld.withLock { $0 = isHeld } }

    /// Sends and stores nothing from now on, whatever is in progress. Waits for no request and no closure of the app;
    /// call ``stop()`` afterwards.
    package nonisolated func abandon() {
        isAbandoned.withLock { $0 = true }
        // Another process may hold the lock of the queue.
        durableLedger.limitWaits(toQuarterOf: 0)
        durableLedger.close()
        journal.close()
        ring?.close()
    }

    /// True if a request may still begin.
    nonisolated var mayBegin: Bool { !isAbandoned.withLock { $0 } }

    /// Applies the current plan to the schedule.
    func applyPlan() {
        schedule.plan = currentPlan.withLock { $0 }
        schedule.isHeld = isHeld.withLock { $0 }
        pendingRecords.recorder?.dailyBytes = schedule.plan.recorderDailyBytes ?? settings.recorder.dailyBytes
    }

    /// Sets the plan and reschedules the next flush accordingly.
    package func apply(_ plan: DeliveryPlan) {
        setPlan(plan)
        reschedule()
    }

    /// Reschedules the next flush according to the current plan.
    package func reschedule() {
        applyPlan()
        guard let loop, schedule.plan != loopPlan else { return }
        loop.cancel()
        self.loop = nil
        start()
    }

    /// Sends all records made until now that may be sent now, and makes the rest durable.
    ///
    /// Does nothing if the app calls it in a function that the flush in progress waits for.
    @discardableResult
    package func flush(_ cause: FlushCause = .requested) async -> FlushResult {
        if AppCall.isInProgress(of: ObjectIdentifier(self)) { return .done }
        let expirations = expirations
        if flushing != nil, cause.mayBeTheLast { await store(cause) }
        if let result = await waitForOthers(cause) { return result }
        guard !isEnding else { return .done }
        guard expirations == self.expirations || !cause.mayBeTheLast else { return .cancelled }
        let task = Task {
            // Runs before any waiting caller resumes: the first to wait resumes last.
            defer { flushing = nil }
            return await send(cause)
        }
        flushing = (task, cause)
        return await task.value
    }

    /// Waits for the flush in progress. Returns the result of another one that serves this cause, too.
    private func waitForOthers(_ cause: FlushCause) async -> FlushResult? {
        if cause != .critical { fullerFlushesWaiting += 1 }
        defer { if cause != .critical { fullerFlushesWaiting -= 1 } }
        if let flushing { _ = await flushing.task.value }
        // Another caller that waited has started a flush: it serves this one too if it sends as much.
        while let flushing {
            let result = await flushing.task.value
            if flushing.cause.sendsAsMuch(as: cause) { return result }
        }
        return nil
    }

    /// Makes durable what a flush would, without sending. The process may end while the flush in progress is awaited.
    private func store(_ cause: FlushCause) async {
        guard !isEnding, !isShutDown else { return }
        processor.measure {
            maintain(cause)
            pendingRecords.moveToQueue(isLast: false)
        }
        await collect(cause)
    }

    /// Ends the flush in progress because no time is left. Its request is cancelled, and its records stay pending.
    ///
    /// That says nothing about the server: no backoff begins.
    package func expire() {
        expirations += 1
        flushing?.task.cancel()
    }

    /// Flushes for the last time, for at most `seconds`, and stops.
    ///
    /// Records that are left are kept: the next run, or another process with the same folder, sends them.
    package nonisolated func shutdown(within seconds: Double) async {
        let start = time.now()
        // A wait for another process may be in progress.
        durableLedger.limitWaits(toQuarterOf: seconds)
        await shutDown(within: seconds, from: start)
    }

    private func shutDown(within seconds: Double, from start: Double) async {
        loop?.cancel()
        loop = nil
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.flushUntilDone() }
            // The sleep is cancelled when the flush is done first.
            group.addTask { [time] in try? await time.sleep(max(0, seconds - (time.now() - start))) }
            await group.next()
            group.cancelAll()
            // The group ends only when the flush does, and the flush is a separate task. No other one may follow it.
            isEnding = true
            flushing?.task.cancel()
        }
        await stop()
    }

    /// Cancels the flush in progress and stops without sending.
    package func stop() async {
        loop?.cancel()
        loop = nil
        isEnding = true
        guard !isShutDown else { return }
        flushing?.task.cancel()
        _ = await flushing?.task.value
        guard !isShutDown else { return }
        isShutDown = true
        persistCounters()
        account(in: &sent)
        sent.recorder = recorderReport
        if mayBegin { reportLosses(isLast: true) }
        pendingRecords.journal.close()
        ring?.close()
        durableLedger.close()
        // After a refusal nothing is left of it, but the sink may still be in use.
        guard mayBegin else {
            ring?.discard()
            return journal.discard()
        }
        await report()
    }

    private func flushUntilDone() async {
        while !Task.isCancelled {
            if case .waiting(let wait, _) = await flush(.conditions(.terminating)) {
                do { try await time.sleep(wait) } catch { return }
            } else if let flushing {
                // The policy's flush for the same reason has begun meanwhile. To cancel it would leave its records.
                _ = await flushing.task.value
            } else {
                isEnding = true
                return
            }
        }
    }

    /// True if a flush is in progress.
    package var isFlushing: Bool { flushing != nil }

    /// Bytes of all request bodies so far.
    package var bytesSent: Int { sent.bytesSent }

    /// Peak memory of requests in bytes: the bodies and the records that they were built from, of the one in flight and
    /// the next.
    package internal(set) var largestRequest = 0

    var unpersistedCounts: [DropReason: Int] {
        hooks.droppedBefore().merging(persistedCounts, uniquingKeysWith: -).filter { $0.value != 0 }
    }

    /// Persists the drop counts that exist only in memory.
    func persistCounters() {
        let counts = unpersistedCounts
        guard !counts.isEmpty else { return }
        let counters = counts.reduce(into: [:]) { $0[DurableLedger.dropped($1.key)] = $1.value }
        guard durableLedger.add(counters) else { return }
        persistedCounts.merge(counts, uniquingKeysWith: +)
    }
}
