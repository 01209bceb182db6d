import Foundation
import TelemetryQuery

/// Spans of a shop and its app, in the order of their starts, with durations that are log-normal.
struct GeneratedSpans: Sendable {
    let start: Int64
    /// The time that the spans are spread over.
    let length: Int64
    let attributes: Int

    /// Makes the segments on two cores. The seconds are those of both.
    func segments(rows: Int) async throws -> (segments: [Segment], seconds: Double) {
        let count = (rows + Segment.rowLimit - 1) / Segment.rowLimit
        let workers = 2
        let parts = await withTaskGroup(of: (worker: Int, segments: [Segment], seconds: Double).self) { tasks in
            for worker in 0..<workers {
                tasks.addTask {
                    var segments: [Segment] = []
                    let time = ContinuousClock().measure {
                        for index in stride(from: worker, to: count, by: workers) {
                            let first = index * Segment.rowLimit
                            let range = first..<min(rows, first + Segment.rowLimit)
                            if let segment = segment(of: range, all: rows) { segments.append(segment) }
                        }
                    }
                    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
                    return (worker, segments, seconds)
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }.sorted { $0.worker < $1.worker }
        }
        let segments = (0..<count).map { parts[$0 % workers].segments[$0 / workers] }
        return (segments, parts.reduce(0) { $0 + $1.seconds })
    }

    private func segment(of rows: Range<Int>, all: Int) -> Segment? {
        var random = BenchmarkNumbers(state: UInt64(rows.lowerBound) &* 0x9E37_79B9 &+ 7)
        var builder = SegmentBuilder()
        for row in rows { builder.append(span(row, all, &random), sequence: Int64(row)) }
        return builder.segment()
    }

    private func span(_ row: Int, _ all: Int, _ random: inout BenchmarkNumbers) -> QueryRecord {
        let route = random.below(40)
        let isError = random.below(100) < (route == 7 ? 20 : 1)
        let session = row * 100_000 / all + random.below(20)
        let normal = (0..<6).reduce(0.0) { sum, _ in sum + random.unit() } - 3
        var fields: [String: QueryValue] = [
            "name": .string("GET /api/route/\(route)"),
            "duration": .int(Int64(20e6 * exp(normal * 1.4 + Double(route) / 20))),
            "status": .string(isError ? "error" : "ok"),
            "kind": .string(random.below(3) == 0 ? "client" : "server"),
            "trace.id": .string("\(session)-\(row / 8)"),
            "session.id": .string("session \(session)"),
            "http.request.method": .string(random.below(5) == 0 ? "POST" : "GET"),
            "http.route": .string("/api/route/\(route)"),
            "http.response.status_code": .int(isError ? 500 : 200),
            "http.response.body.size": .int(Int64(random.below(100_000))),
            "server.address": .string("shop-\(random.below(4)).example.com"),
            "server.port": .int(443),
            "network.connection.type": .string(random.below(3) == 0 ? "cell" : "wifi"),
            "resource.service.name": .string(random.below(2) == 0 ? "shop-server" : "astronomy-shop"),
            "resource.service.version": .string("2.\(random.below(4)).0"),
            "resource.os.name": .string("iOS"),
            "resource.os.version": .string("1\(random.below(4) + 5).\(random.below(5))"),
            "resource.device.model.identifier": .string("iPhone\(random.below(9) + 8),\(random.below(4))"),
            "resource.telemetry.sdk.name": .string("astrolabe"),
            "demo.currency.code": .string(
                isError && random.below(2) == 0 ? "JPY" : ["EUR", "USD", "CHF"][random.below(3)]),
        ]
        for index in 20..<max(20, attributes) { fields["extra.\(index)"] = .string("value \(random.below(index))") }
        return QueryRecord(time: start + Int64(row) * (length / Int64(all)), fields: fields)
    }
}

/// A fast generator; the quality of the numbers does not matter here.
struct BenchmarkNumbers {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    mutating func unit() -> Double { Double(below(1 << 30)) / Double(1 << 30) }
}
