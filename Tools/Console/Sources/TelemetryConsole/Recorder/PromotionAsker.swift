import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel
import Foundation
import Logging
import ServiceLifecycle

/// Asks a server for its part of traces that a device's flight recorder has sent.
///
///     device --promoted spans--> console --ids of their traces--> server's flight recorder --its spans--> console
///
/// A trace is asked for if it has a promoted span of a request, and none of the server. What waits is in memory: the
/// server forgets within minutes, so a queue on disk would ask too late. Ingest waits for nothing of this.
final class PromotionAsker: Service, Sendable {
    private let server: RecorderServer
    private let store: any TelemetryStore
    private let transport: any OTLPTransport
    private let logger: Logger
    private let queue = Locked(PromotionQueue())
    private let arrivals = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let progress = Locked(Progress())

    private struct Progress {
        /// The `service.name` of the server, as its last answer says it.
        var service: String?
        /// Why the last request failed; `nil` if it did not.
        var failure: String?
    }

    /// The attempts for one list of traces.
    static let attempts = 5

    private struct Answer: Decodable {
        let service: String
        let accepted: Int
        let refused: Int
    }

    private enum Failure: Error {
        case refused(reason: String)
        case retry(after: Double, reason: String)
    }

    init(_ server: RecorderServer, store: any TelemetryStore, transport: any OTLPTransport, logger: Logger) {
        self.server = server
        self.store = store
        self.transport = transport
        self.logger = logger
    }

    /// Notes the traces of stored spans that the server may have a part of.
    func note(_ groups: [ResourceGroup<SpanData>]) {
        var traces: [TraceID] = []
        for group in groups {
            for scope in group.scopes {
                for span in scope.records where Self.isOfInterest(span) { traces.append(span.context.traceID) }
            }
        }
        guard !traces.isEmpty, queue.withLock({ $0.add(traces) }) else { return }
        arrivals.continuation.yield()
    }

    /// Returns true for a promoted span of a request, unless it was promoted because a console has asked for it.
    private static func isOfInterest(_ span: SpanData) -> Bool {
        guard span.kind == .client || span.kind == .producer else { return false }
        let trigger = span.attributes[AttributeKey.astrolabeRecorderTrigger]?.stringValue
        return trigger != nil && trigger != "remote"
    }

    /// The outcomes of the traces so far, and the number that waits.
    var counts: (PromotionQueue.Counts, waiting: Int) { queue.withLock { ($0.counts, $0.waiting.count) } }
    /// Why the last request failed; `nil` if it did not.
    var failure: String? { progress.withLock { $0.failure } }
    /// The server's address without what may be a key; `nil` while it is not known.
    var place: String? { server.address().map { OTLPEndpoint(url: $0).place } }

    func run() async {
        await cancelWhenGracefulShutdown {
            var arrivals = self.arrivals.stream.makeAsyncIterator()
            while !Task.isCancelled {
                let batch = self.queue.withLock { $0.next() }
                if batch.isEmpty { _ = await arrivals.next() } else { await self.settle(batch) }
            }
        }
    }

    /// Asks for traces until the server has answered, or has failed to for the last time.
    private func settle(_ batch: [TraceID]) async {
        for attempt in 0..<Self.attempts where !Task.isCancelled {
            do throws(Failure) {
                return try await ask(batch, attempt)
            } catch {
                switch error {
                case .refused(let reason):
                    note(failure: reason)
                    return drop(batch)
                case .retry(let seconds, let reason):
                    note(failure: reason)
                    if attempt + 1 < Self.attempts { try? await Task.sleep(for: .seconds(seconds)) }
                }
            }
        }
        drop(batch)
    }

    private func drop(_ batch: [TraceID]) { queue.withLock { $0.counts.dropped += batch.count } }

    /// Asks for those of the traces that have no span of the server.
    private func ask(_ batch: [TraceID], _ attempt: Int) async throws(Failure) {
        // The server says its name also if it is asked for nothing.
        var service = progress.withLock { $0.service }
        if service == nil { service = try await send([], attempt).service }
        var missing: [TraceID] = []
        for trace in batch {
            let services = (try? await store.services(inTrace: trace)) ?? []
            if !services.contains(service ?? "") { missing.append(trace) }
        }
        let answer = missing.isEmpty ? nil : try await send(missing, attempt)
        let present = batch.count - missing.count
        queue.withLock { queue in
            queue.counts.present += present
            queue.counts.accepted += answer?.accepted ?? 0
            queue.counts.refused += answer?.refused ?? 0
        }
    }

    private func send(_ traces: [TraceID], _ attempt: Int) async throws(Failure) -> Answer {
        let result: SendResult
        if let address = server.address() {
            let list = traces.map { "\"\($0.hex)\"" }.joined(separator: ",")
            let request = OTLPRequest(
                url: address.appendingPathComponent(RecorderServer.path),
                headers: [
                    "Authorization": "Bearer \(server.key)", "Content-Type": "application/json",
                    "User-Agent": "astrolabe-console/\(SDKVersion.current)",
                ],
                body: Array("{\"traces\":[\(list)]}".utf8), timeout: server.timeout)
            result = await transport.send(request)
        } else {
            result = .unreachable("its address is not known yet")
        }
        let decision = server.retry.decide(
            result, attempts: attempt, random: .random(in: 0..<1), partialSuccess: { _ in (0, "") })
        switch decision {
        case .refused(let reason, _): throw .refused(reason: reason)
        case .retry(let seconds, let reason, _): throw .retry(after: seconds, reason: reason)
        case .delivered: break
        }
        let asked = 0...traces.count
        guard case .response(_, _, let body) = result,
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)),
            asked.contains(answer.accepted), asked.contains(answer.refused)
        else { throw .refused(reason: "expected the answer of a flight recorder, found another") }
        progress.withLock { $0 = Progress(service: answer.service) }
        return answer
    }

    /// Logs the first failure after an answer. All are in the state.
    private func note(failure reason: String) {
        let isFirst = progress.withLock { progress in
            defer { progress.failure = reason }
            return progress.failure == nil
        }
        guard isFirst, !Task.isCancelled else { return }
        logger.warning(
            "the server \(place ?? "of --recorder-server") was not asked for its part of promoted traces: \(reason)")
    }
}

extension PromotionAsker {
    /// The state as JSON. Counts are of traces, since the console started.
    var state: JSONText {
        let (counts, waiting) = self.counts
        var text = JSONText()
        text.object { text in
            text.member(optional: "server", place)
            text.member("waiting", waiting)
            text.member("accepted", counts.accepted)
            text.member("refused", counts.refused)
            text.member("present", counts.present)
            text.member("dropped", counts.dropped)
            text.member(optional: "failure", failure)
        }
        return text
    }
}
