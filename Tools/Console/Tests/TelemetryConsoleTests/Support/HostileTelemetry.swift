import AstrolabeSeededRandomness
import AstrolabeSemantics
import BrowserKit

@testable import TelemetryConsole

/// Well-typed OTLP whose values are of every type and magnitude, in every place that the console reads.
///
/// Ids and times are few and repeat, so that records meet in traces, sessions, devices and series.
struct HostileTelemetry {
    private var random: SeededGenerator
    private let hasPlausibleTimes: Bool

    /// - Parameter hasPlausibleTimes: Whether something can have happened at all times, so that no record is placed at
    ///   its arrival.
    init(seed: UInt64, hasPlausibleTimes: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.hasPlausibleTimes = hasPlausibleTimes
    }

    /// Creates a request with about `records` records.
    mutating func request(records: Int) -> (signal: Signal, body: JSON) {
        // Profiles have no JSON. Their tests damage bytes.
        let signal = pick([Signal.traces, .logs, .metrics])
        let groups = pick([1, 2, 3])
        var content = (0..<groups).map { _ in group(signal, records: max(records / groups, 1)) }
        if signal == .traces { content += call() }
        return switch signal {
        case .traces: (.traces, ["resourceSpans": .array(content)])
        case .logs, .profiles: (.logs, ["resourceLogs": .array(content)])
        case .metrics: (.metrics, ["resourceMetrics": .array(content)])
        }
    }

    private mutating func group(_ signal: Signal, records: Int) -> JSON {
        let resource: JSON = ["attributes": attributes(Self.resourceKeys)]
        let scope: JSON = [
            "name": .string(text()), "version": .string(text()), "attributes": attributes([]),
            "droppedAttributesCount": .integer(pick([0, 4_294_967_295])),
        ]
        let schema = JSON.string(pick(["", text()]))
        switch signal {
        case .traces:
            let spans = (0..<records).map { _ in span() }
            return [
                "resource": resource, "schemaUrl": schema,
                "scopeSpans": [["scope": scope, "schemaUrl": schema, "spans": .array(spans)]],
            ]
        case .logs, .profiles:
            let logs = (0..<records).map { _ in log() }
            return ["resource": resource, "scopeLogs": [["scope": scope, "logRecords": .array(logs)]]]
        case .metrics:
            let metrics = (0..<records).map { _ in metric() }
            return ["resource": resource, "scopeMetrics": [["scope": scope, "metrics": .array(metrics)]]]
        }
    }

    private mutating func span() -> JSON {
        let (start, end) = pick(spans)
        return [
            "traceId": .string(hex(32)), "spanId": .string(hex(16)),
            "parentSpanId": .string(pick(["", hex(16), hex(16)])),
            "name": .string(text()), "kind": .integer(pick([0, 1, 2, 2, 2, 2, 3, 3, 3, 3])),
            "startTimeUnixNano": .string(String(start)),
            "endTimeUnixNano": .string(String(end)), "attributes": attributes(Self.recordKeys),
            "status": ["code": .integer(pick([0, 1, 2])), "message": .string(text())],
            "events": pick([
                [], [["name": .string(text()), "timeUnixNano": time(), "attributes": attributes([])]],
            ]),
            "links": pick([[], [["traceId": .string(hex(32)), "spanId": .string(hex(16))]]]),
            "droppedAttributesCount": .integer(pick([0, 1, 4_294_967_295])),
            "flags": .integer(pick([0, 1, 0x301, 4_294_967_295])),
        ]
    }

    /// Creates a client's span and the server's below it, of two services with clocks of their own.
    private mutating func call() -> [JSON] {
        let trace = "00000000000000ff" + String(Int.random(in: 1 << 60...Int.max, using: &random), radix: 16)
        return [(3, 1), (2, 2)].map { kind, id in
            let (start, end) = pick(spans)
            let span: JSON = [
                "traceId": .string(trace), "spanId": .string("000000000000000\(id)"),
                "parentSpanId": .string(id == 1 ? "" : "0000000000000001"), "name": "GET", "kind": .integer(kind),
                "startTimeUnixNano": .string(String(start)), "endTimeUnixNano": .string(String(end)),
            ]
            let resource = OTLPBody.attributes([("service.name", .string("service \(id)"))])
            return ["resource": ["attributes": resource], "scopeSpans": [["spans": [span]]]]
        }
    }

