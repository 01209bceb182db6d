import ConsoleModel
import Hummingbird
import HummingbirdCore

extension APIHandler {
    /// The number of hangs, newest first, whose stacks are merged into an issue's flame graph.
    private static let hangsInFlame = 20

    func groups(_ call: RouteCall) async throws -> Response {
        try await health.update()
        let query = call.query
        let name = query.text("kind") ?? ProblemKind.crash.name
        guard let kind = ProblemKind(name: name) else {
            throw APIFailure(.badRequest, "kind: expected crash or hang, found \(name.prefix(40))")
        }
        var problems = ProblemQuery(kind: kind)
        problems.version = query.text("version")
        problems.service = query.text("service")
        let groups = try await store.problemGroups(problems)
        return Self.json { $0.object { $0.member("groups") { $0.array(groups) { $0.append($1) } } } }
    }

    func group(_ call: RouteCall) async throws -> Response {
        try await health.update()
        let group = try await found(store.problemGroup(call.id), "group", call.id)
        let problems = try await store.problems(of: call.id)
        let flame = group.kind == .hang ? try await health.flame(Array(problems.prefix(Self.hangsInFlame))) : nil
        return Self.json { text in
            text.object { text in
                text.member("group") { $0.append(group) }
                text.member("problems") { $0.array(problems) { $0.append($1) } }
                if let flame { text.member("flame") { $0.append(flame) } }
            }
        }
    }

    func problem(_ call: RouteCall) async throws -> Response {
        try await health.update()
        let record = try await found(Int64(call.id).asyncFlatMap { try await store.problem($0) }, "problem", call.id)
        let read = await health.read(record)
        // Symbols may have been added since the problem was indexed.
        if try await store.problemGroup(read.finding.fingerprint) == nil { try await store.file([read.finding]) }
        // Without the file of the releases, the problem is shown all the same.
        let release = try? await markers.marker(of: record, read.report)
        return Self.json { $0.append(record, read.finding, read.report, release) }
    }
}

extension Optional {
    fileprivate func asyncFlatMap<Value>(_ transform: (Wrapped) async throws -> Value?) async rethrows -> Value? {
        if let self { try await transform(self) } else { nil }
    }
}
