import Foundation
import Gzip
package import OTLP
import TelemetryModel

/// Takes records from the buffer and sees them to the server: the one owner of batching and of retry.
///
/// At most one request is on its way at a time, and the batch in it is kept until the server has answered. A flush that
/// is asked for during another waits for that one and then sends what has come since, so nothing is sent twice.
package actor DeliveryService {
    package struct Settings: Sendable {
        package var endpoint: OTLPEndpoint
        /// Seconds between two flushes.
        package var flushInterval = 5.0
        /// Records of one batch; the three signals of a batch are separate requests.
        package var batchSize = 512
        package var retry = RetryPolicy()

        package init(endpoint: OTLPEndpoint) {
            self.endpoint = endpoint
        }
    }

    /// How a flush ended.
    package enum FlushResult: Hashable, Sendable {
        /// All that had been recorded was delivered or given up.
        case done
        /// The server could not be reached or is busy; the next try comes after this many seconds.
        case waiting(seconds: Double, reason: String)
    }

    private let buffer: MemoryBuffer
    private let resource: EncodedResource
    private let transport: any OTLPTransport
    private let settings: Settings
    private let beforeFlush: @Sendable (_ isScheduled: Bool) -> Void
    private let diagnose: @Sendable (String) -> Void
    private let random: @Sendable () -> Double

    /// Requests that are built and not yet answered for good, the first of them on its way.
    private var outgoing: [Outgoing] = []
    private var attempts = 0
    private var report = DeliveryReport()
    private var flushing: Task<FlushResult, Never>?
    private var loop: Task<Void, Never>?

    private struct Outgoing {
        let request: OTLPRequest
        let recordCount: Int
        var refusals = 0
    }

    /// - Parameters:
    ///   - beforeFlush: Collects what is recorded only on demand: metrics. Told whether the interval or somebody asked.
    ///   - diagnose: Told in one line when delivery begins to fail, and when it works again.
    package init(
        buffer: MemoryBuffer, resource: EncodedResource, transport: any OTLPTransport, settings: Settings,
        beforeFlush: @escaping @Sendable (_ isScheduled: Bool) -> Void = { _ in },
        diagnose: @escaping @Sendable (String) -> Void = { _ in },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    ) {
        self.buffer = buffer
        self.resource = resource
        self.transport = transport
        self.settings = settings
        self.beforeFlush = beforeFlush
        self.diagnose = diagnose
        self.random = random
    }

    /// Flushes on the interval, or when a retry is due, until `shutdown`.
    package func start(clock: some Clock<Duration> = ContinuousClock()) {
        guard loop == nil else { return }
        let interval = settings.flushInterval
        loop = Task(priority: .utility) { [weak self] in
            var wait = interval
            while !Task.isCancelled {
                do { try await clock.sleep(for: .seconds(wait)) } catch { return }
                guard let result = await self?.flush(isScheduled: true) else { return }
                if case .waiting(let seconds, _) = result { wait = max(seconds, 0.05) } else { wait = interval }
            }
        }
    }

    /// Sends all that has been recorded until now, and stops at the first failure that a retry may mend.
    @discardableResult
    package func flush(isScheduled: Bool = false) async -> FlushResult {
        if let flushing { _ = await flushing.value }
        if let flushing { return await flushing.value }
        let task = Task { await send(isScheduled: isScheduled) }
        flushing = task
        let result = await task.value
        flushing = nil
        return result
    }

    /// Flushes for the last time, for at most `seconds`, and stops.
    package func shutdown(within seconds: Double, clock: some Clock<Duration> = ContinuousClock()) async {
        loop?.cancel()
        loop = nil
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.flushUntilDone(clock: clock) }
            group.addTask { try? await clock.sleep(for: .seconds(seconds)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func flushUntilDone(clock: some Clock<Duration>) async {
        while !Task.isCancelled, case .waiting(let wait, _) = await flush() {
            do { try await clock.sleep(for: .seconds(wait)) } catch { return }
        }
    }

    /// The account of all records so far.
    package var currentReport: DeliveryReport {
        var current = report
        current.created = buffer.appendedCount
        current.dropped[.bufferFull] = buffer.droppedCount == 0 ? nil : buffer.droppedCount
        return current
    }

    private func send(isScheduled: Bool) async -> FlushResult {
        beforeFlush(isScheduled)
        while true {
            if outgoing.isEmpty { outgoing = requests(for: buffer.take(limit: settings.batchSize)) }
            guard let next = outgoing.first else { return .done }
            report.requests += 1
            report.bytesSent += next.request.body.count
            let result = await transport.send(next.request)
            let decision = settings.retry.decide(
                result, refusals: next.refusals, attempts: attempts, random: random(),
                partialSuccess: ExportResponse.rejection(in:), )
            switch decision {
            case .delivered(let rejected, let reason):
                let rejected = min(max(rejected, 0), next.recordCount)
                outgoing.removeFirst()
                report.delivered += next.recordCount - rejected
                count(rejected, as: .rejected)
                if rejected > 0 { diagnose("the server took all but \(rejected) records: \(reason)") }
                recovered()
            case .drop(let reason):
                outgoing.removeFirst()
                let isSpent = next.refusals >= settings.retry.maximumRefusals
                count(next.recordCount, as: isSpent ? .retriesSpent : .rejected)
                report.lastFailure = reason
                diagnose("gave up \(next.recordCount) records: \(reason) from \(next.request.url.path)")
                attempts = 0
            case .retry(let seconds, let reason):
                if case .answered = result { outgoing[0].refusals += 1 }
                if attempts == 0 { diagnose("cannot deliver to \(settings.endpoint.url.absoluteString): \(reason)") }
                attempts += 1
                report.lastFailure = reason
                return .waiting(seconds: seconds, reason: reason)
            }
        }
    }

    private func recovered() {
        if attempts > 0 { diagnose("delivering to \(settings.endpoint.url.absoluteString) again") }
        attempts = 0
        report.lastFailure = nil
    }

    private func count(_ records: Int, as reason: DropReason) {
        if records > 0 { report.dropped[reason, default: 0] += records }
    }

    /// One request for each kind that the batch holds.
    private func requests(for batch: RecordBatch) -> [Outgoing] {
        RecordKind.allCases.compactMap { kind in
            guard let groups = batch.part(kind) else { return nil }
            return Outgoing(
                request: request(for: groups, path: kind.signalPath),
                recordCount: groups.reduce(0) { $0 + $1.records.count }, )
        }
    }

    private func request(for groups: [RecordBatch.Group], path: String) -> OTLPRequest {
        let scopes = groups.map { (scope: EncodedScope(buffer.scope($0.scope)), records: $0.records) }
        var headers = settings.endpoint.headers
        headers["Content-Type"] = "application/x-protobuf"
        var body = ExportRequest.build(resource: resource, scopes: scopes)
        if settings.endpoint.isCompressed, let compressed = try? GzipCoder.compress(body) {
            body = compressed
            headers["Content-Encoding"] = "gzip"
        }
        return OTLPRequest(
            url: settings.endpoint.url(forSignal: path), headers: headers, body: body,
            timeout: settings.endpoint.timeout, )
    }
}

extension RecordKind {
    /// The last part of the path that OTLP/HTTP gives this signal.
    var signalPath: String {
        switch self {
        case .span: "traces"
        case .event: "logs"
        case .metric: "metrics"
        }
    }
}
