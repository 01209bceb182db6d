import BrowserKit
import ConsoleAccess
import Foundation
import HTTPTypes

@testable import TelemetryConsole

/// Reads every path of the API with everything that the lists name. A new path is read without a change here unless it
/// has a parameter of a new kind.
struct APICrawler: Sendable {
    /// Reads a path of the API.
    let read: @Sendable (_ path: String) async throws -> JSONResponse
    /// The number of sessions, traces and so on that are read one by one.
    var limit = 200

    init(limit: Int = 200, read: @escaping @Sendable (_ path: String) async throws -> JSONResponse) {
        self.read = read
        self.limit = limit
    }

    init(console: ConsoleInProcess, limit: Int = 200) {
        self.init(limit: limit) { try await console.get($0) }
    }

    /// Returns the paths read.
    @discardableResult
    func readEverything() async throws -> Set<String> {
        var known: [String: [String]] = [:]
        known["session"] = try await list("sessions?limit=200", "sessions", "id")
        known["trace"] = try await list("traces?limit=200", "traces", "traceId")
        known["device"] = try await list("devices?limit=200", "devices", "id")
        known["board"] = try await list("boards", "boards", "id")
        known["app"] = try await list("policies", "apps", "app")
        known["metric"] = try await list("metrics", "metrics", "name")
        known["group"] = []
        for kind in ["crash", "hang"] {
            known["group", default: []] += try await list("health/groups?kind=\(kind)", "groups", "fingerprint")
        }
        known["problem"] = []
        for group in known["group", default: []] {
            let problems = try await get("health/groups/\(group)")["problems"].elements
            known["problem", default: []] += problems.compactMap { $0["seq"].int.map(String.init) }
        }
        var paths: Set<String> = []
        for route in ConsoleRoute.all
        where route.method == .get && route.access == .key(.view) && route.path.text != "/api/v1/live" {
            for path in try await self.paths(of: route.path, known) {
                _ = try await get(path)
                paths.insert(path)
            }
        }
        for version in try await get("health/releases")["releases"].elements.compactMap({ $0["version"].text }) {
            for kind in ["crash", "hang"] {
                _ = try await get("health/groups?kind=\(kind)&version=\(Self.encode(version))")
            }
        }
        return paths
    }

    private func paths(of route: RoutePath, _ known: [String: [String]]) async throws -> [String] {
        var paths = [""]
        // Without api and v1.
        for component in route.components.dropFirst(2) {
            let parameter: String
            switch component {
            case .word(let word):
                paths = paths.map { "\($0)\($0.isEmpty ? "" : "/")\(word)" }
                continue
            case .parameter(let name): parameter = name
            }
            if parameter == "recording" {
                var longer: [String] = []
                for path in paths {
                    let recordings = try await get(path)["recordings"].elements.compactMap { $0["id"].text }
                    longer += recordings.map { "\(path)/\(Self.encode($0))" }
                }
                paths = longer
            } else {
                guard let values = known[parameter] else { throw UnknownParameter(name: parameter) }
                paths = paths.flatMap { path in values.prefix(limit).map { "\(path)/\(Self.encode($0))" } }
            }
        }
        let everything = [
            "count, p99(duration), heatmap(duration) by name, session.crashed last 3650d",
            "count, count_distinct(session.id) of events by name, body last 3650d",
        ].map { "q=\(Self.encode($0))" }
        switch route.text.dropFirst("/api/v1/".count) {
        case "query": paths = everything.map { "query?\($0)" }
        case "query/records": paths = everything.map { "query/records?limit=500&\($0)" }
        case "query/differences":
            paths = everything.map { "query/differences?selection=session.crashed&\($0)" }
        case "query/complete":
            paths = ["count by ", "count of events where name = "].map { "query/complete?q=\(Self.encode($0))" }
        case "journeys/funnel":
            let steps = #"[{"name": "a", "where": "name exists"}, {"name": "b", "where": "trace.id exists"}]"#
            let question = #"{"steps": \#(steps), "group": "status", "by": "trace.id", "time": "last 3650d"}"#
            paths = ["journeys/funnel", "journeys/funnel?q=\(Self.encode(question))"]
        case "journeys/flow": paths = ["journeys/flow?q=\(Self.encode(#"{"field": "name", "time": "last 3650d"}"#))"]
        case "logs/patterns": paths = ["logs/patterns?q=\(Self.encode("count of events last 3650d"))"]
        case "map": paths = ["map?time=last%203650d"]
        case "metrics":
            paths += known["session", default: []].prefix(min(limit, 5)).map { "metrics?session=\(Self.encode($0))" }
        default: break
        }
        return paths
    }

    private func list(_ path: String, _ name: String, _ id: String) async throws -> [String] {
        try await get(path)[name].elements.compactMap { $0[id].text }
    }

    private func get(_ path: String) async throws -> JSONResponse {
        try await read("/api/v1/\(path)")
    }

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }

    struct UnknownParameter: Error {
        let name: String
    }
}