    private mutating func log() -> JSON {
        let name = pick(
            ["", EventName.appJank, EventName.appCrash, EventName.hang, EventName.replay, text()]
                + [EventName.appJank, EventName.hang]
        )
        var record: [String: JSON] = [
            "timeUnixNano": time(), "observedTimeUnixNano": time(),
            "severityNumber": .integer(pick([0, 1, 9, 17, 24])),
            "severityText": .string(text()), "eventName": .string(name), "body": value(),
            "attributes": attributes(Self.recordKeys),
        ]
        if Bool.random(using: &random) {
            record["flags"] = .integer(pick([0, 4_294_967_295]))
            record["droppedAttributesCount"] = .integer(pick([0, 4_294_967_295]))
            record["traceId"] = .string(hex(32))
            record["spanId"] = .string(hex(16))
        }
        return .object(record)
    }

    private mutating func metric() -> JSON {
        let names = [
            MetricName.frameDuration, MetricName.recordsCreated, MetricName.recordsDelivered,
            MetricName.recordsPending, MetricName.recordsDropped, text(),
        ]
        let name = pick(names + [MetricName.frameDuration])
        let kinds = ["gauge", "gauge", "sum", "exponentialHistogram", "summary"]
        let kind = name == MetricName.frameDuration ? "histogram" : pick(kinds)
        let points = (0..<pick([1, 2, 5])).map { _ in
            switch kind {
            case "histogram": histogram()
            case "exponentialHistogram": exponentialHistogram()
            case "summary": summary()
            default: number()
            }
        }
        var data: [String: JSON] = ["dataPoints": .array(points)]
        if kind != "gauge" { data["aggregationTemporality"] = .integer(pick([1, 2])) }
        if kind == "sum" { data["isMonotonic"] = .truth(Bool.random(using: &random)) }
        return [
            "name": .string(name), "unit": .string(pick(["", "s", "1"])), kind: .object(data),
            "metadata": pick([[], attributes([])]),
        ]
    }

    private mutating func number() -> JSON {
        [
            "attributes": attributes(Self.recordKeys), "startTimeUnixNano": time(), "timeUnixNano": time(),
            pick(["asInt", "asDouble"]): .string(String(pick(Self.integers))), "exemplars": exemplars(),
        ]
    }

    private mutating func exponentialHistogram() -> JSON {
        func buckets(_ hostile: inout HostileTelemetry) -> JSON {
            let counts = (0..<hostile.pick([0, 1, 4])).map { _ in JSON.string(String(hostile.pick(Self.counts))) }
            return [
                "offset": .integer(hostile.pick([-2_147_483_648, -3, 0, 2_147_483_647])),
                "bucketCounts": .array(counts),
            ]
        }
        return [
            "attributes": attributes(Self.recordKeys), "startTimeUnixNano": time(), "timeUnixNano": time(),
            "count": .string(String(pick(Self.counts))), "sum": .string(pick(Self.doubles)),
            "min": .string(pick(Self.doubles)), "max": .string(pick(Self.doubles)),
            "scale": .integer(pick([-2_147_483_648, -10, 0, 3, 20, 2_147_483_647])),
            "zeroCount": .string(String(pick(Self.counts))), "zeroThreshold": .string(pick(Self.doubles)),
            "positive": buckets(&self), "negative": buckets(&self), "exemplars": exemplars(),
        ]
    }

    private mutating func summary() -> JSON {
        let quantiles = (0..<pick([0, 1, 3])).map { _ in
            JSON.object(["quantile": .string(pick(Self.doubles)), "value": .string(pick(Self.doubles))])
        }
        return [
            "attributes": attributes(Self.recordKeys), "startTimeUnixNano": time(), "timeUnixNano": time(),
            "count": .string(String(pick(Self.counts))), "sum": .string(pick(Self.doubles)),
            "quantileValues": .array(quantiles),
        ]
    }

    private mutating func exemplars() -> JSON {
        .array(
            (0..<pick([0, 0, 2])).map { _ in
                [
                    "timeUnixNano": time(), "traceId": .string(pick(["", hex(32)])),
                    "spanId": .string(pick(["", hex(16)])),
                    "filteredAttributes": attributes([]),
                    pick(["asInt", "asDouble", "unknown"]): .string(String(pick(Self.integers))),
                ]
            })
    }

