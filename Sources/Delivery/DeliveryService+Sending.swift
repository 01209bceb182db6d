import AstrolabeGzip
import AstrolabeJournal
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation

extension DeliveryService {
    /// What to do after one attempt to send a batch.
    private enum Step {
        case next
        /// The request was too large for the server: send smaller ones.
        case divide
        case stop(seconds: Double, reason: String)
    }

    func send(_ cause: FlushCause) async -> FlushResult {
        guard !isShutDown else { return .done }
        schedule.recordFlush(cause, at: time.now())
        defer { schedule.recordFlush(cause, at: time.now()) }
        applyPlan()
        processor.measure {
            pendingRecords.prepare()
            maintain(cause)
        }
        if hooks.isCollectionDue(cause) { hooks.collect(ledger) }
        var result = FlushResult.done
        if let endpoint = settings.endpoint { result = await sendAll(cause, to: endpoint) }
        processor.measure {
            if settings.endpoint == nil || schedule.mustMoveToQueue(at: time.now()) { pendingRecords.moveToQueue() }
            pendingRecords.journal.maintain()
        }
        if result == .done, case .backingOff(let delay, let reason) = schedule.blocker(at: time.now()) {
            result = .waiting(seconds: delay.seconds, reason: reason)
        }
        return result
    }

    private func sendAll(_ cause: FlushCause, to endpoint: OTLPEndpoint) async -> FlushResult {
        while !Task.isCancelled, let lowest = schedule.lowestPriority(for: cause, at: time.now()),
            let leased = processor.measure({
                pendingRecords.next(
                    minimumPriority: UInt8(lowest.rawValue), records: batchSize, bytes: settings.batchBytes, )
            })
        {
            var step = Step.next
            for batch in leased.batches {
                step = await send(batch, of: leased, to: endpoint)
                guard case .next = step else { break }
            }
            applyPlan()
            if case .next = step { continue }
            pendingRecords.release(leased)
            if case .stop(let seconds, let reason) = step { return .waiting(seconds: seconds, reason: reason) }
        }
        return .done
    }

    private func send(_ batch: ExportBatch, of leased: LeasedBatches, to endpoint: OTLPEndpoint) async -> Step {
        let request = processor.measure { endpoint.request(with: batch) }
        // Memory in use: the leased records and the request body built from them.
        largestRequest = max(largestRequest, batch.byteCount + request.body.count)
        sent.requests += 1
        sent.bytesSent += request.body.count
        let result = await transport.send(request)
        let decision = settings.retry.decide(
            result, attempts: schedule.attempts, random: time.random(), partialSuccess: ExportResponse.rejection(in:),
        )
        switch decision {
        case .delivered(let rejected, let reason):
            let rejected = min(max(rejected, 0), batch.count)
            pendingRecords.acknowledge(batch, of: leased, rejected: rejected)
            if rejected > 0 { hooks.onDiagnostic("The server rejected \(Self.count(rejected)): \(reason)") }
            if schedule.attempts > 0 { hooks.onDiagnostic("Delivery to \(endpoint.place) resumed") }
            schedule.succeeded()
            sent.lastFailure = nil
            sent.lastUpload = Date(timeIntervalSince1970: Double(time.wall()) / 1e9)
            batchSize = min(batchSize * 2, settings.batchSize)
            return .next
        case .tooLarge where batch.count > 1:
            batchSize = max(1, min(batch.count, batchSize) / 2)
            return .divide
        case .tooLarge(let reason), .drop(let reason):
            pendingRecords.acknowledge(batch, of: leased, rejected: batch.count)
            sent.lastFailure = reason
            hooks.onDiagnostic("Dropped \(Self.count(batch.count)): \(reason) from \(request.url.path)")
            return .next
        case .retry(let seconds, let reason, let countsAsFailure, let isServerRequested):
            let dropped = countsAsFailure ? pendingRecords.recordFailure(batch, of: leased) : 0
            if dropped > 0 { hooks.onDiagnostic("Dropped \(Self.count(dropped)): too many retries, last \(reason)") }
            if schedule.attempts == 0 {
                hooks.onDiagnostic("Cannot deliver to \(endpoint.place): \(reason). Records are kept and retried.")
            }
            sent.lastFailure = reason
            schedule.failed(wait: seconds, reason: reason, isServerRequested: isServerRequested, at: time.now())
            return .stop(seconds: seconds, reason: reason)
        }
    }

    private static func count(_ records: Int) -> String { records == 1 ? "1 record" : "\(records) records" }

    /// Maintains the queue every `upkeepInterval`: drops expired records and counts what other processes have added or
    /// sent. Persists the counters then, and before the process may end.
    private func maintain(_ cause: FlushCause) {
        let now = time.now()
        let isDue = now - lastUpkeep >= Self.upkeepInterval
        if isDue || cause == .conditions(.becameActive) { pendingRecords.reopenQueue() }
        if isDue {
            lastUpkeep = now
            pendingRecords.recount()
            pendingRecords.maintainQueue()
        }
        if isDue || cause.mayBeTheLast { persistCounters() }
    }

    /// Seconds between two periodic checks of the queue.
    private static let upkeepInterval = 300.0
}

extension OTLPEndpoint {
    /// Headers that the exporter sets itself.
    private static let ownHeaders: Set = ["content-type", "content-encoding"]

    func request(with batch: ExportBatch) -> OTLPRequest {
        var headers = headers.filter { !Self.ownHeaders.contains($0.key.lowercased()) }
        headers["Content-Type"] = "application/x-protobuf"
        var body = batch.body
        if isCompressed, let compressed = try? GzipCoder.compress(body) {
            body = compressed
            headers["Content-Encoding"] = "gzip"
        }
        return OTLPRequest(
            url: url(forSignal: batch.kind.signalPath), headers: headers, body: body, timeout: timeout,
        )
    }
}

extension RecordKind {
    /// The last path component that OTLP/HTTP defines for this signal.
    var signalPath: String {
        switch self {
        case .span: "traces"
        case .event: "logs"
        case .metric: "metrics"
        }
    }
}
