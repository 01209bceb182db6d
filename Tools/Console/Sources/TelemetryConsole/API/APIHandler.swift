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
    let boards: BoardLibrary
    let alerts: AlertMonitor
    let sites: [MountedSite]
    let forwarder: Forwarder?
    let releases: ReleaseMarkerFile
    let kept = KeptAnswers()

    func respond(to route: ConsoleRoute, request: Request) async throws -> Response {
        let query = QueryReader(request.uri)
        if let make = summary(of: route, query) { return try await keptAnswer(to: request.uri.string, make) }
        var text = JSONText(capacity: 16_384)
        switch route {
        case .sessions:
            let page = try await store.sessions(try query.sessionQuery())
            text.append(page, named: "sessions", found: try await elsewhere(page, query)) { $0.append($1) }
        case .session(let id):
            text.append(try await found(store.session(id), "session", id))
        case .timeline(let session):
            let page = try await found(store.timeline(query.timelineQuery(session)), "session", session)
            let summary = try query.flag("summary") ? try await store.session(session) : nil
            text.append(page, of: summary)
        case .ledger(let session):
            text.append(try await found(store.ledger(ofSession: session), "session", session))
        case .replay(let session):
            text.append(try await found(store.replay(query.replayQuery(session)), "session", session))
        case .frames(let session, let recording):
            let first = try query.number("from", within: 0...Int64.max) ?? 0
            let limit = Int(try query.number("limit", within: 1...1_000) ?? 200)
            let part = try await store.replayFrames(session: session, recording: recording, from: first, limit: limit)
            text.append(try found(part, "session", session))
        case .traces:
            let page = try await store.traces(try query.traceQuery())
            text.append(page, named: "traces", found: try await elsewhere(page, query)) { $0.append($1) }
        case .trace(let id):
            text.append(try await trace(id))
        case .traceParts(let id):
            text.append(try TracePart(of: try await trace(id), query))
        case .logs:
            let logs = try await store.logs(try query.logQuery())
            text.append(logs, found: try await elsewhere(logs.page, query))
        case .device(let id):
            text.append(try await found(store.device(id), "device", id))
        case .ledgerHistory(let device):
            let parts = Int(try query.number("parts", within: 1...1_000) ?? 200)
            let accounts = try await found(store.ledgerHistory(ofDevice: device, parts: parts), "device", device)
            text.object { $0.member("accounts") { $0.array(accounts) { $0.append($1) } } }
        case .metric(let name):
            return try await answer(to: request) {
                var text = JSONText(capacity: 16_384)
                text.append(try await metricDetail(name, query: query))
                return text
            }
        case .query(let question): return try await respond(to: question, request: request)
        case .board(let question): return try await respond(to: question, request: request)
        case .journey(let question): return try await respond(to: question, request: request)
        case .health(let question): return try await respond(to: question, query: query)
        case .forwarding:
            if let forwarder { text = try await forwarder.state() } else { text.object { _ in } }
        case .ingest, .mcp, .access, .symbols, .symbolsOf, .releases, .page, .asset, .live, .status, .services,
            .devices, .metrics:
            throw APIFailure(.notFound, "this path is not part of the API")
        }
        return Response(json: text)
    }

    /// Returns the records whose id was searched for, if the list has no record at all.
    func elsewhere<Element>(_ page: Page<Element>, _ query: QueryReader) async throws -> [FoundRecord] {
        guard page.elements.isEmpty, query.text("cursor") == nil, let text = query.text("q") else { return [] }
        return try await store.records(withID: text)
    }

    private func trace(_ id: String) async throws -> TraceDetail {
        guard let traceID = TraceID(hex: id.lowercased()) else {
            throw APIFailure(
                .badRequest,
                "expected a trace id of 32 hexadecimal digits, not all 0; found \(id.count) characters", )
        }
        return try await found(store.trace(traceID), "trace", id)
    }

    func found<Value>(_ value: Value?, _ kind: String, _ id: String) throws -> Value {
        guard let value else {
            throw APIFailure(
                .notFound, "\(kind) \(id) not found; it has not arrived yet, or retention removed it", )
        }
        return value
    }
}
