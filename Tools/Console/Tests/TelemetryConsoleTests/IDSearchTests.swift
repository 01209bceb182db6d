import BrowserKit
import HTTPTypes
import Testing

@testable import TelemetryConsole

/// Searches of all lists for the ids of records, as they are pasted.
@Suite
struct IDSearchTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"
    private static let session = "7c4f0a1e-9d2b-4e57-8f30-100000000001"
    private static let installation = "5f3c2d0e-1a2b-4c3d-8e9f-100000000002"
    /// A trace of a backend, without log records, session and device.
    private static let lonelyTrace = "4bf92f3577b34da6a3ce929d0e0e4799"
    private static let lonelySpan = "00f067aa0ba90299"

    private static func log(_ body: String, trace: String = "", span: String = "", session: String? = nil)
        -> OTLPBody.Event
    {
        OTLPBody.Event(
            name: "", time: start, attributes: session.map { [("session.id", .string($0))] } ?? [], body: body,
            trace: trace, span: span)
    }

    private static func send(to console: ConsoleInProcess) async throws {
        let phone: [(String, JSON)] = [("service.name", "shop"), ("app.installation.id", .string(installation))]
        let backend: [(String, JSON)] = [("service.name", "backend")]
        let other: [(String, JSON)] = [("service.name", "shop"), ("app.installation.id", "other-2")]
        let own: [(String, JSON)] = [("session.id", .string(session))]
        let order = OTLPBody.Span(
            trace: trace, id: span, name: "order", start: start, end: start + 1_000, attributes: own)
        let charge = OTLPBody.Span(
            trace: trace, id: "00f067aa0ba902b8", parent: span, name: "charge", kind: 2, start: start,
            end: start + 900)
        let lonely = OTLPBody.Span(
            trace: lonelyTrace, id: lonelySpan, name: "cron", start: start, end: start + 1_000)
        let browse = OTLPBody.Span(
            trace: "4bf92f3577b34da6a3ce929d0e0e4711", id: "00f067aa0ba90211", name: "browse", start: start,
            end: start + 1_000, attributes: [("session.id", "session-2")])
        try await console.send(OTLPBody.traces(phone, [order]), to: .traces)
        try await console.send(OTLPBody.traces(backend, [charge, lonely]), to: .traces)
        try await console.send(OTLPBody.traces(other, [browse]), to: .traces)
        try await console.send(
            OTLPBody.logs(
                phone, [log("paid", trace: trace, span: span, session: session), log("seen", session: session)]),
            to: .logs)
        try await console.send(OTLPBody.logs(backend, [log("charged", trace: trace), log("other")]), to: .logs)
        try await console.send(OTLPBody.logs(other, [log("browsed", session: "session-2")]), to: .logs)
    }

    /// The searches that find the records of an id: bare and after each name of its kind.
    private static let searches: [(terms: [String], logs: Set<String>)] = [
        (
            [trace, trace.uppercased(), "trace.id=\(trace)", "traceId=\(trace)", "trace_id=\(trace)"],
            ["paid", "charged"],
        ),
        ([span, "span.id=\(span)", "spanId=\(span)"], ["paid"]),
        ([session, "session.id=\(session)", "sessionId=\(session)"], ["paid", "charged", "seen"]),
        ([installation, "app.installation.id=\(installation)"], ["paid", "seen"]),
    ]

    @Test(arguments: TestedStore.all)
    func `an id finds the records of it in each list`(store: TestedStore) async throws {
        try await ConsoleInProcess.run(on: store) { console in
            try await Self.send(to: console)
            for (terms, logs) in Self.searches {
                for term in terms {
                    let q = term.replacing("=", with: "%3D")
                    let found = try await console.get("/api/v1/logs?q=\(q)")
                    #expect(Set(found["logs"].elements.compactMap { $0["body"].text }) == logs, "\(term)")
                    #expect(found["found"].isMissing)
                    let traces = try await console.get("/api/v1/traces?q=\(q)")
                    #expect(traces["traces"].elements.map { $0["traceId"].text } == [Self.trace], "\(term)")
                    let sessions = try await console.get("/api/v1/sessions?q=\(q)")
                    #expect(sessions["sessions"].elements.map { $0["id"].text } == [Self.session], "\(term)")
                    let devices = try await console.get("/api/v1/devices?q=\(q)")
                    #expect(devices["devices"].elements.map { $0["id"].text } == [Self.installation], "\(term)")
                }
            }
        }
    }

    @Test(arguments: TestedStore.all)
    func `an id is found at all times, and with other words`(store: TestedStore) async throws {
        try await ConsoleInProcess.run(on: store) { console in
            try await Self.send(to: console)
            let later = Self.start / 1_000 + 1_000_000_000
            for (list, members) in [("logs", 2), ("traces", 1), ("sessions", 1)] {
                let page = try await console.get("/api/v1/\(list)?q=\(Self.trace)&fromUs=\(later)")
                #expect(page[list].elements.count == members, "\(list)")
            }
            let logs = try await console.get("/api/v1/logs?q=\(Self.trace)%20charged")
            #expect(logs["logs"].elements.map { $0["body"].text } == ["charged"])
        }
    }

    @Test(arguments: TestedStore.all)
    func `an empty list names the record of another kind that has the id`(store: TestedStore) async throws {
        try await ConsoleInProcess.run(on: store) { console in
            try await Self.send(to: console)
            for list in ["logs", "sessions", "devices"] {
                let trace = try await console.get("/api/v1/\(list)?q=\(Self.lonelyTrace)")
                #expect(trace[list].elements.isEmpty)
                #expect(trace["found"].elements.map { $0["kind"].text } == ["trace"], "\(list)")
                #expect(trace["found"][0]["id"].text == Self.lonelyTrace)
                let span = try await console.get("/api/v1/\(list)?q=span.id%3D\(Self.lonelySpan)")
                #expect(span["found"].elements.map { $0["kind"].text } == ["span"], "\(list)")
                #expect(span["found"][0]["traceId"].text == Self.lonelyTrace)
            }
            let unknown = try await console.get("/api/v1/logs?q=4bf92f3577b34da6a3ce929d0e0e4700")
            #expect(unknown["logs"].elements.isEmpty)
            #expect(unknown["found"].isMissing)
        }
    }

    @Test(arguments: TestedStore.all)
    func `an id without records of its own is looked for as text`(store: TestedStore) async throws {
        try await ConsoleInProcess.run(on: store) { console in
            try await Self.send(to: console)
            let bodies = ["failed in \(Self.lonelyTrace)", "retried 4bf92f3577b34da6a3ce929d0e0e4700"]
            try await console.send(OTLPBody.logs([("service.name", "cron")], bodies.map { Self.log($0) }), to: .logs)
            for (id, body) in [(Self.lonelyTrace, bodies[0]), ("4bf92f3577b34da6a3ce929d0e0e4700", bodies[1])] {
                let page = try await console.get("/api/v1/logs?q=\(id)")
                #expect(page["logs"].elements.map { $0["body"].text } == [body])
            }
            let pending = Self.log("before its span", trace: Self.trace, span: "00f067aa0ba902ff")
            try await console.send(OTLPBody.logs([("service.name", "cron")], [pending]), to: .logs)
            let page = try await console.get("/api/v1/logs?q=00f067aa0ba902ff")
            #expect(page["logs"].elements.map { $0["body"].text } == ["before its span"])
        }
    }
}
