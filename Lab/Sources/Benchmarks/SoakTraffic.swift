import AstrolabeOTLP
import AstrolabeTelemetryModel
import Foundation

/// Requests of phones in turn, with records that are new each time.
struct SoakTraffic {
    enum Signal: String {
        case traces, logs, metrics
    }

    /// The records of a request.
    private static let size = 100
    private static let devices = 2_000
    private static let scope = InstrumentationScope(name: "soak")

    let signal: Signal
    private var made = 0

    init(_ signal: Signal) { self.signal = signal }

    /// Returns requests that have `count` records together.
    mutating func requests(of count: Int) -> [(body: [UInt8], records: Int)] {
        stride(from: 0, to: count, by: Self.size).map { first in
            let records = min(Self.size, count - first)
            return (body: request(of: records), records: records)
        }
    }

    private mutating func request(of count: Int) -> [UInt8] {
        made += 1
        let device = made % Self.devices
        // A new session after each turn of all devices.
        let session = "session-\(device)-\(made / Self.devices)"
        let now = UInt64(Date().timeIntervalSince1970 * 1e9)
        switch signal {
        case .traces: return OTLPEncoder.protobuf([group(device, spans(count, session, now))])
        case .logs: return OTLPEncoder.protobuf([group(device, events(count, session, now))])
        case .metrics: return OTLPEncoder.protobuf([group(device, [metric(count, now)])])
        }
    }

    private func group<Record: Hashable & Sendable>(_ device: Int, _ records: [Record]) -> ResourceGroup<Record> {
        let resource = Resource(attributes: [
            "service.name": "soak-app", "service.version": "1.\(device % 4).0", "os.name": "iOS",
            "app.installation.id": "device-\(device)",
        ])
        return ResourceGroup(resource: resource, scopes: [ScopeGroup(scope: Self.scope, records: records)])
    }

    private func spans(_ count: Int, _ session: String, _ now: UInt64) -> [SpanData] {
        let trace = TraceID(high: UInt64.random(in: 1...UInt64.max), low: UInt64.random(in: 1...UInt64.max))
        return (0..<count).map { index in
            let span = SpanID(UInt64.random(in: 1...UInt64.max))
            let status = index % 50 == 0 ? 500 : 200
            let start = now - UInt64(index) * 10_000_000
            return SpanData(
                context: SpanContext(traceID: trace, spanID: span, isSampled: true), name: "operation \(index % 40)",
                kind: .client, startTimeUnixNano: start,
                endTimeUnixNano: start + 1_000_000 * UInt64.random(in: 1...997),
                attributes: [
                    "session.id": session, "http.request.method": "GET", "http.route": "/api/products/\(index % 200)",
                    "http.response.status_code": status, "screen.name": "Screen\(index % 9)",
                ],
                status: status == 500 ? .error("status 500") : .unset)
        }
    }

    private func events(_ count: Int, _ session: String, _ now: UInt64) -> [LogRecordData] {
        (0..<count).map { index in
            LogRecordData(
                timeUnixNano: now + UInt64(index), severityNumber: index % 20 == 0 ? 17 : 9,
                eventName: "soak.event.\(index % 12)", body: "an event of the soak",
                attributes: ["session.id": session, "soak.number": Int.random(in: 0..<Int.max)])
        }
    }

    private func metric(_ count: Int, _ now: UInt64) -> MetricData {
        let points = (0..<count).map { index in
            NumberPoint(
                attributes: ["soak.place": "place \(index % 6)"], timeUnixNano: now + UInt64(index) * 1_000_000,
                value: .int(.random(in: 0..<1_000)))
        }
        return MetricData(name: "soak.depth", unit: "{record}", data: .gauge(points))
    }
}
