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
        /// The server condemned the request: send smaller ones.
        case divide
        case stop(seconds: Double, reason: String)
    }

    func send(_ cause: FlushCause) async -> FlushResult {
        guard !isShutDown else { return .done }
        hooks.beginFlush()
        schedule.recordFlush(cause, at: time.now())
        defer { schedule.recordFlush(cause, at: time.now()) }
        applyPlan()
        processor.measure {
            pendingRecords.prepare()
            maintain(cause)
        }
        reportStorageFailures()
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
        while !Task.isCancelled, let leased = processor.measure({ leaseNext(cause) }) {
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

    /// Leases the most urgent records; if there are none, those that the server has condemned before, each for a
    /// request of its own.
    private func leaseNext(_ cause: FlushCause) -> LeasedBatches? {
        guard let lowest = schedule.lowestPriority(for: cause, at: time.now()) else { return nil }
        let priority = UInt8(lowest.rawValue)
        let records = pacing.records(afterFailures: schedule.attempts)
        if let fresh = pendingRecords.next(minimumPriority: priority, records: records, bytes: pacing.bytes) {
            return fresh
        }
        guard time.now() >= nextRetrial else { return nil }
        nextRetrial = time.now() + Self.retrialInterval
        return pendingRecords.nextCondemned(minimumPriority: priority, records: Self.retrialSize)
    }

    private func send(_ batch: ExportBatch, of leased: LeasedBatches, to endpoint: OTLPEndpoint) async -> Step {
        var request = processor.measure { endpoint.request(with: batch) }
        let seconds = pacing.timeout(ofBody: request.body.count, configured: endpoint.timeout.seconds)
        request.timeout = .seconds(seconds)
        // Memory in use: the leased records and the request body built from them.
        largestRequest = max(largestRequest, batch.byteCount + request.body.count)
        let start = time.now()
        let result = await attempt(request)
        if case .timedOut = result {
            pacing.timedOut(bytes: batch.byteCount, body: request.body.count, after: seconds)
        }
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
            condemnedInARow = 0
            sent.lastFailure = nil
            sent.lastUpload = Date(timeIntervalSince1970: Double(time.wall()) / 1e9)
            pacing.succeeded(
                records: batch.count, body: request.body.count, in: time.now() - start, timeout: seconds, )
            return .next
        case .condemned(_, let isTooLarge) where batch.count > 1:
            pacing.condemned(records: batch.count, bytes: batch.byteCount, isTooLarge: isTooLarge)
            return .divide
        case .condemned(let reason, _):
            return condemn(batch, of: leased, reason: reason, by: endpoint)
        case .retry(let seconds, let reason, let isServerRequested):
            return fail(after: seconds, reason: reason, isServerRequested: isServerRequested, at: endpoint)
        }
    }

    /// Sends a request with the app's headers; once more with new ones if the server refuses them.
    private func attempt(_ request: OTLPRequest) async -> SendResult {
        guard let headers = settings.requestHeaders else { return await transmit(request) }
        let result = await transmit(request.adding(await headers(false)))
        guard case .response(401, _, _) = result else { return result }
        return await transmit(request.adding(await headers(true)))
    }

    private func transmit(_ request: OTLPRequest) async -> SendResult {
        sent.requests += 1
        sent.bytesSent += request.body.count
        return await transport.send(request)
    }

    /// The server condemned a single record: it is tried again later, alone, and dropped after too many tries. A server
    /// that condemns one record after the other is at fault itself.
    private func condemn(
        _ batch: ExportBatch, of leased: LeasedBatches, reason: String, by endpoint: OTLPEndpoint,
    ) -> Step {
        pacing.found()
        let dropped = pendingRecords.recordFailure(batch, of: leased)
        sent.lastFailure = reason
        hooks.onDiagnostic(
            dropped > 0
                ? "Dropped \(Self.count(dropped)): the server refused it too often, last with \(reason)"
                : "The server refused a record with \(reason). It is sent again later.")
        guard !leased.isRetrial else { return .next }
        nextRetrial = max(nextRetrial, time.now() + Self.retrialInterval)
        condemnedInARow += 1
        guard condemnedInARow > 1 else { return .next }
        let wait = settings.retry.backoff(schedule.attempts, time.random())
        return fail(after: wait, reason: reason, isServerRequested: false, at: endpoint)
    }

    private func fail(
        after seconds: Double, reason: String, isServerRequested: Bool, at endpoint: OTLPEndpoint,
    ) -> Step {
        if schedule.attempts == 0 {
            hooks.onDiagnostic("Cannot deliver to \(endpoint.place): \(reason). Records are kept and retried.")
        }
        sent.lastFailure = reason
        schedule.failed(wait: seconds, reason: reason, isServerRequested: isServerRequested, at: time.now())
        return .stop(seconds: seconds, reason: reason)
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
    /// Seconds between two tries of records that the server has condemned.
    private static let retrialInterval = 300.0
    /// The most such records of one try.
    private static let retrialSize = 16
}

extension OTLPRequest {
    /// Headers that the exporter sets itself.
    fileprivate static let ownHeaders: Set = ["content-type", "content-encoding"]

    /// Adds headers, which replace those of the same name.
    fileprivate func adding(_ added: [String: String]) -> OTLPRequest {
        var request = self
        for (name, value) in added where !Self.ownHeaders.contains(name.lowercased()) {
            request.headers.setHeader(name, to: value)
        }
        return request
    }
}

extension OTLPEndpoint {
    func request(with batch: ExportBatch) -> OTLPRequest {
        var headers = headers.filter { !OTLPRequest.ownHeaders.contains($0.key.lowercased()) }
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
