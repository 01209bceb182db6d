import AstrolabeDelivery
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeWire
import Dispatch
import Foundation
import Logging
import NIOCore
import ServiceLifecycle

/// Sends the requests that the console has accepted to an upstream endpoint, from a queue on disk.
///
/// A record of the queue is one request as it was received. It stays until the upstream has responded to it, also if
/// the console is killed. A request that was on its way at a kill is sent again. Each signal has its own turn: an
/// upstream that does not take logs gets the traces.
///
/// Each request names the consoles that it came through: ``ForwardingHops``. One that has come through this console
/// already is not forwarded again, so consoles that forward to one another do not send for ever.
final class Forwarder: Service, Sendable {
    private let configuration: ForwardingConfiguration
    private let queue: RecordQueue
    private let logger: Logger
    private let transport: any OTLPTransport
    private let policy = RetryPolicy()
    /// SQLite blocks its thread.
    private let thread = DispatchQueue(label: "astrolabe.forwarding", qos: .utility)
    private let arrivals: [Signal: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)]
    private let reported = Locked<Set<QueueDrop>>([])
    private let failures = Locked<[Signal: String]>([:])
    /// This console's name in a ring of consoles.
    private let id = ForwardingHops.makeID()
    private let returned = Locked(0)

    /// The requests of a signal on their way at the same time.
    private static let requestsAtOnce = 8
    private static let bytesAtOnce = 16 << 20
    /// The counter of the records that the upstream rejected although it accepted their request.
    static let rejectedRecords = "forward.rejected-records"

    /// Opens the queue, or creates it.
    init(
        _ configuration: ForwardingConfiguration, transport: any OTLPTransport, logger: Logger,
    ) throws(QueueError) {
        var limits = QueueConfiguration()
        limits.maximumBytes = configuration.queueBytes
        limits.maximumRecordBytes = configuration.queueBytes
        limits.maximumRecords = 100_000_000
        // The size is the only bound: ten years.
        limits.maximumAge = 3_650 * 86_400 * 1_000_000_000
        // A request that the upstream refuses is dropped at once.
        limits.maximumFailedAttempts = 0
        // As the store's commits.
        limits.durability = .processDeath
        queue = try RecordQueue(path: configuration.queuePath, configuration: limits)
        self.configuration = configuration
        self.transport = transport
        self.logger = logger
        arrivals = Signal.allCases.reduce(into: [:]) { arrivals, signal in
            arrivals[signal] = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
    }

    /// Stores a request, unless it has come through this console already. It survives the end of the process when this
    /// returns.
    func keep(
        _ body: ByteBuffer, signal: Signal, encoding: OTLPEncoding, isGzip: Bool, hops: ForwardingHops,
    ) async throws(IngestFailure) {
        guard hops.permit(id) else { return noteReturn() }
        let head = QueuedRequest(signal: signal, encoding: encoding, isGzip: isGzip, hops: hops)
        do {
            let receipt = try await perform { queue in
                var batch = QueueBatch()
                body.withUnsafeReadableBytes {
                    batch.append($0, kind: head.kind, priority: 1, time: SystemTime.wall, header: head.header)
                }
                return try queue.enqueue(batch)
            }
            report(receipt.dropped, because: "the queue of \(configuration.queueBytes) bytes is full")
            arrivals[signal]?.continuation.yield()
        } catch {
            throw .forwarding("\(error)")
        }
    }

    /// The requests that had come through this console, or through too many, and were not forwarded; since the start.
    var returnedRequests: Int { returned.withLock { $0 } }

    private func noteReturn() {
        let count = returned.withLock { count in
            count += 1
            return count
        }
        guard count == 1 else { return }
        logger.warning(
            """
            a request came back that was forwarded to \(place), or came through \(ForwardingHops.limit) consoles. \
            It is stored and not forwarded. Further ones have no line. Change --forward of one of the consoles.
            """)
    }

    func statistics() async throws -> QueueStatistics { try await perform { try $0.statistics() } }

    /// The upstream endpoint without what may be a key.
    var place: String { configuration.endpoint.place }

    var bytesLimit: Int { configuration.queueBytes }

    func close() { queue.close() }

    func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for (signal, arrivals) in self.arrivals {
                    group.addTask { await self.forward(signal, arrivals.stream) }
                }
            }
        }
    }

    private func forward(_ signal: Signal, _ arrivals: AsyncStream<Void>) async {
        var iterator = arrivals.makeAsyncIterator()
        var failures = 0
        while !Task.isCancelled {
            do {
                let limit = failures > 0 ? 1 : Self.requestsAtOnce
                let lease = try await perform {
                    try $0.lease(
                        maximumRecords: limit, maximumBytes: Self.bytesAtOnce, kinds: [QueuedRequest.kind(of: signal)],
                    )
                }
                guard let lease else {
                    _ = await iterator.next()
                    continue
                }
                let wait = try await settle(lease, of: signal, await send(lease, failures: failures))
                failures = wait == nil ? 0 : failures + 1
                if let wait { try? await Task.sleep(for: .seconds(wait)) }
            } catch {
                logger.error("the queue of forwarded requests failed: \(error)")
                try? await Task.sleep(for: .seconds(5))
            }
        }
    }

    private func send(_ lease: QueueLease, failures: Int) async -> [Int64: SendDecision] {
        await withTaskGroup(of: (Int64, SendDecision).self) { group in
            for record in lease.records {
                group.addTask {
                    guard let head = QueuedRequest(kind: record.kind, header: lease.headers[record.header] ?? []) else {
                        return (record.id, .refused(reason: "an unknown kind of request", isTooLarge: false))
                    }
                    let endpoint = self.configuration.endpoint
                    let request = OTLPRequest(
                        url: endpoint.url.appendingPathComponent(head.signal.path),
                        headers: endpoint.headers.merging(head.fields(from: self.id)) { $1 }, body: record.payload,
                        timeout: endpoint.timeout)
                    let decision = self.policy.decide(
                        await self.transport.send(request), attempts: failures, random: .random(in: 0..<1),
                        partialSuccess: {
                            head.encoding == .protobuf ? ExportResponse.rejection(in: $0) : (0, "")
                        })
                    return (record.id, decision)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// Notes the results; returns the seconds to wait if a request must be sent again.
    private func settle(
        _ lease: QueueLease, of signal: Signal, _ results: [Int64: SendDecision],
    ) async throws -> Double? {
        var (delivered, refused): ([Int64], [Int64]) = ([], [])
        var (rejected, wait): (Int, Double?) = (0, nil)
        var reason = ""
        for (id, decision) in results {
            switch decision {
            case .delivered(let count, _):
                delivered.append(id)
                rejected += count
            case .refused(let text, _):
                refused.append(id)
                reason = text
            case .retry(let after, let text, _):
                wait = max(wait ?? 0, after)
                note(failure: text, of: signal)
            }
        }
        let change = QueueChange(counters: rejected > 0 ? [Self.rejectedRecords: rejected] : [:])
        let dropped = try await perform { [delivered, refused] queue in
            if !delivered.isEmpty { try queue.acknowledge(delivered, change: change) }
            let receipt = refused.isEmpty ? nil : try queue.recordFailure(refused, of: lease)
            try queue.release(lease)
            return receipt?.dropped ?? [:]
        }
        report(dropped, because: "the upstream rejected a request: \(reason)")
        if wait == nil, failures.withLock({ $0.removeValue(forKey: signal) }) != nil {
            logger.notice("forwarding \(signal.rawValue) to \(configuration.endpoint.place) works again")
        }
        return wait
    }

    /// Why requests wait; `nil` if the last ones were accepted.
    var failure: String? {
        let failures = failures.withLock { $0 }
        let texts = Signal.allCases.compactMap { signal in failures[signal].map { "\(signal.rawValue): \($0)" } }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private func note(failure: String, of signal: Signal) {
        let isNew = failures.withLock { $0.updateValue(failure, forKey: signal) == nil }
        guard isNew, !Task.isCancelled else { return }
        logger.warning(
            "forwarding \(signal.rawValue) to \(configuration.endpoint.place) failed, and is retried: \(failure)")
    }

    /// Logs the first drop for each reason. All are counted.
    private func report(_ dropped: [QueueDrop: Int], because reason: String) {
        for drop in dropped.keys where reported.withLock({ $0.insert(drop).inserted }) {
            logger.warning("forwarding dropped a request, and counts further ones without a line: \(reason)")
        }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (RecordQueue) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            thread.async { [queue] in continuation.resume(with: Result { try body(queue) }) }
        }
    }
}

/// The part of the queue's entry beside the body of a request.
private struct QueuedRequest: Sendable {
    let signal: Signal
    let encoding: OTLPEncoding
    let isGzip: Bool
    let hops: ForwardingHops

    init(signal: Signal, encoding: OTLPEncoding, isGzip: Bool, hops: ForwardingHops) {
        self.signal = signal
        self.encoding = encoding
        self.isGzip = isGzip
        self.hops = hops
    }

    init?(kind: UInt8, header: [UInt8]) {
        guard Signal.allCases.indices.contains(Int(kind) - 1), header.count >= 2 else { return nil }
        self.init(
            signal: Signal.allCases[Int(kind) - 1], encoding: header[0] == 0 ? .protobuf : .json,
            isGzip: header[1] == 1, hops: ForwardingHops(String(decoding: header.dropFirst(2), as: UTF8.self)))
    }

    var kind: UInt8 { Self.kind(of: signal) }

    static func kind(of signal: Signal) -> UInt8 { UInt8(Signal.allCases.firstIndex(of: signal) ?? 0) + 1 }

    var header: [UInt8] { [encoding == .protobuf ? 0 : 1, isGzip ? 1 : 0] + Array(hops.value.utf8) }

    /// The header fields that a console sends. None is the sender's own, because those may have its key.
    func fields(from console: String) -> [String: String] {
        var fields = ["Content-Type": encoding.contentType, ForwardingHops.header: hops.value(addedBy: console)]
        if isGzip { fields["Content-Encoding"] = "gzip" }
        return fields
    }
}
