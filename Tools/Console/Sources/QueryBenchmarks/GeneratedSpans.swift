import Foundation
import TelemetryQuery

/// Spans of a shop and its app, in the order of their starts, with durations that are log-normal.
struct GeneratedSpans: Sendable {
    let start: Int64
    /// The time that the spans are spread over.
    let length: Int64
    let attributes: Int
    let rows: Int

    /// Writes segments to files on two cores. Returns the seconds of both that making them took.
    func writeSegments(to folder: URL) async throws -> Double {
        try await inParts(of: folder) { part in
            var builder = SegmentBuilder()
            var segment: Segment?
            let time = ContinuousClock().measure {
                for (row, span) in zip(part.rows, spans(in: part.rows)) { builder.append(span, sequence: Int64(row)) }
                segment = builder.segment()
            }
            try segment?.write(to: part.file.path)
            return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        }
    }

    /// Writes the spans as tab-separated files with a first line of names, for programs that import such files.
    func writeRows(to folder: URL) async throws {
        _ = try await inParts(of: folder) { part in
            var lines: [UInt8] = []
            var names: [String] = []
            for span in spans(in: part.rows) {
                if names.isEmpty {
                    names = span.fields.keys.sorted()
                    lines += "time\t\(names.joined(separator: "\t").replacing(".", with: "_"))\n".utf8
                }
                lines += String(span.time).utf8
                for name in names {
                    lines.append(UInt8(ascii: "\t"))
                    switch span.fields[name] {
                    case .string(let text): lines += text.utf8
                    case .int(let number): lines += String(number).utf8
                    default: break
                    }
                }
                lines.append(UInt8(ascii: "\n"))
            }
            try Data(lines).write(to: part.file)
            return 0
        }
    }

    private struct Part {
        let file: URL
        let rows: Range<Int>
    }

    /// Calls `body` for each 65,536 rows, on two cores, and returns the sum of what it returns.
    private func inParts(
        of folder: URL, _ body: @escaping @Sendable (Part) throws -> Double,
    ) async throws -> Double {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let count = (rows + Segment.rowLimit - 1) / Segment.rowLimit
        let workers = 2
        return try await withThrowingTaskGroup(of: Double.self) { tasks in
            for worker in 0..<workers {
                tasks.addTask {
                    try stride(from: worker, to: count, by: workers).reduce(0) { sum, index in
                        let first = index * Segment.rowLimit
                        let file = folder.appendingPathComponent(String(format: "%05d", index))
                        let part = Part(file: file, rows: first..<min(rows, first + Segment.rowLimit))
                        return sum + (try body(part))
                    }
                }
            }
            return try await tasks.reduce(0, +)
        }
    }

    private func spans(in rows: Range<Int>) -> some Sequence<QueryRecord> {
        var random = BenchmarkNumbers(state: UInt64(rows.lowerBound) &* 0x9E37_79B9 &+ 7)
        return rows.lazy.map { span($0, self.rows, &random) }
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
