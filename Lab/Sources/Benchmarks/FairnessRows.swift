import AstrolabeGzip
import AstrolabePlatform
import Foundation

/// A light query, an export and a page of a large store: alone, and beside neighbours that take all that they can get.
enum FairnessRows {
    private struct Probe: Sendable {
        let name: String
        /// The spans to export; `nil` for a question.
        var spans: Int?
        /// The path of a question.
        var target = ""
    }

    private static let probes = [
        Probe(name: "light query", target: LoopbackConnection.target(of: "count by name last 10m every total")),
        Probe(name: "export of 20 spans", spans: 20),
        Probe(name: "page of sessions", target: "/api/v1/sessions?limit=50"),
    ]
    /// The greatest p99, in milliseconds.
    private static let limit = 500.0
    private static let pause = 0.05

    static func measure(_ options: BenchmarkOptions) throws -> [Row] {
        let store = try MeasuredStore(spans: options.spans)
        let seconds = options.isShort ? 10.0 : 60.0
        let alone = try times(store, for: seconds)
        let bomb = try bomb()
        let loads: [(name: String, load: (Neighbours, BackgroundLoops) -> Void)] = [
            ("50 heavy queries", { $0.queries(50, on: $1) }),
            ("20 decompression bombs", { $0.bombs(20, of: bomb, on: $1) }),
            ("1,000 slow connections", { $0.slowConnections(1_000, on: $1) }),
        ]
        var rows: [Row] = []
        for (name, load) in loads {
            Report.say("  beside \(name)")
            let neighbours = Neighbours(port: store.port)
            let beside = try BackgroundLoops.during({ load(neighbours, $0) }) { try times(store, for: seconds) }
            for (probe, (measured, base)) in zip(probes, zip(beside, alone)) {
                rows.append(
                    Row(
                        name: "\(probe.name) beside \(name)", figure: measured.text, target: "p99 under 500 ms",
                        isMet: measured.percentile(0.99) < limit && measured.refused == 0,
                        alternative: "alone: \(base.text); \(neighbours.text)"))
            }
        }
        return rows
    }

    /// Sends each probe again and again over a connection of its own, and returns the times of each.
    private static func times(_ store: MeasuredStore, for seconds: Double) throws -> [ResponseTimes] {
        let port = store.port
        let all = probes.map { _ in Locked(ResponseTimes()) }
        try BackgroundLoops.during({ loops in
            for (probe, times) in zip(probes, all) {
                loops.start { _, goesOn in
                    let connection = try LoopbackConnection(port: port)
                    var own = ResponseTimes()
                    while goesOn() {
                        let body = probe.spans.map { Workload.request(spans: $0) }
                        try own.note {
                            if let body { return try connection.post(body, signal: "traces") }
                            return try connection.request("GET", probe.target)
                        }
                        Thread.sleep(forTimeInterval: Self.pause)
                    }
                    times.withLock { $0 = own }
                }
            }
        }) {
            Thread.sleep(forTimeInterval: seconds)
        }
        return all.map { times in times.withLock { $0 } }
    }

    /// A request of some kilobytes that expands to 30 MiB of spans without contents.
    private static func bomb() throws -> [UInt8] {
        let spans = Array(repeatElement([UInt8(0x12), 0], count: 15 << 20).joined())
        return try GzipCoder.compress(field(1, field(2, spans)))
    }

    /// A length-delimited field of protobuf.
    private static func field(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] {
        var head = [number << 3 | 2]
        var count = contents.count
        while count > 127 {
            head.append(UInt8(count & 127) | 128)
            count >>= 7
        }
        return head + [UInt8(count)] + contents
    }
}

/// Clients of other addresses that load a console, and what it responds. A console takes each address for a sender and
/// a viewer.
private final class Neighbours: Sendable {
    private static let viewers = 5
    private static let senders = 4
    private static let firstHost = 10
    private static let query =
        "p50(duration), p99(duration), count_distinct(session.id) by name, http.route, os.version last 2d"

    private let port: UInt16
    private let responses = Locked<[Int: Int]>([:])

    init(port: UInt16) { self.port = port }

    /// The responses by status, which is 0 if there was none.
    var text: String {
        let counts = responses.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.value) times \($0.key)" }
        return "the others: " + (counts.isEmpty ? "no response" : counts.joined(separator: ", "))
    }

    func queries(_ count: Int, on loops: BackgroundLoops) {
        loops.start(count) { [self] number, goesOn in
            repeatedly(from: Self.firstHost + number % Self.viewers, while: goesOn) {
                try $0.request("GET", LoopbackConnection.target(of: Self.query))
            }
        }
    }

    func bombs(_ count: Int, of bomb: [UInt8], on loops: BackgroundLoops) {
        loops.start(count) { [self] number, goesOn in
            repeatedly(from: Self.firstHost + number % Self.senders, while: goesOn) {
                try $0.post(bomb, signal: "traces", headers: ["Content-Encoding: gzip"])
            }
        }
    }

    /// Connections that send a byte of a request a second.
    func slowConnections(_ count: Int, on loops: BackgroundLoops) {
        loops.start { [self] _, goesOn in
            let head = Array("POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n".utf8)
            var connections: [LoopbackConnection?] = Array(repeating: nil, count: count)
            while goesOn() {
                let start = ContinuousClock.now
                for index in connections.indices {
                    do {
                        if let connection = connections[index] {
                            try connection.write([0])
                        } else {
                            let connection = try LoopbackConnection(port: port, from: 2)
                            try connection.write(head)
                            connections[index] = connection
                        }
                    } catch {
                        connections[index] = nil
                    }
                }
                let elapsed = (ContinuousClock.now - start).nanoseconds / 1e9
                if elapsed < 1 { Thread.sleep(forTimeInterval: 1 - elapsed) }
            }
        }
    }

    /// Sends a request again and again, and after one that was refused with a pause. A connection that the console
    /// closes is made again.
    private func repeatedly(
        from host: Int, while goesOn: () -> Bool,
        _ request: (LoopbackConnection) throws -> LoopbackConnection.Response,
    ) {
        var connection: LoopbackConnection?
        while goesOn() {
            var status = 0
            do {
                let current = try connection ?? LoopbackConnection(port: port, from: UInt32(host))
                connection = current
                status = try request(current).status
            } catch {
                connection = nil
            }
            responses.withLock { $0[status, default: 0] += 1 }
            if status != 200 { Thread.sleep(forTimeInterval: 0.2) }
        }
    }
}
