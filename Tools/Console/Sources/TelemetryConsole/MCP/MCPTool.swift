import ConsoleModel
import Foundation

/// A tool of the Model Context Protocol: one path of the API, which only reads.
struct MCPTool: Sendable {
    struct Parameter: Sendable {
        let name: String
        var type = "string"
        let description: String
    }

    let name: String
    /// The path below `/api/v1`, which the route table has.
    let path: String
    let description: String
    /// The parameters in the query of the path. The path's own parameters are required.
    var parameters: [Parameter] = []
    var required: [String] = []
    /// The query of the path if the arguments do not say otherwise.
    var defaults: [String: String] = [:]
    /// True if the answer is text with pages of its own, in the place of the API's JSON.
    var isText = false

    private static let text = Parameter(
        name: "q",
        description: """
            Words that must occur, or key=value. A phrase is in quotes. The id of a trace, span, session or \
            installation finds its records.
            """)
    private static let limit = Parameter(
        name: "limit", type: "integer",
        description: "The largest size of a page. A page has fewer if they are large.")
    private static let cursor = Parameter(name: "cursor", description: "The \"next\" of the page before.")
    private static let service = Parameter(name: "service", description: "A service.name.")
    private static let errors = Parameter(name: "errors", type: "boolean", description: "Only those with errors.")
    private static let promoted = Parameter(
        name: "promoted",
        description: """
            Whether the flight recorder sent records of the session: "true", "false", or a trigger such as "error".
            """)
    /// The arguments of every tool with JSON.
    static let part = Parameter(
        name: "part",
        description: """
            A part of an answer that was too long: a "part" or the "next" in its outline, with the same other arguments.
            """)
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
            """)

    static let all: [MCPTool] = [
        MCPTool(
            name: "query", path: "query",
            description: """
                Counts, percentiles, rates, ratios and heatmaps over all telemetry, by any attribute, also those of \
                the session (session.crashed), of the trace (root.name) and of the parent (parent.name). The answer's \
                completeness says which share of what phones recorded in the time has arrived: do not read a drop \
                in an incomplete step as a change.
                """, parameters: [query], required: ["q"]),
        MCPTool(
            name: "query_records", path: "query/records",
            description: "The records behind the answer of a query, with all their attributes.",
            parameters: [
                query, Parameter(name: "limit", type: "integer", description: "The number of records, at most 500."),
            ], required: ["q"]),
        MCPTool(
            name: "query_differences", path: "query/differences",
            description: "Which attributes set the selected records apart from the others of a query.",
            parameters: [
                query, Parameter(name: "selection", description: "A condition, such as status = error."),
            ], required: ["q", "selection"]),
        MCPTool(
            name: "describe_fields", path: "query/complete",
            description: "The fields, values and words that can follow the beginning of a query, as the data has them.",
            parameters: [Parameter(name: "q", description: "The beginning of a query, such as \"count by app.\".")]),
        MCPTool(name: "services", path: "services", description: "The services and the number of their records."),
        MCPTool(
            name: "sessions", path: "sessions", description: "Sessions of apps, newest first.",
            parameters: [text, service, errors, promoted, limit, cursor] + times, defaults: ["limit": "50"]),
        MCPTool(
            name: "session", path: "sessions/{session}/timeline",
            description: """
                A session: its device and the numbers of its records, and then by page its records in order: screens, \
                taps, requests and the backend's spans.
                """, parameters: [limit, cursor], defaults: ["limit": "200", "summary": "true"]),
        MCPTool(
            name: "traces", path: "traces", description: "Traces, newest first.",
            parameters: [
                text, service, errors,
                Parameter(name: "minUs", type: "integer", description: "The shortest duration in microseconds."), limit,
                cursor,
            ] + times, defaults: ["limit": "50"]),
        MCPTool(
            name: "trace", path: "traces/{trace}/parts",
            description: """
                A trace of any size. The first page has a summary: spans and errors by service, the roots, the \
                critical path, and the names with the longest spans. Then come the spans by page in the order of the \
                tree, each followed by its events. "descendants" is the number of spans below one.
                """,
            parameters: [
                Parameter(name: "span", description: "A span id. Only this span and those below it."),
                Parameter(name: "offset", type: "integer", description: "The \"next\" of the page before."),
                Parameter(
                    name: "limit", type: "integer", description: "The largest size of a page, 100 if not given."),
            ]),
        MCPTool(
            name: "logs", path: "logs", description: "Log records and events, newest first.",
            parameters: [
                text, service,
                Parameter(
                    name: "severity", type: "integer", description: "The least severity: 9 info, 13 warn, 17 error."),
                limit, cursor,
            ] + times, defaults: ["limit": "50"]),
        MCPTool(
            name: "log_patterns", path: "logs/patterns",
            description: "The log messages that match a query of events, folded to patterns with counts.",
            parameters: [query], required: ["q"]),
        MCPTool(
            name: "issues", path: "health/groups", description: "Crashes or hangs in groups, with counts and versions.",
            parameters: [
                Parameter(name: "kind", description: "crash (the default) or hang."),
                Parameter(name: "version", description: "Only those of this app version."), service,
            ]),
        MCPTool(
            name: "issue", path: "health/groups/{group}",
            description: "A group of crashes or hangs, its newest problems, and the flame graph of hangs."),
        MCPTool(
            name: "problem", path: "health/problems/{problem}",
            description: "One crash or hang with its symbolicated stacks, binary images and breadcrumbs."),
        MCPTool(
            name: "slow_screens", path: "health/screens", description: "Slow and frozen frames by screen.",
            parameters: [service]),
        MCPTool(
            name: "releases", path: "health/releases", description: "App versions with their crash-free sessions.",
            parameters: [service]),
        MCPTool(
            name: "replay", path: "sessions/{session}/replay",
            description: "What a person saw in a session, as text: each screen and the texts that changed on it.",
            parameters: [
                Parameter(
                    name: "from", type: "integer", description: "The first frame, the \"next\" of the part before.")
            ], isText: true),
        MCPTool(
            name: "devices", path: "devices", description: "Devices and what their SDKs report about themselves.",
            parameters: [text, limit, cursor], defaults: ["limit": "50"]),
        MCPTool(
            name: "metrics", path: "metrics",
            description: """
                Metrics by name, each with the latest point of the three series that changed last. The tool metric has \
                one over time.
                """,
            parameters: [
                Parameter(name: "session", description: "Only series of this session."),
                Parameter(name: "series", type: "integer", description: "The most series of a metric, at most 200."),
                Parameter(name: "points", type: "integer", description: "The most points of a series, at most 1000."),
                limit, cursor,
            ], defaults: ["limit": "200", "series": "3", "points": "1"]),
        MCPTool(
            name: "metric", path: "metrics/{metric}",
            description: "One metric over time, by default of the last 24 hours.",
            parameters: [
                Parameter(name: "by", description: "An attribute to group by, one of \"keys\"."),
                Parameter(name: "time", description: "A time as in a query, such as last 1h."),
            ]),
        MCPTool(name: "boards", path: "boards", description: "Boards, which are named sets of queries."),
        MCPTool(
            name: "board", path: "boards/{board}",
            description: "A board with the queries of its panels. Run them with the tool query."),
        MCPTool(name: "alerts", path: "alerts", description: "Alerts and whether they fire."),
    ]

    var route: RoutePath { RoutePath("/api/v1/" + path) }

    /// The parameters, those of the path first.
    fileprivate var allParameters: [Parameter] {
        let ofPath = route.parameters.map { Parameter(name: $0, description: "The id of the \($0).") }
        return ofPath + parameters + (isText ? [] : [Self.part])
    }

    /// Returns the texts of arguments. An argument that is `null` is missing.
    ///
    /// - Throws: If one is unknown, missing or of a type that no parameter has.
    func texts(of arguments: [String: MCPValue]) throws(MCPError) -> [String: String] {
        let known = allParameters
        var texts: [String: String] = [:]
        for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
            guard let parameter = known.first(where: { $0.name == name }) else {
                let names = known.map(\.name).sorted().joined(separator: ", ")
                throw .invalid("\(self.name) has no parameter \(name.prefix(40)); expected \(names)")
            }
            switch value {
            case .null: break
            case .text(let text): texts[name] = text
            case .integer(let number): texts[name] = String(number)
            case .flag(let flag): texts[name] = String(flag)
            case .number, .list, .object:
                throw .invalid("\(self.name) \(name): expected type \(parameter.type), found \(value.kind)")
            }
        }
        for name in route.parameters + required where texts[name]?.isEmpty ?? true {
            throw .invalid("\(self.name) requires \(name)")
        }
        return texts
    }

    /// Returns the path and query of the API for the texts of arguments.
    func target(_ arguments: [String: String]) -> String {
        let asked = arguments.filter { name, _ in parameters.contains { $0.name == name } }
        let query = defaults.merging(asked) { $1 }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(Self.encoded($0.value))" }
        let target = route.filled { Self.encoded(arguments[$0] ?? "") }
        return query.isEmpty ? target : target + "?" + query.joined(separator: "&")
    }

    /// Returns the arguments of a page with so few records that it is about as long as the limit.
    ///
    /// The result is `nil` if the page is no longer than that, has one record, or the tool has no pages.
    func shorterPage(_ arguments: [String: String], size: Int, limit: Int) -> [String: String]? {
        guard size > limit, parameters.contains(where: { $0.name == Self.cursor.name }),
            let count = (arguments[Self.limit.name] ?? defaults[Self.limit.name]).flatMap({ Int($0) }), count > 1
        else { return nil }
        // A page may have had fewer records than were asked for, so the number is at least halved.
        let fitting = Int(Double(count) * Double(limit) / Double(size) * 0.8)
        var shorter = arguments
        shorter[Self.limit.name] = String(max(1, min(fitting, count / 2)))
        return shorter
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
                            for parameter in tool.allParameters { text.append(parameter) }
                        }
                    }
                    text.member("required") { $0.array(tool.route.parameters + tool.required) { $0.append($1) } }
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
