import AstrolabeOTLP
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import ConsoleStore
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import TelemetryConsole

/// An export holds all that a store has of its records.
@Suite(.timeLimit(.minutes(10))) struct `The records of a console` {
    enum Encoding: CaseIterable {
        case json, protobuf
    }

    /// A console that receives its own export receives JSON.
    @Test(ConformanceScript.needsPython, arguments: Thoroughness.isThorough ? Encoding.allCases : [.protobuf])
    func `are stored alike by a console that receives what another one exports`(encoding: Encoding) async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = ConsoleUnderTest.configuration(in: folder)
        let other = folder.appendingPathComponent("other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let second = ConsoleUnderTest.configuration(in: other)
        try await ConsoleInProcess.run(first) { console in
            try await Self.fill(console)
            // The console still has the file open.
            let export = try StoreExport(path: first.store.path, filter: ExportFilter())
            try await ConsoleInProcess.run(second) { try await Self.copy(export, to: $0, encoding) }
        }
        let (sent, received) = (try Self.contents(first.store.path), try Self.contents(second.store.path))
        for (table, rows) in sent {
            #expect(!rows.isEmpty, "no rows in \(table)")
            let missing = Set(rows).subtracting(received[table] ?? [])
            let added = Set(received[table] ?? []).subtracting(rows)
            #expect(missing.isEmpty && added.isEmpty, "\(table): \(missing.first ?? "") \(added.first ?? "")")
            #expect(rows.count == received[table]?.count, "\(table)")
        }
    }

    @Test(ConformanceScript.needsPython)
    func `are taken once if a console receives its own export`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ConsoleUnderTest.configuration(in: folder)
        try await ConsoleInProcess.run(configuration) { console in
            try await Self.fill(console)
            let before = try await console.store.statistics().received
            let export = try StoreExport(path: configuration.store.path, filter: ExportFilter())
            try await Self.copy(export, to: console, .json)
            #expect(try await console.store.statistics().received == before)
        }
    }

    /// The way in which a request arrives.
    enum Arrival: CustomTestStringConvertible, Sendable {
        case http(Encoding, BodyCompression)
        case gRPC

        static let all =
            BodyCompression.allCases.flatMap { [Arrival.http(.protobuf, $0), .http(.json, $0)] } + [.gRPC]

        var testDescription: String {
            switch self {
            case .http(let encoding, let compression): "\(encoding) by HTTP, \(compression)"
            case .gRPC: "gRPC"
            }
        }

        func send(_ request: EveryField, to signal: Signal, of console: ConsoleUnderTest) async throws {
            switch self {
            case .http(let encoding, let compression):
                let body = try encoding == .json ? request.json(of: signal) : request.body
                let response = try await HTTP.request(
                    "POST", "\(console.address)/v1/\(signal.rawValue)",
                    headers: [
                        "Content-Type": encoding == .json ? "application/json" : "application/x-protobuf",
                        "Content-Encoding": compression.rawValue,
                    ], body: try Compressed.body(body, compression))
                #expect(response.status == 200, "\(response.text)")
            case .gRPC:
                let response = try await GRPCSender.run(console) { try await $0.send(request.body, to: signal) }
                #expect(response == [])
            }
        }
    }

    /// `EveryField.keptFields` lists the fields that differ.
    @Test(ConformanceScript.needsPython, arguments: Arrival.all)
    func `are exported with every field of OTLP, however they arrived`(arrival: Arrival) async throws {
        try await ConsoleUnderTest.run {
            $0.grpcPort = 0
        } _: { console in
            let requests = try EveryField.requests()
            for signal in [Signal.traces, .logs, .metrics] {
                let request = try #require(requests[signal.rawValue])
                try await arrival.send(request, to: signal, of: console)
                let export = try StoreExport(path: console.console.store.configuration.path, filter: ExportFilter())
                let exported = try #require(OTLPFields(try export.json(of: signal)))
                let lines = [exported.fields, request.keptFields].map { fields in
                    fields.map { "\($0[0]) = \($0[1].lowercased())" }.sorted()
                }
                let difference = lines[0].difference(from: lines[1])
                #expect(difference.isEmpty, "\(difference)")
            }
        }
    }

    /// Only a console upgrades a file.
    @Test
    func `are not read from a file of an earlier version`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ConsoleUnderTest.configuration(in: folder)
        let path = configuration.store.path
        try await ConsoleInProcess.run(configuration) { _ in }
        let database = try DatabaseQueue(path: path)
        let version = try await database.write { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            try database.execute(sql: "PRAGMA user_version = \(version - 1)")
            return version
        }
        try database.close()
        #expect(throws: StoreError.olderVersion(path: path, found: version - 1, expected: version)) {
            try StoreExport(path: path, filter: ExportFilter())
        }
    }

    /// Sends values of every type and magnitude, every field of OTLP, and a visit with a replay.
    private static func fill(_ console: ConsoleInProcess) async throws {
        // A record that is placed at its arrival has another time in each console.
        var hostile = HostileTelemetry(seed: 13, hasPlausibleTimes: true)
        for _ in 0..<15 {
            let (signal, body) = hostile.request(records: 40)
            try await console.send(body, to: signal)
        }
        for (signal, request) in try EveryField.requests() {
            try await console.send(request.body, to: signal, "application/x-protobuf")
        }
        let visit = ShopVisit.purchase()
        try await console.send(visit.phoneTraceBody, to: .traces)
        try await console.send(visit.phoneLogBody, to: .logs)
        try await console.send(try ReplayVisit(visit).body, to: .logs)
        // Keys that look like the store's own, where the store nests them.
        let attributes: Attributes = ["$bytes": "00", "$\u{301}": 1, "$$": AttributeValue.map(["$\u{301}": 1])]
        var promoted = attributes
        promoted["session.id"] = "promoted"
        promoted["astrolabe.recorder.trigger"] = "error"
        // More than one page of an export has.
        let spans = (1...2_500 as ClosedRange<UInt64>).map { number in
            let id = SpanContext(traceID: TraceID(high: 3, low: 4), spanID: SpanID(number))
            return SpanData(
                context: id, name: "dollars", startTimeUnixNano: 7, endTimeUnixNano: 9, attributes: promoted,
                events: [SpanEvent(name: "e", timeUnixNano: 8, attributes: attributes)],
                links: [SpanLink(context: id, attributes: attributes)])
        }
        let group = ResourceGroup(
            resource: Resource(attributes: attributes),
            scopes: [ScopeGroup(scope: InstrumentationScope(name: "s", attributes: attributes), records: spans)])
        try await console.send(OTLPEncoder.protobuf([group]), to: "traces", "application/x-protobuf")
    }

    private static func copy(
        _ export: StoreExport, to console: ConsoleInProcess, _ encoding: Encoding,
    ) async throws {
        let type = encoding == .json ? "application/json" : "application/x-protobuf"
        var (position, pages): (Int64, Int) = (0, 0)
        while let page = try export.spans(after: position) {
            let body = encoding == .json ? OTLPEncoder.json(page.groups) : OTLPEncoder.protobuf(page.groups)
            try await console.send(body, to: "traces", type)
            (position, pages) = (page.position, pages + 1)
        }
        #expect(pages > 2)
        for next in [export.logs, export.replays] {
            position = 0
            while let page = try next(position) {
                let body = encoding == .json ? OTLPEncoder.json(page.groups) : OTLPEncoder.protobuf(page.groups)
                try await console.send(body, to: "logs", type)
                position = page.position
            }
        }
        position = 0
        while let page = try export.metrics(after: position) {
            let body = encoding == .json ? OTLPEncoder.json(page.groups) : OTLPEncoder.protobuf(page.groups)
            try await console.send(body, to: "metrics", type)
            position = page.position
        }
    }

    /// The rows of a database as text, without the numbers that depend on the order of arrival.
    private static func contents(_ path: String) throws -> [String: [String]] {
        let owner = "r.hash_high, r.hash_low, c.hash_high, c.hash_low, ifnull(x.name, '')"
        let owners = """
            JOIN resources r ON r.id = o.resource JOIN scopes c ON c.id = o.scope
            LEFT JOIN sessions x ON x.id = o.session
            """
        let trace = "ifnull(t.high, 0), ifnull(t.low, 0)"
        let queries = [
            "resources": """
            SELECT hash_high, hash_low, service, lane, attributes, schema_url, dropped, spans, logs, points, replays
            FROM resources WHERE spans + logs + points + replays > 0
            """,
            "scopes": """
            SELECT hash_high, hash_low, name, version, attributes, schema_url, dropped FROM scopes
            WHERE id IN (SELECT scope FROM spans UNION SELECT scope FROM logs UNION SELECT scope FROM replays
                UNION SELECT scope FROM series)
            """,
            "traces": """
            SELECT high, low, first_start, last_end, spans, logs, errors, unclaimed_spans, unclaimed_events,
                unclaimed_errors, unclaimed_crashes FROM traces
            """,
            "spans": """
            SELECT \(trace), \(owner), o.span, o.parent, o.kind, o.category, o.status, o.start, o.duration, o.name,
                o.attributes, o.more, o.flags FROM spans o JOIN traces t ON t.id = o.trace \(owners)
            """,
            "logs": """
            SELECT \(trace), \(owner), o.uid_high, o.uid_low, o.span, o.category, o.severity, o.time, o.name, o.body,
                o.attributes, o.observed, o.flags, o.severity_text, o.dropped, o.sent, o.original IS NULL
            FROM logs o LEFT JOIN traces t ON t.id = o.trace \(owners)
            """,
            // An exported frame is as it was corrected, so it has no faults any more.
            "replays": """
            SELECT \(owner), o.uid_high, o.uid_low, o.recording, o.sequence, o.is_key, o.time,
                json_remove(o.frame, '$.faults'), o.attributes FROM replays o \(owners)
            """,
            "points": """
            SELECT \(owner), o.hash_high, o.hash_low, o.name, o.description, o.unit, o.kind, o.temporality,
                o.monotonic, o.attributes, o.metadata, p.time, p.start, p.value, p.integer, p.count, p.histogram,
                p.exemplars FROM points p JOIN series o ON o.id = p.series \(owners)
            """,
            "sessions": """
            SELECT name, first_any, last_any, first_device, last_device, spans, events, errors, crashes, points,
                requests, failed_requests, device_requests, device_failed_requests, traces FROM sessions
            """,
            "session_screens": """
            SELECT x.name, s.name, s.first_time FROM session_screens s JOIN sessions x ON x.id = s.session
            """,
            "session_triggers": """
            SELECT x.name, s.name, s.first_time FROM session_triggers s JOIN sessions x ON x.id = s.session
            """,
            "session_activity": """
            SELECT x.name, s.bucket, s.records, s.errors FROM session_activity s JOIN sessions x ON x.id = s.session
            """,
        ]
        let database = try DatabaseQueue(path: path)
        defer { try? database.close() }
        return try database.read { database in
            try queries.mapValues { try Row.fetchAll(database, sql: $0).map(\.description) }
        }
    }
}

