import AstrolabeGzip
import AstrolabeOTLP
import AstrolabeTelemetryModel

/// The records that a collector holds, in the order in which they came.
struct CollectorStore {
    private(set) var spans: [Collected<SpanData>] = []
    private(set) var events: [Collected<LogRecordData>] = []
    private(set) var metrics: [Collected<MetricData>] = []
    private(set) var repetitions = 0
    private var known: Set<Identity> = []

    /// The identity by which a receiver recognizes a repetition. A metric has no such name.
    private enum Identity: Hashable {
        case span(TraceID, SpanID)
        case event(String)
    }

    /// Bytes of a body, decompressed.
    private static let limit = 1 << 26

    /// Takes the records of a request, except the last `count` of them.
    mutating func take(_ body: [UInt8], path: String, isCompressed: Bool, exceptLast count: Int) throws {
        let body = isCompressed ? try GzipCoder.decompress(body, limit: Self.limit) : body
        switch path {
        case "/v1/traces": add(try OTLPDecoder.traces(protobuf: body), exceptLast: count)
        case "/v1/logs": add(try OTLPDecoder.logs(protobuf: body), exceptLast: count)
        default: add(try OTLPDecoder.metrics(protobuf: body), exceptLast: count)
        }
    }

    mutating func add(_ groups: [ResourceGroup<SpanData>], exceptLast count: Int = 0) {
        for span in Collected.all(in: groups).dropLast(count) {
            if isNew(.span(span.context.traceID, span.context.spanID)) { spans.append(span) }
        }
    }

    mutating func add(_ groups: [ResourceGroup<LogRecordData>], exceptLast count: Int = 0) {
        for event in Collected.all(in: groups).dropLast(count) {
            let uid = event.attributes["log.record.uid"]?.stringValue
            if uid.map({ isNew(.event($0)) }) ?? true { events.append(event) }
        }
    }

    mutating func add(_ groups: [ResourceGroup<MetricData>], exceptLast count: Int = 0) {
        metrics += Collected.all(in: groups).dropLast(count)
    }

    private mutating func isNew(_ identity: Identity) -> Bool {
        let isNew = known.insert(identity).inserted
        if !isNew { repetitions += 1 }
        return isNew
    }
}
