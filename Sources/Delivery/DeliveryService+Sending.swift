import AstrolabeGzip
import AstrolabeJournal
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation

extension DeliveryService {
    /// The next step after one attempt to send a batch.
    private enum Step {
        case next
        /// The server refused the request: send smaller ones.
        case divide
        /// The records of these signals wait.
        case stop(RecordKinds, seconds: Double, reason: String)
    }

    func send(_ cause: FlushCause) async -> FlushResult {
        guard !isShutDown else { return .done }
        hooks.checkConsent()
        await record { $0.beginFlush() }
        schedule.recordFlush(cause, at: time.now())
        defer { schedule.recordFlush(cause, at: time.now()) }
        applyPlan()
        processor.measure {
            pendingRecords.prepare()
            maintain(cause)
        }
        // A crash is sent first, and before an end all of the journal is made durable.
        let isUrgent = cause == .critical || cause.mayBeTheLast
        if !isUrgent { promote() }
        reportStorageFailures()
        await collect(cause)
        await report()
        var result = FlushResult.done
        let deliveredBefore = deliveredRequests
        if let endpoint = settings.endpoint { result = await sendAll(cause, to: endpoint) }
        processor.measure {
            let isCutShort = Task.isCancelled && !isEnding
            if settings.endpoint == nil || isCutShort || schedule.mustMoveToQueue(after: cause, at: time.now()) {
                pendingRecords.moveToQueue(isLast: true)
            }
            pendingRecords.journal.maintain()
            reportLosses()
        }
        if isUrgent { promote() }
        await report()
        if !schedule.isHeld, mayBegin { hooks.afterFlush(cause, deliveredRequests > deliveredBefore) }
        if result == .done, case .backingOff(let delay, let reason) = schedule.blocker(at: time.now()) {
            result = .waiting(seconds: delay.seconds, reason: reason)
        }
        return result
    }

    /// Sends one request after the other. While one is on its way, the next is leased, encoded and compressed.
    private func sendAll(_ cause: FlushCause, to endpoint: OTLPEndpoint) async -> FlushResult {
        var failed: RecordKinds = []
        var wait: (seconds: Double, reason: String)?
        var next = processor.measure { prepare(cause, except: failed, for: endpoint) }
        defer { if let next { pendingRecords.release(next.leased) } }
        while !Task.isCancelled, let current = next {
            // Consent may have been withdrawn since these records were leased, and some of them recorded after that.
            applyPlan()
            if schedule.isHeld { break }
            let seconds = pacing.timeout(ofBody: current.body.count, configured: current.unlimited.timeout.seconds)
            let request = current.request(timeout: seconds, schedule.plan.upload)
            let start = time.now()
            let hasAppHeaders = endpoint.isAtOrigin(current.batch.kind)
            async let sending = exchange(request, hasAppHeaders: hasAppHeaders)
            next = processor.measure { prepare(after: current, cause, except: failed, for: endpoint) }
            // Memory in use: the leased records and the request bodies built from them.
            largestRequest = max(largestRequest, current.memory + (next?.memory ?? 0))
            let exchange = await sending
            sent.requests += exchange.requests
            sent.bytesSent += exchange.requests * current.body.count
            if Task.isCancelled, !exchange.result.isResponse {
                // It says nothing about the server.
                if next?.leased !== current.leased { pendingRecords.release(current.leased) }
                return .cancelled
            }
            if let hang = exchange.hang { note(hang, of: current.batch.kind, at: endpoint) }
            let transfer = Transfer(result: exchange.result, seconds: time.now() - start, timeout: seconds)
            let step = settle(current, transfer, after: failed, by: endpoint)
            await report()
            // A flush can last for long, and metrics are due meanwhile.
            if cause != .critical { await collect(.scheduled) }
            applyPlan()
            guard case .next = step else {
                if let other = next, other.leased !== current.leased { pendingRecords.release(other.leased) }
                pendingRecords.release(current.leased)
                next = nil
                if case .stop(let kinds, let seconds, let reason) = step {
                    failed.formUnion(kinds)
                    if seconds < wait?.seconds ?? .infinity { wait = (seconds, reason) }
                }
                next = processor.measure { prepare(cause, except: failed, for: endpoint) }
                continue
            }
            if let ahead = next, ahead.leased !== current.leased,
                ahead.permission != schedule.permission(for: cause, at: time.now(), except: failed)
            {
                // The plan has changed.
                pendingRecords.release(ahead.leased)
                next = nil
            }
            if next == nil { next = processor.measure { prepare(cause, except: failed, for: endpoint) } }
        }
        if let wait { return .waiting(seconds: wait.seconds, reason: wait.reason) }
        return Task.isCancelled ? .cancelled : .done
    }

