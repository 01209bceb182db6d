import AstrolabeGzip
import AstrolabeJournal
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import Foundation

extension DeliveryService {
    /// What to do after one attempt to send a batch.
    private enum Step {
        case goOn
        /// The request was too large for the server: send smaller ones.
        case divide
        case stop(seconds: Double, reason: String)
    }

    func send(_ cause: FlushCause) async -> FlushResult {
        guard !isShutDown else { return .done }
        schedule.noteFlush(cause, at: time.now())
        defer { schedule.noteFlush(cause, at: time.now()) }
        listen()
        processor.measure {
            outbox.prepare()
            keepUp(cause)
        }
        if hooks.isCollectionDue(cause) { hooks.collect(ledger) }
        var result = FlushResult.done
        if let endpoint = settings.endpoint { result = await sendAll(cause, to: endpoint) }
        processor.measure {
            if settings.endpoint == nil || schedule.mustSetAside(at: time.now()) { outbox.moveToQueue() }
            outbox.journal.maintain()
        }
        if result == .done, case .backingOff(let seconds, let reason) = schedule.blocker(at: time.now()) {
            result = .waiting(seconds: seconds, reason: reason)
        }
        return result
    }

    private func sendAll(_ cause: FlushCause, to endpoint: OTLPEndpoint) async -> FlushResult {
        while !Task.isCancelled, let lowest = schedule.lowestPriority(for: cause, at: time.now()),
            let consignment = processor.measure({
                outbox.next(minimumPriority: UInt8(lowest.rawValue), records: batchSize, bytes: settings.batchBytes)
            })
        {
            var step = Step.goOn
            for parcel in consignment.parcels {
                step = await send(parcel, of: consignment, to: endpoint)
                guard case .goOn = step else { break }
            }
            listen()
            if case .goOn = step { continue }
            outbox.release(consignment)
            if case .stop(let seconds, let reason) = step { return .waiting(seconds: seconds, reason: reason) }
        }
        return .done
    }

    private func send(_ parcel: ExportBatch, of consignment: LeasedBatches, to endpoint: OTLPEndpoint) async -> Step {
        let request = processor.measure { endpoint.request(with: parcel) }
        // Memory in use: the leased records and the request body built from them.
        largestRequest = max(largestRequest, parcel.byteCount + request.body.count)
        sent.requests += 1
        sent.bytesSent += request.body.count
        let result = await transport.send(request)
        let decision = settings.retry.decide(
            result, attempts: schedule.attempts, random: time.random(), partialSuccess: ExportResponse.rejection(in:),
        )
        switch decision {
        case .delivered(let rejected, let reason):
            let rejected = min(max(rejected, 0), parcel.count)
            outbox.settle(parcel, of: consignment, rejected: rejected)
            if rejected > 0 { hooks.onDiagnostic("the server took all but \(rejected) records: \(reason)") }
            if schedule.attempts > 0 { hooks.onDiagnostic("delivering to \(endpoint.place) again") }
            schedule.succeeded()
            sent.lastFailure = nil
            sent.lastUpload = Double(time.wall()) / 1e9
            batchSize = min(batchSize * 2, settings.batchSize)
            return .goOn
        case .tooLarge where parcel.count > 1:
            batchSize = max(1, min(parcel.count, batchSize) / 2)
            return .divide
        case .tooLarge(let reason), .drop(let reason):
            outbox.settle(parcel, of: consignment, rejected: parcel.count)
            sent.lastFailure = reason
            hooks.onDiagnostic("gave up \(parcel.count) records: \(reason) from \(request.url.path)")
            return .goOn
        case .retry(let seconds, let reason, let isRefusal, let isServersWish):
            let gone = isRefusal ? outbox.refuse(parcel, of: consignment) : 0
            if gone > 0 { hooks.onDiagnostic("gave up \(gone) records: \(reason), again and again") }
            if schedule.attempts == 0 {
                hooks.onDiagnostic("cannot deliver to \(endpoint.place): \(reason)")
            }
            sent.lastFailure = reason
            schedule.failed(wait: seconds, reason: reason, isServersWish: isServersWish, at: time.now())
            return .stop(seconds: seconds, reason: reason)
        }
    }

    /// Maintains the queue every `upkeepInterval`: drops expired records and counts what other processes have added or
    /// sent. Persists the counters then, and before the process may end.
    private func keepUp(_ cause: FlushCause) {
        let now = time.now()
        let isDue = now - lastUpkeep >= Self.upkeepInterval
        if isDue || cause == .conditions(.becameActive) { outbox.reopenQueue() }
        if isDue {
            lastUpkeep = now
            outbox.recount()
            outbox.maintainQueue()
        }
        if isDue || cause.mayBeTheLast { persistCounters() }
    }

    /// Seconds between two periodic checks of the queue.
    private static let upkeepInterval = 300.0
}

extension OTLPEndpoint {
    /// Headers that the exporter sets itself.
    private static let ownHeaders: Set = ["content-type", "content-encoding"]

    func request(with parcel: ExportBatch) -> OTLPRequest {
        var headers = headers.filter { !Self.ownHeaders.contains($0.key.lowercased()) }
        headers["Content-Type"] = "application/x-protobuf"
        var body = parcel.body
        if isCompressed, let compressed = try? GzipCoder.compress(body) {
            body = compressed
            headers["Content-Encoding"] = "gzip"
        }
        return OTLPRequest(
            url: url(forSignal: parcel.kind.signalPath), headers: headers, body: body, timeout: timeout,
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
