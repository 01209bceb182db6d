import Foundation
import HTTPTypes

/// A route of the console, parsed from a path.
enum ConsoleRoute: Sendable, Hashable {
    case ingest(Signal)
    /// A page. The browser's script shows the content that the path names.
    case page
    case asset(String)
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
    case devices
    case device(String)
    case ledgerHistory(device: String)
    case metrics
    case health(HealthQuestion)
    case live

    /// Parses a path; `nil` if the console does not have it.
    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        switch parts.first {
        case "v1" where parts.count == 2:
            guard let signal = Signal(rawValue: parts[1]) else { return nil }
            self = .ingest(signal)
        case "assets" where parts.count == 2: self = .asset(parts[1])
        case "api" where parts.count >= 3 && parts[1] == "v1":
            guard let route = Self.api(Array(parts[2...])) else { return nil }
            self = route
        case nil: self = .page
        case "sessions", "traces", "devices":
            guard parts.count <= 2 else { return nil }
            self = .page
        case "health":
            guard parts.count <= 3 else { return nil }
            self = .page
        case "metrics":
            guard parts.count == 1 else { return nil }
            self = .page
        default: return nil
        }
    }

    private static func api(_ parts: [String]) -> ConsoleRoute? {
        let id = parts.count > 1 ? parts[1].removingPercentEncoding : nil
        switch (parts[0], parts.count, id) {
        case ("status", 1, _): return .status
        case ("services", 1, _): return .services
        case ("sessions", 1, _): return .sessions
        case ("sessions", 2, let id?): return .session(id)
        case ("sessions", 3, let id?) where parts[2] == "timeline": return .timeline(session: id)
        case ("sessions", 3, let id?) where parts[2] == "ledger": return .ledger(session: id)
        case ("sessions", 3, let id?) where parts[2] == "replay": return .replay(session: id)
        case ("sessions", 4, let id?) where parts[2] == "replay":
            return parts[3].removingPercentEncoding.map { .frames(session: id, recording: $0) }
        case ("traces", 1, _): return .traces
        case ("traces", 2, let id?): return .trace(id)
        case ("devices", 1, _): return .devices
        case ("devices", 2, let id?): return .device(id)
        case ("devices", 3, let id?) where parts[2] == "ledger": return .ledgerHistory(device: id)
        case ("metrics", 1, _): return .metrics
        case ("health", 2, "groups"?): return .health(.groups)
        case ("health", 2, "screens"?): return .health(.screens)
        case ("health", 2, "releases"?): return .health(.releases)
        case ("health", 3, "groups"?): return .health(.group(parts[2]))
        case ("health", 3, "problems"?): return .health(.problem(parts[2]))
        case ("live", 1, _): return .live
        default: return nil
        }
    }

    /// The allowed methods. Requests with other methods get 405 and these methods in `Allow`.
    var methods: [HTTPRequest.Method] {
        if case .ingest = self { [.post] } else { [.get, .head] }
    }
}

/// The API's requests about crashes, hangs and slow frames.
enum HealthQuestion: Sendable, Hashable {
    case groups
    case group(String)
    case problem(String)
    case screens
    case releases
}

/// A signal of OTLP. Raw values are the last component of the paths.
enum Signal: String, Sendable, CaseIterable {
    case traces
    case logs
    case metrics
}