    private mutating func histogram() -> JSON {
        let bounds = pick([[0.0167, 0.7], [0.7], [], [1e-300, 0.0167, 1e300]])
        let counts = (0...bounds.count).map { _ in pick(Self.counts) }
        return [
            "attributes": attributes(Self.recordKeys), "startTimeUnixNano": time(), "timeUnixNano": time(),
            "count": .string(String(counts.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 })),
            "sum": .string(pick(Self.doubles)), "explicitBounds": .array(bounds.map(JSON.number)),
            "bucketCounts": .array(counts.map { .string(String($0)) }),
        ]
    }

    /// Creates some of the known attributes and one unknown attribute.
    private mutating func attributes(_ keys: [String]) -> JSON {
        var chosen = keys.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        chosen.append(text())
        return .array(Set(chosen).sorted().map { ["key": .string($0), "value": value(of: $0)] })
    }

    private mutating func value(of key: String) -> JSON {
        // Mostly the right type, so that records get far enough to be read.
        guard Int.random(in: 0..<3, using: &random) > 0 else { return value() }
        switch key {
        case AttributeKey.sessionID, AttributeKey.appScreenName, AttributeKey.appInstallationID,
            AttributeKey.serviceVersion, AttributeKey.serviceName, AttributeKey.astrolabeReplayID:
            return ["stringValue": .string(pick(["a", "b", "c", "a\u{0}b", "a\u{0}c", "\u{0}", text()]))]
        case AttributeKey.osName: return ["stringValue": .string(pick(["iOS", "linux"]))]
        case AttributeKey.astrolabeReplayIsKeyFrame: return ["boolValue": .truth(Bool.random(using: &random))]
        case AttributeKey.astrolabeReplaySequence: return ["intValue": .string(String(pick([0, 1, 2, 9])))]
        case AttributeKey.astrolabeReplayRoot: return ["intValue": "1"]
        case AttributeKey.astrolabeReplayNodes: return list { .array([$0.node()]) }
        case AttributeKey.astrolabeCrashThreads, AttributeKey.astrolabeHangSamples, AttributeKey.astrolabeImages:
            return list { hostile in .array((0..<2).map { _ in hostile.stackPart() }) }
        default: return ["doubleValue": .string(pick(Self.doubles))]
        }
    }

    private mutating func list(_ elements: (inout HostileTelemetry) -> JSON) -> JSON {
        ["arrayValue": ["values": elements(&self)]]
    }

    private mutating func node() -> JSON {
        map([
            "id": ["intValue": "1"], "role": ["stringValue": "text"],
            pick(["box", "size", "words", "children"]): value(),
        ])
    }

    private mutating func stackPart() -> JSON {
        let frame = map([
            "image": ["intValue": .string(String(pick(Self.integers + [0, 0, 0])))], "address": ["stringValue": "0x10"],
            "offset": ["intValue": .string(String(pick(Self.integers)))],
        ])
        return map([
            "frames": ["arrayValue": ["values": [frame, value()]]], "name": ["stringValue": .string(text())],
            "build_id": ["stringValue": .string(hex(32))], "is_app": ["boolValue": true], "id": value(),
            "time": value(), "is_crashed": value(),
        ])
    }

    private func map(_ members: [String: JSON]) -> JSON {
        let values = members.sorted { $0.key < $1.key }.map {
            JSON.object(["key": .string($0.key), "value": $0.value])
        }
        return ["kvlistValue": ["values": .array(values)]]
    }

    /// Creates a value of any type.
    private mutating func value(depth: Int = 0) -> JSON {
        switch Int.random(in: 0..<(depth < 3 ? 8 : 6), using: &random) {
        case 0: return ["stringValue": .string(text())]
        case 1: return ["intValue": .string(String(pick(Self.integers)))]
        case 2: return ["doubleValue": .string(pick(Self.doubles))]
        case 3: return ["boolValue": .truth(Bool.random(using: &random))]
        case 4: return ["bytesValue": .string(pick(["", "AAEC", "////"]))]
        case 5: return [:]
        case 6:
            let values = (0..<pick([0, 1, 3])).map { _ in value(depth: depth + 1) }
            return ["arrayValue": ["values": .array(values)]]
        default: return map([text(): value(depth: depth + 1)])
        }
    }

    private mutating func time() -> JSON {
        .string(String(pick(hasPlausibleTimes ? Self.plausibleTimes : Self.times)))
    }
    private mutating func text() -> String { pick(Self.texts) }

    /// Creates one of a few ids. Span ids are fewer than trace ids, so that most spans have their parent.
    private mutating func hex(_ digits: Int) -> String {
        let number = String(Int.random(in: 1...(digits == 32 ? 60 : 5), using: &random), radix: 16)
        return String(repeating: "0", count: digits - number.count) + number
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private var spans: [(UInt64, UInt64)] { hasPlausibleTimes ? Self.plausibleSpans : Self.spans }

    private static let plausibleTimes: [UInt64] = [
        1, 1_795_350_000_000_000_000, 1_795_350_001_000_000_000, 1_795_350_000_500_000_000,
    ]
    /// The last two end before they start, and do not say when they end.
    private static let plausibleSpans: [(UInt64, UInt64)] = [
        (1, 2), (1_795_350_000_000_000_000, 1_795_350_001_000_000_000),
        (1_795_350_001_000_000_000, 1_795_350_000_000_000_000), (1_795_350_000_000_000_000, 0),
    ]
    private static let times: [UInt64] = [
        0, 1, 1_795_350_000_000_000_000, 1_795_350_001_000_000_000, 1_795_350_000_500_000_000, 1 << 63, (1 << 63) - 1,
        .max, .max - 1,
    ]
    private static let spans: [(UInt64, UInt64)] = [
        (0, 0), (0, .max), ((1 << 63) - 1, .max), (.max, .max), (.max, 0), (1 << 63, (1 << 63) + 2),
        (1_795_350_000_000_000_000, 1_795_350_001_000_000_000),
    ]
    private static let integers: [Int64] = [
        .min, .min + 1, -1, 0, 1, 2, 1 << 31, 1 << 53, (1 << 53) + 1, 1 << 62, .max - 1, .max,
    ]
    private static let counts: [UInt64] = [0, 1, 1 << 53, 1 << 62, (1 << 63) - 1, 1 << 63, .max]
    private static let doubles = [
        "0", "-0.0", "0.5", "1e300", "-1e300", "1.7976931348623157e308", "5e-324", "NaN", "Infinity", "-Infinity", "-1",
    ]
    private static let texts = [
        "", "a", "checkout", "\u{0}", "a\u{0}b", "a\u{0}c", "2", "1e300", "NaN", "null", "[]", "{}", "%", "\"'\\/",
        "\u{FFFF}", "日本語", "👩‍👩‍👧‍👦", String(repeating: "x", count: 300), "$int", "\u{1}\u{1F}\u{7F}",
    ]
    private static let resourceKeys = [
        AttributeKey.serviceName, AttributeKey.serviceVersion, AttributeKey.appInstallationID, AttributeKey.osName,
        AttributeKey.osVersion, AttributeKey.deviceManufacturer, AttributeKey.deviceModelIdentifier,
        AttributeKey.deviceModelName, AttributeKey.sessionID,
    ]
    private static let recordKeys = [
        AttributeKey.sessionID, AttributeKey.appScreenName, AttributeKey.serviceVersion, AttributeKey.viewName,
        AttributeKey.httpRequestMethod, AttributeKey.httpResponseStatusCode, AttributeKey.appJankFrameCount,
        AttributeKey.appJankPeriod, AttributeKey.appJankThreshold, AttributeKey.astrolabeJankFrames,
        AttributeKey.astrolabeJankLongest, AttributeKey.astrolabeHangDuration, AttributeKey.astrolabeHangSamples,
        AttributeKey.astrolabeHangSampleInterval, AttributeKey.astrolabeCrashThreads,
        AttributeKey.astrolabeCrashAddress, AttributeKey.astrolabeCrashCodeName, AttributeKey.astrolabeImages,
        AttributeKey.astrolabeCrashIsStackOverflow, AttributeKey.exceptionMessage, AttributeKey.exceptionType,
        AttributeKey.astrolabeReplayID, AttributeKey.astrolabeReplayIsCut, AttributeKey.astrolabeReplayIsKeyFrame,
        AttributeKey.astrolabeReplayNodes, AttributeKey.astrolabeReplayRemoved, AttributeKey.astrolabeReplayRoot,
        AttributeKey.astrolabeReplaySequence, AttributeKey.astrolabeReplaySize, AttributeKey.astrolabeRecordPlace,
        AttributeKey.astrolabeDropReason,
    ]
}
