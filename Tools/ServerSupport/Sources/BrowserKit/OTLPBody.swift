/// Bodies of OTLP/JSON requests, written by hand so that tests do not depend on the SDK's own encoder.
package enum OTLPBody {
    package struct Span: Sendable {
        package var trace: String
        package var id: String
        package var parent: String
        package var name: String
        /// The span kind of OTLP: 1 internal, 2 server, 3 client.
        package var kind: Int
        package var start: UInt64
        package var end: UInt64
        package var attributes: [(String, JSON)]
        package var events: [JSON]
        package var error: String?
        package var traceState: String

        package init(
            trace: String, id: String, parent: String = "", name: String, kind: Int = 1, start: UInt64, end: UInt64,
            attributes: [(String, JSON)] = [], events: [JSON] = [], error: String? = nil, traceState: String = "",
        ) {
            self.trace = trace
            self.id = id
            self.parent = parent
            self.name = name
            self.kind = kind
            self.start = start
            self.end = end
            self.attributes = attributes
            self.events = events
            self.error = error
            self.traceState = traceState
        }

        package var json: JSON {
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

    package struct Event: Sendable {
        package var name: String
        package var time: UInt64
        package var severity: Int
        package var attributes: [(String, JSON)]
        package var body: String?
        package var trace: String
        package var span: String

        package init(
            name: String, time: UInt64, severity: Int = 9, attributes: [(String, JSON)] = [], body: String? = nil,
            trace: String = "", span: String = "",
        ) {
            self.name = name
            self.time = time
            self.severity = severity
            self.attributes = attributes
            self.body = body
            self.trace = trace
            self.span = span
        }

        package var json: JSON {
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

    /// Sends a body as an exporter does, and requires a success response.
    package static func send(_ body: [UInt8], as type: String, to url: String) async throws {
        let response = try await HTTP.request("POST", url, headers: ["Content-Type": type], body: body)
        guard response.status == 200 else { throw UnexpectedResponse(response: response) }
    }

    package static func traces(_ resource: [(String, JSON)], _ spans: [Span]) -> JSON {
        [
            "resourceSpans": [
                [
                    "resource": ["attributes": attributes(resource)],
                    "scopeSpans": [["scope": ["name": "test"], "spans": .array(spans.map(\.json))]],
                ]
            ]
        ]
    }

    package static func logs(_ resource: [(String, JSON)], _ events: [Event]) -> JSON {
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
    package static func metric(
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

    package static func attributes(_ attributes: [(String, JSON)]) -> JSON {
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