    /// The first request of the next lease.
    private func prepare(
        _ cause: FlushCause, except failed: RecordKinds, for endpoint: OTLPEndpoint,
    ) -> PreparedRequest? {
        guard !makesWay(cause), let permission = schedule.permission(for: cause, at: time.now(), except: failed)
        else { return nil }
        return leaseNext(permission).map { prepared(0, of: $0, permission, for: endpoint) }
    }

    /// The request that follows one on its way: of the same lease, or of another if there is a backlog.
    ///
    /// If a request has failed, or requests grow again after one did, the next lease depends on the result.
    private func prepare(
        after current: PreparedRequest, _ cause: FlushCause, except failed: RecordKinds,
        for endpoint: OTLPEndpoint,
    ) -> PreparedRequest? {
        let leased = current.leased
        if current.index + 1 < leased.batches.count {
            return prepared(current.index + 1, of: leased, current.permission, for: endpoint)
        }
        let permission = current.permission
        guard !permission.kinds.all.contains(where: schedule.isFailing), !leased.isRetrial, pacing.isFull(leased),
            !makesWay(cause), schedule.permission(for: cause, at: time.now(), except: failed) == permission
        else { return nil }
        return leaseInTurn(permission, records: pacing.records) {
            pendingRecords.nextOfOpenRuns(permission, records: pacing.records, bytes: pacing.bytes)
        }
        .map { prepared(0, of: $0, permission, for: endpoint) }
    }

    /// Returns true if a flush for critical records ends because one for all waits.
    private func makesWay(_ cause: FlushCause) -> Bool { cause == .critical && fullerFlushesWaiting > 0 }

    private func prepared(
        _ index: Int, of leased: LeasedBatches, _ permission: UploadSchedule.Permission, for endpoint: OTLPEndpoint,
    ) -> PreparedRequest {
        // If records arrive faster than they are sent, time matters more than bytes.
        let level = pendingRecords.journal.isFilling ? GzipCoder.fastestLevel : GzipCoder.defaultLevel
        return PreparedRequest(
            leased: leased, index: index, permission: permission,
            unlimited: endpoint.request(with: leased.batches[index], compression: level))
    }

    /// Leases the most urgent records; if there are none, those that the server has refused before, each for a
    /// request of its own.
    private func leaseNext(_ permission: UploadSchedule.Permission) -> LeasedBatches? {
        let fresh = leaseInTurn(permission, records: pacing.records) {
            pendingRecords.next(permission, records: pacing.records, bytes: pacing.bytes)
        }
        if let fresh {
            guard fresh.size.records > pacing.probe, fresh.batches.contains(where: { schedule.isFailing($0.kind) })
            else { return fresh }
            // The server may still fail: a few records find out.
            pendingRecords.release(fresh)
            return pendingRecords.next(permission, records: pacing.probe, bytes: pacing.bytes)
        }
        guard time.now() >= nextRetrial else { return nil }
        nextRetrial = time.now() + Self.retrialInterval
        return pendingRecords.nextRefused(permission, records: Self.retrialSize)
    }

    /// Leases records of the kind whose turn it is; if there are none, those that `mostUrgent` leases.
    private func leaseInTurn(
        _ permission: UploadSchedule.Permission, records: Int, _ mostUrgent: () -> LeasedBatches?,
    ) -> LeasedBatches? {
        var leased: LeasedBatches?
        while leased == nil, let kind = turns.due(among: permission.kinds) {
            let only = UploadSchedule.Permission(lowest: permission.lowest, kinds: [kind])
            leased = pendingRecords.nextOfOpenRuns(only, records: records, bytes: pacing.bytes)
            if leased == nil { turns.skip(kind) }
        }
        leased = leased ?? mostUrgent()
        if let leased { turns.take(leased.batches.map(\.kind)) }
        return leased
    }

