import BrowserKit

/// Bodies of OTLP/JSON requests, written by hand so that tests do not depend on the SDK's own encoder.
enum OTLPBody {
    struct Span {
        var trace: String
        var id: String
        var parent = ""
        var name: String
        /// The span kind of OTLP: 1 internal, 2 server, 3 client.
        var kind = 1
        var start: UInt64
        var end: UInt64
        var attributes: [(String, JSON)] = []
        var events: [JSON] = []
        var error: String?
        var traceState = ""

        var json: JSON {
            var fields: [String: JSON] = [
                "traceId": .string(trace), "spanId": .string(id), "name": .string(name), "kind": .integer(kind),
                "startTimeUnixNano": .string(String(start)), "endTimeUnixNano": .string(String(end)),
                "attributes": OTLPBody.attributes(attributes),
            ]
            if !parent.isEmpty { fields["parentSpanId"] = .string(parent) }
            if !events.isEmpty { fields["events"] = .array(events) }
            if !traceState.isEmpty { fields["traceState"] = .string(traceState) }
            if let error { fields["status"] = ["code": 2, "message": .string(error)] }
            return .object(fields)
        }
    }

    struct Event {
        var name: String
        var time: UInt64
        var severity = 9
        var attributes: [(String, JSON)] = []
        var body: String?
        var trace = ""
        var span = ""

        var json: JSON {
            var fields: [String: JSON] = [
                "eventName": .string(name), "timeUnixNano": .string(String(time)), "severityNumber": .integer(severity),
                "attributes": OTLPBody.attributes(attributes),
            ]
            if let body { fields["body"] = ["stringValue": .string(body)] }
            if !trace.isEmpty { fields["traceId"] = .string(trace) }
            if !span.isEmpty { fields["spanId"] = .string(span) }
            return .object(fields)
        }
    }

    static func traces(_ resource: [(String, JSON)], _ spans: [Span]) -> JSON {
        [
            "resourceSpans": [
                [
                    "resource": ["attributes": attributes(resource)],
                    "scopeSpans": [["scope": ["name": "test"], "spans": .array(spans.map(\.json))]],
                ]
            ]
        ]
    }

    static func logs(_ resource: [(String, JSON)], _ events: [Event]) -> JSON {
        [
            "resourceLogs": [
                [
                    "resource": ["attributes": attributes(resource)],
                    "scopeLogs": [["scope": ["name": "test"], "logRecords": .array(events.map(\.json))]],
                ]
            ]
        ]
    }

    /// Creates a gauge or counter with points of `(attributes, seconds after start, value)`.
    static func metric(
        _ resource: [(String, JSON)], name: String, unit: String, description: String = "", isCounter: Bool,
        start: UInt64, points: [([(String, JSON)], UInt64, Double)],
    ) -> JSON {
        let dataPoints: [JSON] = points.map { attributes, seconds, value in
            [
                "attributes": Self.attributes(attributes), "asDouble": .number(value),
                "startTimeUnixNano": .string(String(start)),
                "timeUnixNano": .string(String(start + seconds * 1_000_000_000)),
            ]
        }
        var metric: [String: JSON] = [
            "name": .string(name), "unit": .string(unit), "description": .string(description),
        ]
        if isCounter {
            metric["sum"] = ["dataPoints": .array(dataPoints), "aggregationTemporality": 2, "isMonotonic": true]
        } else {
            metric["gauge"] = ["dataPoints": .array(dataPoints)]
        }
        return [
            "resourceMetrics": [
                [
                    "resource": ["attributes": attributes(resource)],
                    "scopeMetrics": [["scope": ["name": "test"], "metrics": [.object(metric)]]],
                ]
            ]
        ]
    }

    static func attributes(_ attributes: [(String, JSON)]) -> JSON {
        .array(attributes.map { ["key": .string($0), "value": value($1)] })
    }

    private static func value(_ value: JSON) -> JSON {
        switch value {
        case .string: ["stringValue": value]
        case .integer(let number): ["intValue": .string(String(number))]
        case .number: ["doubleValue": value]
        case .truth: ["boolValue": value]
        case .array(let values): ["arrayValue": ["values": .array(values.map(Self.value))]]
        case .object(let members):
            ["kvlistValue": ["values": attributes(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })]]
        }
    }
}