extension EveryField {
    /// The request in OTLP's JSON form, which has what ``keptFields`` has.
    fileprivate func json(of signal: Signal) throws -> [UInt8] {
        switch signal {
        case .traces: OTLPEncoder.json(try OTLPDecoder.traces(protobuf: body))
        case .logs: OTLPEncoder.json(try OTLPDecoder.logs(protobuf: body))
        case .metrics: OTLPEncoder.json(try OTLPDecoder.metrics(protobuf: body))
        case .profiles: []
        }
    }
}

extension StoreExport {
    /// The first page of a signal in OTLP's JSON form.
    fileprivate func json(of signal: Signal) throws -> [UInt8] {
        switch signal {
        case .traces: OTLPEncoder.json(try spans(after: 0)?.groups ?? [])
        case .logs: OTLPEncoder.json(try logs(after: 0)?.groups ?? [])
        case .metrics: OTLPEncoder.json(try metrics(after: 0)?.groups ?? [])
        case .profiles: []
        }
    }
}

extension ConsoleInProcess {
    fileprivate func send(_ body: [UInt8], to signal: String, _ type: String) async throws {
        let response = try await client.executeRequest(
            uri: "/v1/\(signal)", method: .post, headers: [.contentType: type], body: ByteBuffer(bytes: body))
        #expect(response.status == .ok, "\(String(buffer: response.body))")
        // Of a partial success, OTLP's response has a message.
        #expect(response.body.readableBytes <= 2, "\(String(buffer: response.body))")
    }
}
