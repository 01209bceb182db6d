package import AstrolabeJournal
import AstrolabeOfflineQueue
package import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel

/// Takes records from the journal and the queue and sees them to the server: the one owner of batching and of retry.
///
///     let delivery = DeliveryService(journal: journal, books: books, transport: transport, settings: settings)
///     await delivery.start()
///     await delivery.apply(DeliveryPlan(flushInterval: 30, upload: decision.upload))    // whenever the policy decides
///     await delivery.flush(.conditions(.networkReturned))
///
/// At most one request is on its way at a time. Its records are leased: nobody else gets them, in this process or
/// another, and a kill gives them back. A flush that is asked for during another waits for that one and then sends what
/// has come since, so nothing is sent twice. What cannot leave now is moved into the queue.
package actor DeliveryService {
    package struct Settings: Sendable {
        /// Where to; `nil` keeps records on the device.
        package var endpoint: OTLPEndpoint?
        /// Records of one request at most.
        package var batchSize = 512
        /// Bytes of the records of one request at most, before compression.
        package var batchBytes = 1 << 20
        package var retry = RetryPolicy()
        /// Until the policy says otherwise.
        package var plan = DeliveryPlan(flushInterval: 5, upload: UploadPlan(.immediate, canSend: true))

        package init(endpoint: OTLPEndpoint?) {
            self.endpoint = endpoint
        }
    }

    /// How a flush ended.
    package enum FlushResult: Hashable, Sendable {
        /// All that may leave now was delivered or given up.
        case done
        /// The server could not be reached or is busy; the next try comes after this many seconds.
        case waiting(seconds: Double, reason: String)
    }

    let outbox: PendingRecords
    private let books: DurableLedger
    let transport: any OTLPTransport
    let settings: Settings
    let hooks: DeliveryHooks
    let time: DeliveryTime
    let processor: CPUTimeMeter

    var schedule: UploadSchedule
    /// The policy's last word.
    private let word: Locked<DeliveryPlan>
    /// What the loop's present wait follows from.
    private var loopPlan: DeliveryPlan?
    /// Records of the next request at most: less than the settings say after the server found one too large.
    var batchSize: Int
    var sent = DeliveryReport()
    private var flushing: Task<FlushResult, Never>?
    private var loop: Task<Void, Never>?
    var isShutDown = false
    /// What the hooks say was given up since the books were written last is theirs minus this.
    private var persistedCounts: [DropReason: Int] = [:]
    var lastUpkeep = 0.0

    package init(
        journal: RecordJournal, books: DurableLedger, transport: any OTLPTransport, settings: Settings,
        hooks: DeliveryHooks = DeliveryHooks(), time: DeliveryTime = .system,
        processor: CPUTimeMeter = CPUTimeMeter(),
    ) {
        outbox = PendingRecords(journal, books: books)
        self.books = books
        self.transport = transport
        self.settings = settings
        self.hooks = hooks
        self.time = time
        self.processor = processor
        schedule = UploadSchedule(settings.plan, at: time.now())
        word = Locked(settings.plan)
        batchSize = settings.batchSize
    }

    /// Flushes on the interval, or when a retry is due, until `shutdown`.
    package func start() {
        guard loop == nil, !isShutDown else { return }
        listen()
        loopPlan = schedule.plan
        loop = Task(priority: .utility) { [weak self, time] in
            while let wait = await self?.untilNextFlush {
                do { try await time.sleep(wait) } catch { return }
                await self?.flush(.scheduled)
            }
        }
    }

    /// Seconds until the next flush that nothing but time asks for.
    package var untilNextFlush: Double { schedule.wait(at: time.now()) }

    /// Notes the policy's new word, without a wait: the next request follows it, and every flush that is asked for from
    /// now on.
    package nonisolated func hear(_ plan: DeliveryPlan) { word.withLock { $0 = plan } }

    /// Takes up the policy's last word.
    func listen() { schedule.plan = word.withLock { $0 } }

    /// Goes on after the policy's new word, and waits for the next flush as it says.
    package func apply(_ plan: DeliveryPlan) {
        hear(plan)
        reschedule()
    }

    /// Waits for the next flush as the policy's last word says.
    package func reschedule() {
        listen()
        guard let loop, schedule.plan != loopPlan else { return }
        loop.cancel()
        self.loop = nil
        start()
    }

    /// Sends all that was recorded until now and may leave now, and makes the rest durable.
    @discardableResult
    package func flush(_ cause: FlushCause = .requested) async -> FlushResult {
        if let flushing { _ = await flushing.value }
        if let flushing { return await flushing.value }
        let task = Task {
            // Before anybody who waits goes on: who waits first goes on last.
            defer { flushing = nil }
            return await send(cause)
        }
        flushing = task
        return await task.value
    }

    /// Ends the flush that is under way, for there is no more time: its request is given up, and its records wait.
    package func expire() { flushing?.cancel() }

    /// Flushes for the last time, for at most `seconds`, and stops. Nothing of what is left is lost: the next run, or
    /// another process at the same folder, takes it up.
    package func shutdown(within seconds: Double) async {
        loop?.cancel()
        loop = nil
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.flushUntilDone() }
            group.addTask { [time] in try? await time.sleep(seconds) }
            await group.next()
            group.cancelAll()
            // The group ends only when the flush does, which is a task of its own.
            flushing?.cancel()
        }
        guard !isShutDown else { return }
        flushing?.cancel()
        _ = await flushing?.value
        isShutDown = true
        persistCounters()
        account(in: &sent)
        outbox.journal.close()
        books.close()
    }

    private func flushUntilDone() async {
        while !Task.isCancelled, case .waiting(let wait, _) = await flush(.conditions(.terminating)) {
            do { try await time.sleep(wait) } catch { return }
        }
    }

    /// Bytes of the bodies of all requests so far.
    package var bytesSent: Int { sent.bytesSent }

    /// Bytes that a request has taken in memory at most, its body and what that was made from together.
    package internal(set) var largestRequest = 0

    /// The account of all records so far, and why some wait.
    package var currentReport: DeliveryReport {
        listen()
        var report = sent
        guard !isShutDown else {
            report.blockers = report.ledger.pending > 0 ? [.shutDown] : []
            return report
        }
        account(in: &report)
        if report.ledger.pending > 0 {
            let blocker = settings.endpoint == nil ? .noEndpoint : schedule.blocker(at: time.now())
            report.blockers = [blocker ?? .notFlushedYet]
        }
        return report
    }

    var ledger: RecordLedger {
        var report = DeliveryReport()
        account(in: &report)
        return report.ledger
    }

    private func account(in report: inout DeliveryReport) {
        let queue = (try? books.queue?.statistics()) ?? QueueStatistics()
        report.ledger = RecordLedger(journal: outbox.journal.statistics(), queue: queue, given: unbooked)
        report.queued = queue.byPriority.reduce(into: [:]) { queued, group in
            if let priority = Priority(rawValue: group.key) { queued[priority] = group.value }
        }
    }

    private var unbooked: [DropReason: Int] {
        hooks.droppedBefore().merging(persistedCounts, uniquingKeysWith: -).filter { $0.value != 0 }
    }

    /// Keeps what only memory knows.
    func persistCounters() {
        let news = unbooked
        guard !news.isEmpty, let queue = books.queue else { return }
        let counters = news.reduce(into: [:]) { $0[DurableLedger.dropped($1.key)] = $1.value }
        guard (try? queue.apply(QueueChange(counters: counters))) != nil else { return }
        persistedCounts.merge(news, uniquingKeysWith: +)
    }
}
