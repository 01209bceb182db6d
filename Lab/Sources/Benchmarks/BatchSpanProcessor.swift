import Astrolabe
import AstrolabeGzip
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation

/// OpenTelemetry's batch span processor with the specification's defaults, for comparison only: 2,048 spans in memory,
/// 512 in a request, and one request after the other. A span that finds no room is dropped.
final class BatchSpanProcessor: Sendable {
    private static let queueSize = 2_048
    private static let batchSize = 512

    private struct State {
        var spans: [ObjectModelSpan.Finished] = []
        var isShutDown = false
    }

    private let state = Locked(State())
    private let isDue = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(endpoint: OTLPEndpoint) {
        Task.detached {
            while let batch = self.nextBatch() {
                if !batch.isEmpty { await Self.export(batch, to: endpoint) }
            }
            self.hasEnded.signal()
        }
    }

    func onEnd(_ span: ObjectModelSpan.Finished) {
        let isFull = state.withLock { state in
            if state.spans.count < Self.queueSize { state.spans.append(span) }
            return state.spans.count == Self.batchSize
        }
        if isFull { isDue.signal() }
    }

    /// Exports what is left.
    func shutdown() {
        state.withLock { $0.isShutDown = true }
        isDue.signal()
        hasEnded.wait()
    }

    private func nextBatch() -> [ObjectModelSpan.Finished]? {
        let isWaiting = state.withLock { $0.spans.count < Self.batchSize && !$0.isShutDown }
        // The specification's delay between two exports is 5 s.
        if isWaiting { _ = isDue.wait(timeout: .now() + 5) }
        return state.withLock { state in
            if state.spans.isEmpty, state.isShutDown { return nil }
            defer { state.spans.removeFirst(min(state.spans.count, Self.batchSize)) }
            return Array(state.spans.prefix(Self.batchSize))
        }
    }

    private static func export(_ batch: [ObjectModelSpan.Finished], to endpoint: OTLPEndpoint) async {
        var records = EncodedRecords()
        for span in batch { span.encoded().withUnsafeBytes { records.append($0) } }
        let body = ExportRequest.build(
            resource: EncodedResource(Resource(attributes: ["service.name": "benchmark"])),
            scopes: [(EncodedScope(InstrumentationScope(name: Workload.scope)), records)])
        let request = OTLPRequest(
            url: endpoint.url.appendingPathComponent("v1/traces"),
            headers: ["Content-Type": "application/x-protobuf", "Content-Encoding": "gzip"],
            body: (try? GzipCoder.compress(body)) ?? [], timeout: .seconds(10))
        _ = await URLSessionTransport().send(request)
    }
}
