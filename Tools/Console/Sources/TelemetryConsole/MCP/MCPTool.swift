import ConsoleStore
import Foundation

/// A tool of the Model Context Protocol: one path of the API, which only reads.
struct MCPTool: Sendable {
    struct Parameter: Sendable {
        let name: String
        var type = "string"
        let description: String
    }

    let name: String
    let endpoint: APIEndpoint
    let description: String
    /// What may be in the query of the path. The path's own parameters are required.
    var parameters: [Parameter] = []
    var required: [String] = []

    private static let text = Parameter(
        name: "q", description: "Words that must occur, or key=value. A phrase is in quotes.", )
    private static let limit = Parameter(name: "limit", type: "integer", description: "The size of a page.")
    private static let cursor = Parameter(name: "cursor", description: "The \"next\" of the page before.")
    private static let service = Parameter(name: "service", description: "A service.name.")
    private static let errors = Parameter(name: "errors", type: "boolean", description: "Only those with errors.")
    private static let times = [
        Parameter(name: "fromUs", type: "integer", description: "From this time on, in microseconds since 1970."),
        Parameter(name: "toUs", type: "integer", description: "Before this time, in microseconds since 1970."),
    ]
    private static let query = Parameter(
        name: "q",
        description: """
            A query as one line: calculations [of spans|events|sessions|issues|metrics] [by fields] [where condition] \
            [having …] [order …] [limit n] [every 5m|total] [last 24h]. Example: p95(duration), count by \
            app.screen.name where session.crashed last 24h
            """, )

    static let all: [MCPTool] = [
        MCPTool(
            name: "query", endpoint: .query,
            description: """
                Counts, percentiles, rates, ratios and heatmaps over all telemetry, by any attribute, also those of \
                the session (session.crashed), of the trace (root.name) and of the parent (parent.name).
                """, parameters: [query], required: ["q"], ),
        MCPTool(
            name: "query_records", endpoint: .queryRecords,
            description: "The records behind the answer of a query, with all their attributes.",
            parameters: [query, limit], required: ["q"], ),
        MCPTool(
            name: "query_differences", endpoint: .queryDifferences,
            description: "Which attributes set the selected records apart from the others of a query.",
            parameters: [
                query, Parameter(name: "selection", description: "A condition, such as status = error."),
            ], required: ["q", "selection"], ),
        MCPTool(
            name: "describe_fields", endpoint: .queryCompletions,
            description: "The fields, values and words that can follow the beginning of a query, as the data has them.",
            parameters: [Parameter(name: "q", description: "The beginning of a query, such as \"count by app.\".")], ),
        MCPTool(name: "services", endpoint: .services, description: "The services and the number of their records."),
        MCPTool(
            name: "sessions", endpoint: .sessions, description: "Sessions of apps, newest first.",
            parameters: [text, service, errors, limit, cursor] + times, ),
        MCPTool(
            name: "session", endpoint: .timeline,
            description: "A session and its records in order: screens, taps, requests and the backend's spans.",
            parameters: [limit, cursor], ),
        MCPTool(
            name: "traces", endpoint: .traces, description: "Traces, newest first.",
            parameters: [
                text, service, errors,
                Parameter(name: "minUs", type: "integer", description: "The shortest duration in microseconds."), limit,
                cursor,
            ] + times, ),
        MCPTool(name: "trace", endpoint: .trace, description: "The spans of a trace and their events, as a tree."),
        MCPTool(
            name: "logs", endpoint: .logs, description: "Log records and events, newest first.",
            parameters: [
                text, service,
                Parameter(
                    name: "severity", type: "integer", description: "The least severity: 9 info, 13 warn, 17 error.", ),
                limit, cursor,
            ] + times, ),
        MCPTool(
            name: "log_patterns", endpoint: .logPatterns,
            description: "The log messages that match a query of events, folded to patterns with counts.",
            parameters: [query], required: ["q"], ),
        MCPTool(
            name: "issues", endpoint: .groups, description: "Crashes or hangs in groups, with counts and versions.",
            parameters: [
                Parameter(name: "kind", description: "crash (the default) or hang."),
                Parameter(name: "version", description: "Only those of this app version."),
            ], ),
        MCPTool(
            name: "issue", endpoint: .group,
            description: "A group of crashes or hangs, its newest problems, and the flame graph of hangs.", ),
        MCPTool(
            name: "problem", endpoint: .problem,
            description: "One crash or hang with its symbolicated stacks, binary images and breadcrumbs.", ),
        MCPTool(name: "slow_screens", endpoint: .screens, description: "Slow and frozen frames by screen."),
        MCPTool(name: "releases", endpoint: .releases, description: "App versions with their crash-free sessions."),
        MCPTool(
            name: "replay", endpoint: .replay,
            description: "What a person saw in a session, as text: each screen and the texts that changed on it.",
            parameters: [
                Parameter(
                    name: "from", type: "integer", description: "The first frame, the \"next\" of the part before.", )
            ], ),
        MCPTool(
            name: "devices", endpoint: .devices, description: "Devices and what their SDKs report about themselves.",
            parameters: [text, limit, cursor], ),
        MCPTool(name: "metrics", endpoint: .metrics, description: "Metrics with their latest points."),
        MCPTool(name: "metric", endpoint: .metric, description: "One metric over time, by attributes."),
        MCPTool(name: "boards", endpoint: .boards, description: "Boards, which are named sets of queries."),
        MCPTool(
            name: "board", endpoint: .board,
            description: "A board with the queries of its panels. Run them with the tool query.", ),
        MCPTool(name: "alerts", endpoint: .alerts, description: "Alerts and whether they fire."),
    ]