    private func settle(
        _ request: PreparedRequest, _ transfer: Transfer, after failed: RecordKinds, by endpoint: OTLPEndpoint,
    ) -> Step {
        let (batch, leased) = (request.batch, request.leased)
        if case .timedOut = transfer.result {
            pacing.timedOut(bytes: batch.byteCount, body: request.body.count, after: transfer.timeout)
        }
        let part = transfer.result.concernsSignal ? .signal(batch.kind) : schedule.server(of: batch.kind)
        let decision = settings.retry.decide(
            transfer.result, attempts: schedule.failures(of: part), random: time.random(),
            partialSuccess: ExportResponse.rejection(in:),
        )
        switch decision {
        case .delivered(let rejected, let reason):
            let rejected = min(max(rejected, 0), batch.count)
            processor.measure { pendingRecords.acknowledge(batch, of: leased, rejected: rejected) }
            reportExport(batch.count - rejected, of: request)
            reportExport(rejected, of: request, errorType: "rejected")
            if rejected > 0 { note("The server rejected \(Self.count(rejected)): \(reason)") }
            for part in [.signal(batch.kind), schedule.server(of: batch.kind)] where schedule.failures(of: part) > 0 {
                note("Delivery to \(endpoint.place(of: part, for: batch.kind)) resumed")
            }
            deliveredRequests += 1
            schedule.succeeded(batch.kind)
            refusedInARow[batch.kind] = nil
            sent.lastFailure = nil
            sent.lastUpload = Date(timeIntervalSince1970: Double(time.wall()) / 1e9)
            pacing.succeeded(
                records: batch.count, body: request.body.count, in: transfer.seconds, timeout: transfer.timeout)
            return .next
        case .refused(_, let isTooLarge) where batch.count > 1:
            pacing.refused(records: batch.count, bytes: batch.byteCount, isTooLarge: isTooLarge)
            return .divide
        case .refused(let reason, _):
            return refuse(request, transfer, reason: reason, after: failed, by: endpoint)
        case .retry(let seconds, let reason, let isServerRequested):
            return fail(
                part, of: batch.kind, wait: seconds, reason: reason, isServerRequested: isServerRequested,
                after: failed, at: endpoint)
        }
    }

    /// Names the app's function that does not return, once, if no line about the server that fails does so.
    private func note(_ hang: String, of kind: RecordKind, at endpoint: OTLPEndpoint) {
        let server = schedule.server(of: kind)
        guard reportedFailures.insert(hang).inserted, schedule.failures(of: server) > 0 else { return }
        note(Self.failure(of: endpoint.place(of: server, for: kind), reason: hang))
    }

    private static func failure(of place: String, reason: String) -> String {
        "Cannot deliver to \(place): \(reason). Records are kept and retried."
    }

    /// The server refused a single record: it is tried again later, alone, and dropped after too many tries. A server
    /// that refuses one record after the other is at fault itself.
    private func refuse(
        _ request: PreparedRequest, _ transfer: Transfer, reason: String, after failed: RecordKinds,
        by endpoint: OTLPEndpoint,
    ) -> Step {
        let (batch, leased) = (request.batch, request.leased)
        pacing.found()
        let dropped = pendingRecords.recordFailure(batch, of: leased)
        if case .response(let status, _, _) = transfer.result {
            reportExport(dropped, of: request, errorType: String(status))
        }
        sent.lastFailure = reason
        note(
            dropped > 0
                ? "Dropped \(Self.count(dropped)): the server refused it too often, last with \(reason)"
                : "The server refused a record with \(reason). It is sent again later.")
        guard !leased.isRetrial else { return .next }
        nextRetrial = max(nextRetrial, time.now() + Self.retrialInterval)
        refusedInARow[batch.kind, default: 0] += 1
        guard refusedInARow[batch.kind, default: 0] > 1 else { return .next }
        let part = FailedPart.signal(batch.kind)
        let wait = settings.retry.backoff(schedule.failures(of: part), time.random())
        return fail(
            part, of: batch.kind, wait: wait, reason: reason, isServerRequested: false, after: failed, at: endpoint)
    }

