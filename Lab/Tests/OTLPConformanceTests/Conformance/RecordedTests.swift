import Astrolabe
import AstrolabeOTLP
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation
import Testing

/// Keeps records, and builds the request that delivery would send.
private final class RequestSink: RecordSink, @unchecked Sendable {  // each test records from one thread
    private var scopes: [InstrumentationScope] = []
    private var groups: [RecordKind: [(scope: ScopeNumber, records: EncodedRecords)]] = [:]

    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        if let index = scopes.firstIndex(of: scope) { return ScopeNumber(rawValue: UInt16(index)) }
        scopes.append(scope)
        return ScopeNumber(rawValue: UInt16(scopes.count - 1))
    }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        var list = groups[header.kind] ?? []
        let index = list.firstIndex { $0.scope == header.scope } ?? list.count
        if index == list.count { list.append((header.scope, EncodedRecords())) }
        list[index].records.append(bytes)
        groups[header.kind] = list
    }

    func request(_ kind: RecordKind, resource: Resource) -> [UInt8] {
        let parts = (groups[kind] ?? []).map { group in
            (scope: EncodedScope(scopes[Int(group.scope.rawValue)]), records: group.records)
        }
        return ExportRequest.build(resource: EncodedResource(resource, schemaURL: SchemaURL.current), scopes: parts)
    }
}

/// The SDK's requests, read by code that was not written here.
@Suite(.enabled(if: OfficialMessages.python != nil, OfficialMessages.skipReason))
struct `What the SDK records` {
    private let sink = RequestSink()

    private func telemetry() -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "conformance")
        configuration.isServer = true
        configuration.resourceAttributes = [
            "list": AttributeValue.array(["a", 1, true]), "map": AttributeValue.map(["inner": 2.5]),
            "bytes": AttributeValue.bytes([0, 255]),
        ]
        return Telemetry(configuration, sink: sink)
    }

    /// Asks the official parser what it reads and compares that, field for field, with what we read.
    private func check(
        _ kind: RecordKind, _ signal: String, _ telemetry: Telemetry, ours: ([UInt8]) throws -> Canonical,
    ) throws {
        let request = sink.request(kind, resource: telemetry.resource)
        try OfficialMessages.withFolder { folder in
            let file = folder.appendingPathComponent("request.bin")
            try Data(request).write(to: file)
            let theirs = try #require(try OfficialMessages.describe(signal, [file]).first)
            #expect(try ours(request).difference(from: theirs) == nil)
        }
    }

    @Test func `as spans is what the official messages read`() throws {
        let telemetry = telemetry()
        let tracer = telemetry.tracer("shop", version: "1.2.3")
        let remote = SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: .sampled,
            traceState: try #require(TraceState(header: "vendor=1,other=2")), isRemote: true)
        for kind in SpanKind.allCases {
            let span = tracer.spanBuilder("span \(kind)").setSpanKind(kind).setParent(remote)
                .setStartTime(timeUnixNano: 1_700_000_000_000_000_000).startSpan()
            span.setAttribute("text", "größer ☄️")
            span.setAttribute("empty", "")
            span.setAttribute("whole", -1)
            span.setAttribute("real", -0.25)
            span.setAttribute("truth", false)
            span.setAttribute("bytes", .bytes([1, 2, 3]))
            span.setAttribute("list", AttributeValue.array(["a", 2, 3.5, true, .array([]), .empty]))
            span.setAttribute("map", .map(["inner": AttributeValue.map(["deep": 1])]))
            span.addEvent("happened", attributes: ["key": "value"], timeUnixNano: 1_700_000_000_000_000_001)
            span.addLink(remote, attributes: ["why": "test"])
            span.recordException(CancellationError())
            span.setStatus(kind == .client ? .error("failed") : .ok)
            span.end(timeUnixNano: 1_700_000_000_500_000_000)
        }
        tracer.spanBuilder("root").setNoParent().startSpan().end()
        let read = try OTLPDecoder.traces(protobuf: sink.request(.span, resource: telemetry.resource))
        let spans = read.flatMap { $0.scopes.flatMap(\.records) }
        try #require(spans.map(\.kind) == SpanKind.allCases + [.internal])
        #expect(spans.first?.parentSpanID == remote.spanID)
        #expect(spans.first?.context.traceState == remote.traceState)
        #expect(spans.first?.durationNano == 500_000_000)
        #expect(spans.first?.attributes["map"] == .map(["inner": AttributeValue.map(["deep": 1])]))
        #expect(spans.first?.events.map(\.name) == ["happened", "exception"])
        #expect(spans.first?.links.first?.context.traceID == remote.traceID)
        #expect(spans[2].status == .error("failed"))
        try check(.span, "traces", telemetry) { Canonical(try OTLPDecoder.traces(protobuf: $0)) { Canonical($0) } }
    }

    @Test func `as events is what the official messages read`() throws {
        let telemetry = telemetry()
        let events = telemetry.logger("shop", version: "1.2.3")
        for severity in Severity.allCases {
            telemetry.tracer("shop").withSpan("around") { _ in
                events.emit(
                    "demo.\(severity)", severity: severity, body: .map(["text": "body", "number": 1]),
                    attributes: ["list": AttributeValue.array(["a", 2])], timeUnixNano: 1_700_000_000_000_000_000)
            }
        }
        events.emit("demo.alone", context: .invalid)
        let read = try OTLPDecoder.logs(protobuf: sink.request(.event, resource: telemetry.resource))
        let records = read.flatMap { $0.scopes.flatMap(\.records) }
        #expect(records.map(\.severityNumber) == Severity.allCases.map(\.rawValue) + [9])
        #expect(records.first?.traceID.isValid == true)
        #expect(records.last?.traceID.isValid == false)
        try check(.event, "logs", telemetry) { Canonical(try OTLPDecoder.logs(protobuf: $0)) { Canonical($0) } }
    }

    @Test func `as metrics is what the official messages read`() throws {
        let telemetry = telemetry()
        let meter = telemetry.meter("shop", version: "1.2.3")
        meter.counter("demo.whole", unit: "{item}", description: "whole").add(3, attributes: ["key": "a"])
        meter.counter("demo.real").add(0.5)
        meter.upDownCounter("demo.level").add(-2)
        let histogram = meter.histogram("demo.time", unit: "s", bounds: [0.1, 1])
        for value in [0.05, 0.1, 0.5, 7] { histogram.record(value) }
        meter.gauge("demo.now").record(1.25)
        telemetry.collectMetrics()
        let read = try OTLPDecoder.metrics(protobuf: sink.request(.metric, resource: telemetry.resource))
        let metrics = read.flatMap { $0.scopes.flatMap(\.records) }
        try #require(metrics.map(\.name) == ["demo.whole", "demo.real", "demo.level", "demo.time", "demo.now"])
        guard case .histogram(let points, .delta) = metrics[3].data else {
            Issue.record("expected a histogram of deltas, found \(metrics[3].data)")
            return
        }
        #expect(points.first?.bucketCounts == [2, 1, 1])
        try check(.metric, "metrics", telemetry) { Canonical(try OTLPDecoder.metrics(protobuf: $0)) { Canonical($0) } }
    }
}
