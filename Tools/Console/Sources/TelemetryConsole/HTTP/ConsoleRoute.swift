import Foundation
import HTTPTypes

/// A route of the console, parsed from a path.
enum ConsoleRoute: Sendable, Hashable {
    case ingest(Signal)
    /// The Model Context Protocol.
    case mcp
    /// A page. The browser's script shows the content that the path names.
    case page
    case asset(String)
    /// Signing in and out.
    case access
    /// Uploads of debug symbols.
    case symbols
    /// What is stored of a build.
    case symbolsOf(build: String)
    /// Releases: their versions, commits and times.
    case releases
    case status
    case services
    case sessions
    case session(String)
    case timeline(session: String)
    case ledger(session: String)
    case replay(session: String)
    case frames(session: String, recording: String)
    case traces
    case trace(String)
    case traceParts(String)
    case logs
    case devices
    case device(String)
    case ledgerHistory(device: String)
    case metrics
    case metric(String)
    case query(QueryQuestion)
    case board(BoardQuestion)
    case journey(JourneyQuestion)
    case health(HealthQuestion)
    case forwarding
    case live

    /// Parses a path; `nil` if the console does not have it.
    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        switch parts.first {
        case "v1", "v1development":
            guard let signal = Signal.allCases.first(where: { $0.path == parts.joined(separator: "/") }) else {
                return nil
            }
            self = .ingest(signal)
        case "assets" where parts.count == 2: self = .asset(parts[1])
        case "api" where parts.count >= 3 && parts[1] == "v1":
            guard let route = Self.api(Array(parts[2...])) else { return nil }
            self = route
        case "mcp" where parts.count == 1: self = .mcp
        case nil: self = .page
        case "sessions", "traces", "devices", "metrics", "boards":
            guard parts.count <= 2 else { return nil }
            self = .page
        case "health":
            guard parts.count <= 3 else { return nil }
            self = .page
        case "sign-in", "logs", "explore", "alerts", "journeys", "map", "compare":
            guard parts.count == 1 else { return nil }
            self = .page
        default: return nil
        }
    }

    /// The path with the names of its parameters: `/api/v1/traces/{trace}`. `nil` if the console does not have it.
    static func template(of path: String) -> String? {
        let parts = path.split(separator: "/").map(String.init)
        if parts.count >= 3, parts[0] == "api", parts[1] == "v1" {
            return APIEndpoint.allCases.first { $0.values(in: Array(parts[2...])) != nil }.map {
                "/api/v1/" + $0.rawValue
            }
        }
        switch ConsoleRoute(path: path) {
        case .ingest(let signal): return "/" + signal.path
        case .asset: return "/assets/{asset}"
        case .mcp: return "/mcp"
        case .page: return "/" + (parts.first ?? "")
        default: return nil
        }
    }

    static func isIngest(_ template: String) -> Bool { Signal.allCases.contains { template == "/" + $0.path } }

    private static func api(_ parts: [String]) -> ConsoleRoute? {
        for endpoint in APIEndpoint.allCases {
            guard let values = endpoint.values(in: parts) else { continue }
            return ConsoleRoute(endpoint, values)
        }
        return nil
    }

    /// - Parameter values: The values of the endpoint's parameters, in their order.
    private init(_ endpoint: APIEndpoint, _ values: [String]) {
        switch endpoint {
        case .access: self = .access
        case .symbols: self = .symbols
        case .symbolsOfBuild: self = .symbolsOf(build: values[0])
        case .releaseMarkers: self = .releases
        case .status: self = .status
        case .services: self = .services
        case .sessions: self = .sessions
        case .session: self = .session(values[0])
        case .timeline: self = .timeline(session: values[0])
        case .ledger: self = .ledger(session: values[0])
        case .replay: self = .replay(session: values[0])
        case .frames: self = .frames(session: values[0], recording: values[1])
        case .traces: self = .traces
        case .trace: self = .trace(values[0])
        case .traceParts: self = .traceParts(values[0])
        case .logs: self = .logs
        case .devices: self = .devices
        case .device: self = .device(values[0])
        case .ledgerHistory: self = .ledgerHistory(device: values[0])
        case .metrics: self = .metrics
        case .metric: self = .metric(values[0])
        case .query: self = .query(.answer)
        case .queryRecords: self = .query(.records)
        case .queryDifferences: self = .query(.differences)
        case .queryCompletions: self = .query(.completions)
        case .boards: self = .board(.boards)
        case .board: self = .board(.board(values[0]))
        case .alerts: self = .board(.alerts)
        case .logPatterns: self = .query(.logPatterns)
        case .funnel: self = .journey(.funnel)
        case .flow: self = .journey(.flow)
        case .map: self = .journey(.map)
        case .groups: self = .health(.groups)
        case .group: self = .health(.group(values[0]))
        case .problem: self = .health(.problem(values[0]))
        case .screens: self = .health(.screens)
        case .releases: self = .health(.releases)
        case .forwarding: self = .forwarding
        case .live: self = .live
        }
    }

    /// The allowed methods. Requests with other methods get 405 and these methods in `Allow`.
    var methods: [HTTPRequest.Method] {
        switch self {
        case .ingest, .symbols, .mcp: [.post]
        case .access: [.get, .head, .post, .delete]
        case .releases: [.get, .head, .post]
        case .query(.answer), .journey(.funnel), .journey(.flow): [.get, .head, .post]
        case .board(let question): question.methods
        default: [.get, .head]
        }
    }
}