    /// The parameters of the path, in their order.
    var pathParameters: [String] {
        endpoint.components.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Returns the path and query of the API, or what is missing or unknown.
    func target(_ arguments: [String: MCPRequest.Argument]) throws(MCPError) -> String {
        let known = Set(pathParameters + parameters.map(\.name))
        if let unknown = arguments.keys.sorted().first(where: { !known.contains($0) }) {
            throw .invalid(
                "\(name) has no parameter \(unknown.prefix(40)); expected \(known.sorted().joined(separator: ", "))")
        }
        var path = "/api/v1"
        for component in endpoint.components {
            guard component.hasPrefix("{") else {
                path += "/\(component)"
                continue
            }
            path += "/" + Self.encoded(try value(of: String(component.dropFirst().dropLast()), in: arguments))
        }
        for name in required { _ = try value(of: name, in: arguments) }
        let query = parameters.compactMap { parameter in
            arguments[parameter.name].map { "\(parameter.name)=\(Self.encoded($0.text))" }
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    private func value(
        of parameter: String, in arguments: [String: MCPRequest.Argument],
    ) throws(MCPError) -> String {
        guard let text = arguments[parameter]?.text, !text.isEmpty else {
            throw .invalid("\(name) requires \(parameter)")
        }
        return text
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension JSONText {
    /// Appends a tool as `tools/list` describes it.
    mutating func append(_ tool: MCPTool) {
        object { text in
            text.member("name", tool.name)
            text.member("description", tool.description)
            text.member("inputSchema") { text in
                text.object { text in
                    text.member("type", "object")
                    text.member("properties") { text in
                        text.object { text in
                            for name in tool.pathParameters {
                                text.append(MCPTool.Parameter(name: name, description: "The id of the \(name)."))
                            }
                            for parameter in tool.parameters { text.append(parameter) }
                        }
                    }
                    text.member("required") { $0.array(tool.pathParameters + tool.required) { $0.append($1) } }
                    text.member("additionalProperties", false)
                }
            }
            text.member("annotations") { text in
                text.object { text in
                    text.member("readOnlyHint", true)
                    text.member("openWorldHint", false)
                }
            }
        }
    }

    private mutating func append(_ parameter: MCPTool.Parameter) {
        member(named: parameter.name) { text in
            text.object { text in
                text.member("type", parameter.type)
                text.member("description", parameter.description)
            }
        }
    }
}
