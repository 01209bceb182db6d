import ConsoleModel
import Hummingbird
import HummingbirdCore

extension APIHandler {
    /// The number of hangs, newest first, whose stacks are merged into an issue's flame graph.
    private static let hangsInFlame = 20

    func respond(to question: HealthQuestion, query: QueryReader) async throws -> Response {
        try await health.update()
        var text = JSONText(capacity: 16_384)
        switch question {
        case .groups:
            let kind = query.text("kind") ?? ProblemKind.crash.name
            guard let kind = ProblemKind(name: kind) else {
                throw APIFailure(.badRequest, "kind: expected crash or hang, found \(kind.prefix(40))")
            }
            var problems = ProblemQuery(kind: kind)
            problems.version = query.text("version")
            problems.service = query.text("service")
            let groups = try await store.problemGroups(problems)
            text.object { $0.member("groups") { $0.array(groups) { $0.append($1) } } }
        case .group(let fingerprint):
            let group = try await found(store.problemGroup(fingerprint), "group", fingerprint)
            let problems = try await store.problems(of: fingerprint)
            let flame =
                group.kind == .hang ? try await health.flame(Array(problems.prefix(Self.hangsInFlame))) : nil
            text.object { text in
                text.member("group") { $0.append(group) }
                text.member("problems") { $0.array(problems) { $0.append($1) } }
                if let flame { text.member("flame") { $0.append(flame) } }
            }
        case .problem(let id):
            let record = try await found(Int64(id).asyncFlatMap { try await store.problem($0) }, "problem", id)
            let read = await health.read(record)
            // Symbols may have been added since the problem was indexed.
            if try await store.problemGroup(read.finding.fingerprint) == nil { try await store.file([read.finding]) }
            // Without the file of the releases, the problem is shown all the same.
            let release = try? await releases.marker(of: record, read.report)
            text.append(record, read.finding, read.report, release)
        case .screens, .releases: break
        }
        return Response(json: text)
    }
}

extension Optional {
    fileprivate func asyncFlatMap<Value>(_ transform: (Wrapped) async throws -> Value?) async rethrows -> Value? {
        if let self { try await transform(self) } else { nil }
    }
}