/// The paths of the API below `/api/v1`. A component in braces is a parameter.
enum APIEndpoint: String, Sendable, CaseIterable {
    case access
    case symbols
    case symbolsOfBuild = "symbols/{build}"
    case releaseMarkers = "releases"
    case status
    case services
    case sessions
    case session = "sessions/{session}"
    case timeline = "sessions/{session}/timeline"
    case ledger = "sessions/{session}/ledger"
    case replay = "sessions/{session}/replay"
    case frames = "sessions/{session}/replay/{recording}"
    case traces
    case trace = "traces/{trace}"
    case traceParts = "traces/{trace}/parts"
    case logs
    case devices
    case device = "devices/{device}"
    case ledgerHistory = "devices/{device}/ledger"
    case metrics
    case metric = "metrics/{metric}"
    case query
    case queryRecords = "query/records"
    case queryDifferences = "query/differences"
    case queryCompletions = "query/complete"
    case boards
    case board = "boards/{board}"
    case alerts
    case logPatterns = "logs/patterns"
    case funnel = "journeys/funnel"
    case flow = "journeys/flow"
    case map
    case groups = "health/groups"
    case group = "health/groups/{group}"
    case problem = "health/problems/{problem}"
    case screens = "health/screens"
    case releases = "health/releases"
    case forwarding
    case live

    /// The components of the path.
    var components: [Substring] { rawValue.split(separator: "/") }

    /// Returns the decoded parameters of a path; `nil` if it is not this endpoint's.
    func values(in parts: [String]) -> [String]? {
        let components = components
        guard parts.count == components.count else { return nil }
        var values: [String] = []
        for (component, part) in zip(components, parts) {
            if component.hasPrefix("{") {
                guard let value = part.removingPercentEncoding else { return nil }
                values.append(value)
            } else if component != part {
                return nil
            }
        }
        return values
    }
}

/// The API's requests about the order of records: what follows what, and who calls whom.
enum JourneyQuestion: Sendable, Hashable {
    case funnel
    case flow
    case map
}

/// The API's requests about crashes, hangs and slow frames.
enum HealthQuestion: Sendable, Hashable {
    case groups
    case group(String)
    case problem(String)
    case screens
    case releases
}

/// The API's requests about queries.
enum QueryQuestion: Sendable, Hashable {
    case answer
    case records
    case differences
    case completions
    case logPatterns
}

/// A signal of OTLP.
package enum Signal: String, Sendable, CaseIterable {
    case traces
    case logs
    case metrics
    /// In development in OTLP, whose paths say so.
    case profiles

    /// The path of OTLP over HTTP.
    package var path: String { (self == .profiles ? "v1development/" : "v1/") + rawValue }
}
