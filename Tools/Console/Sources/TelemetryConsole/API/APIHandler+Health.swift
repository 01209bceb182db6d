import ConsoleModel
import Hummingbird
import HummingbirdCore

extension APIHandler {
    /// The number of hangs, newest first, whose stacks are merged into an issue's flame graph.
    private static let hangsInFlame = 20

    func issues(_ call: RouteCall) async throws -> Response {
        try await health.update()
        let query = call.query
        let name = query.text("kind") ?? IssueKind.crash.name
        guard let kind = IssueKind(name: name) else {
            throw APIFailure(.badRequest, "kind: expected crash or hang, found \(name.prefix(40))")
        }
        var wanted = IssueQuery(kind: kind)
        wanted.version = query.text("version")
        wanted.service = query.text("service")
        let issues = try await store.issues(wanted)
        return Self.json { $0.object { $0.member("groups") { $0.array(issues) { $0.append($1) } } } }
    }

    func issue(_ call: RouteCall) async throws -> Response {
        try await health.update()
        let issue = try await found(store.issue(call.id), "group", call.id)
        let issueEvents = try await store.issueEvents(of: call.id)
        let flame = issue.kind == .hang ? try await health.flame(Array(issueEvents.prefix(Self.hangsInFlame))) : nil
        return Self.json { text in
            text.object { text in
                text.member("group") { $0.append(issue) }
                text.member("problems") { $0.array(issueEvents) { $0.append($1) } }
                if let flame { text.member("flame") { $0.append(flame) } }
            }
        }
    }

    func issueEvent(_ call: RouteCall) async throws -> Response {
        try await health.update()
        let record = try await found(
            Int64(call.id).asyncFlatMap { try await store.issueEvent($0) }, "problem", call.id)
        let read = await health.read(record)
        // Symbols may have been added since the crash or hang was indexed.
        if try await store.issue(read.finding.fingerprint) == nil { try await store.file([read.finding]) }
        // Without the file of the releases, the crash or hang is still shown.
        let release = try? await markers.marker(of: record, read.report)
        return Self.json { $0.append(record, read.finding, read.report, release) }
    }
}

extension Optional {
    fileprivate func asyncFlatMap<Value>(_ transform: (Wrapped) async throws -> Value?) async rethrows -> Value? {
        if let self { try await transform(self) } else { nil }
    }
}
