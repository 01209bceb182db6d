import AstrolabeTelemetryModel
import ConsoleModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Symbolication

/// Handles the API requests of the pages: returns the results of the store's queries as JSON.
struct APIHandler: Sendable {
    let store: any TelemetryStore
    let configuration: ConsoleConfiguration
    let health: IssueIndexer
    let queries: QuerySource
    let boardFiles: BoardLibrary
    let monitor: AlertMonitor
    let sites: [MountedSite]
    let forwarder: Forwarder?
    let asker: PromotionAsker?
    let markers: ReleaseMarkerFile
    let kept = ResponseCache()

    func sessions(_ call: RouteCall) async throws -> Response {
        let query = call.query
        let page = try await store.sessions(try query.sessionQuery())
        let found = try await elsewhere(page, query)
        return Self.json { $0.append(page, named: "sessions", found: found) { $0.append($1) } }
    }

    func session(_ call: RouteCall) async throws -> Response {
        let session = try await found(store.session(call.id), "session", call.id)
        return Self.json { $0.append(session) }
    }

    func timeline(_ call: RouteCall) async throws -> Response {
        let query = call.query
        let page = try await found(store.timeline(query.timelineQuery(call.id)), "session", call.id)
        let summary = try query.flag("summary") ? try await store.session(call.id) : nil
        let sequences = page.items.map { item in
            switch item {
            case .span(let span): span.seq
            case .event(let event): event.seq
            }
        }
        let arrivals = try await arrivalTimes(of: sequences)
        return Self.json { $0.append(page, arrivals: arrivals, of: summary) }
    }

    func ledger(_ call: RouteCall) async throws -> Response {
        let ledger = try await found(store.ledger(ofSession: call.id), "session", call.id)
        return Self.json { $0.append(ledger) }
    }

    func replay(_ call: RouteCall) async throws -> Response {
        let replay = try await found(store.replay(call.query.replayQuery(call.id)), "session", call.id)
        return Self.json { $0.append(replay) }
    }

    func frames(_ call: RouteCall) async throws -> Response {
        let query = call.query
        let first = try query.number("from", within: 0...Int64.max) ?? 0
        let limit = Int(try query.number("limit", within: 1...1_000) ?? 200)
        let part = try await store.replayFrames(
            session: call.id, recording: call.values.last ?? "", from: first, limit: limit)
        let frames = try found(part, "session", call.id)
        return Self.json { $0.append(frames) }
    }

    func traces(_ call: RouteCall) async throws -> Response {
        let query = call.query
        let page = try await store.traces(try query.traceQuery())
        let found = try await elsewhere(page, query)
        return Self.json { $0.append(page, named: "traces", found: found) { $0.append($1) } }
    }

    func trace(_ call: RouteCall) async throws -> Response {
        let trace = try await storedTrace(call.id)
        let arrivals = try await arrivalTimes(of: trace.spans.map(\.span.seq) + trace.events.map(\.seq))
        return Self.json { $0.append(trace, arrivals: arrivals) }
    }

    func traceParts(_ call: RouteCall) async throws -> Response {
        let part = try TracePart(of: try await storedTrace(call.id), call.query)
        return Self.json { $0.append(part) }
    }

    func logs(_ call: RouteCall) async throws -> Response {
        let query = call.query
        let logs = try await store.logs(try query.logQuery())
        let found = try await elsewhere(logs.page, query)
        let arrivals = try await arrivalTimes(of: logs.page.elements.map(\.event.seq))
        return Self.json { $0.append(logs, arrivals: arrivals, found: found) }
    }

    /// Returns when records arrived; nothing from a store that does not keep it.
    private func arrivalTimes(of sequences: [Int64]) async throws -> ArrivalTimes {
        guard let source = store.arrivals else { return ArrivalTimes([]) }
        return try await source.arrivalTimes(of: sequences)
    }

    func device(_ call: RouteCall) async throws -> Response {
        let device = try await found(store.device(call.id), "device", call.id)
        return Self.json { $0.append(device) }
    }

    func ledgerHistory(_ call: RouteCall) async throws -> Response {
        let parts = Int(try call.query.number("parts", within: 1...1_000) ?? 200)
        let accounts = try await found(store.ledgerHistory(ofDevice: call.id, parts: parts), "device", call.id)
        return Self.json { $0.object { $0.member("accounts") { $0.array(accounts) { $0.append($1) } } } }
    }

    func metric(_ call: RouteCall) async throws -> Response {
        try await answer(to: call.request) {
            var text = JSONText(capacity: 16_384)
            text.append(try await metricDetail(call.id, query: call.query))
            return text
        }
    }

    func forwarding(_ call: RouteCall) async throws -> Response {
        guard let forwarder else { return Self.json { $0.object { _ in } } }
        return Response(json: try await forwarder.state())
    }

    func recorder(_ call: RouteCall) -> Response {
        guard let asker else { return Self.json { $0.object { _ in } } }
        return Response(json: asker.state)
    }

    static func json(_ append: (inout JSONText) -> Void) -> Response {
        var text = JSONText(capacity: 16_384)
        append(&text)
        return Response(json: text)
    }

    /// Returns the records whose id was searched for, if the list has no record at all.
    func elsewhere<Element>(_ page: Page<Element>, _ query: QueryReader) async throws -> [FoundRecord] {
        guard page.elements.isEmpty, query.text("cursor") == nil, let text = query.text("q") else { return [] }
        return try await store.records(withID: text)
    }

    private func storedTrace(_ id: String) async throws -> TraceDetail {
        guard let traceID = TraceID(hex: id.lowercased()) else {
            throw APIFailure(
                .badRequest,
                "expected a trace id of 32 hexadecimal digits, not all 0; found \(id.count) characters")
        }
        return try await found(store.trace(traceID), "trace", id)
    }

    func found<Value>(_ value: Value?, _ kind: String, _ id: String) throws -> Value {
        guard let value else {
            throw APIFailure(
                .notFound, "\(kind) \(id) not found; it has not arrived yet, or retention removed it")
        }
        return value
    }
}