    private func reportExport(_ count: Int, of request: PreparedRequest, errorType: String? = nil) {
        guard count > 0, let onExport = hooks.onExport else { return }
        onExport(
            ExportOutcome(kind: request.batch.kind, url: request.unlimited.url, count: count, errorType: errorType))
    }

    private func fail(
        _ part: FailedPart, of kind: RecordKind, wait seconds: Double, reason: String, isServerRequested: Bool,
        after failed: RecordKinds, at endpoint: OTLPEndpoint,
    ) -> Step {
        if schedule.failures(of: part) == 0 {
            note(Self.failure(of: endpoint.place(of: part, for: kind), reason: reason))
        }
        sent.lastFailure = reason
        let kinds = schedule.failed(
            part, kind: kind, wait: seconds, reason: reason, isServerRequested: isServerRequested, at: time.now(),
            after: failed)
        return .stop(kinds, seconds: seconds, reason: reason)
    }

    static func count(_ records: Int) -> String { records == 1 ? "1 record" : "\(records) records" }

    /// Maintains the queue every `upkeepInterval`: drops expired records and counts what other processes have added or
    /// sent. Persists the counters then, and before the process may end.
    func maintain(_ cause: FlushCause) {
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
    /// Seconds between two tries of records that the server has refused.
    private static let retrialInterval = 300.0
    /// The most such records of one try.
    private static let retrialSize = 16
}

/// A request that is ready to be sent.
private struct PreparedRequest {
    let leased: LeasedBatches
    /// The place of its batch in the lease.
    let index: Int
    /// The permission to send when the records were leased.
    let permission: UploadSchedule.Permission
    /// The request without the timeout that the pace of delivery determines.
    let unlimited: OTLPRequest

    var batch: ExportBatch { leased.batches[index] }
    var body: [UInt8] { unlimited.body }
    var memory: Int { batch.byteCount + body.count }

    func request(timeout seconds: Double, _ plan: UploadPlan) -> OTLPRequest {
        var request = unlimited
        request.timeout = .seconds(seconds)
        let isCritical = permission.lowest == .critical
        request.allowsExpensivePath = isCritical || plan.allowsExpensivePath
        request.allowsConstrainedPath = isCritical || plan.allowsConstrainedPath
        return request
    }
}

/// The outcome of a request.
private struct Transfer {
    let result: SendResult
    let seconds: Double
    /// The timeout that it had, in seconds.
    let timeout: Double
}

extension SendResult {
    fileprivate var isResponse: Bool { if case .response = self { true } else { false } }

    /// True if a failure says something about the signal of the request, and not about the server or the way to it.
    fileprivate var concernsSignal: Bool {
        if case .response(_, retryAfter: nil, _) = self { true } else { false }
    }
}

extension OTLPEndpoint {
    /// The address that a message names: a signal's, or what all signals of a server have in common.
    fileprivate func place(of part: FailedPart, for kind: RecordKind) -> String {
        switch part {
        case .signal(let kind): Self.place(url(for: kind))
        case .server: isAtOrigin(kind) ? place : Self.place(url(for: kind))
        }
    }

    /// - Parameter compression: The level of gzip.
    func request(with batch: ExportBatch, compression: Int = GzipCoder.defaultLevel) -> OTLPRequest {
        var headers = headers(for: batch.kind).filter { !OTLPRequest.ownHeaders.contains($0.key.lowercased()) }
        headers["Content-Type"] = "application/x-protobuf"
        var body = batch.body
        // A body that cannot be compressed is sent as it is.
        if isCompressed(for: batch.kind), let compressed = try? GzipCoder.compress(body, level: compression) {
            body = compressed
            headers["Content-Encoding"] = "gzip"
        }
        return OTLPRequest(
            url: url(for: batch.kind), headers: headers, body: body, timeout: timeout(for: batch.kind),
        )
    }
}
