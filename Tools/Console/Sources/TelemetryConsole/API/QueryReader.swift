import ConsoleModel
import Foundation
import HTTPTypes
import HummingbirdCore

/// Parses and validates the query parameters of a URL, written as HTML forms do: a space is `+` or `%20`.
struct QueryReader {
    private let parameters: [String: String]

    /// Reads the query of a URL. The first of several parameters with one name counts.
    init(_ uri: URI) {
        let pairs = (uri.query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
        parameters = Dictionary(pairs) { first, _ in first }
    }

    /// The names of the parameters, sorted.
    var names: [String] { parameters.keys.sorted() }

    /// Decodes a name or a value. Text with an invalid escape is left as it is.
    private static func decoded(_ text: Substring) -> String {
        let text = text.replacing("+", with: " ")
        return String(text).removingPercentEncoding ?? String(text)
    }

    /// Returns the parameter's text; `nil` if it is absent or empty.
    func text(_ name: String) -> String? {
        guard let value = parameters[name], !value.isEmpty else { return nil }
        return value
    }

    func flag(_ name: String) throws -> Bool {
        switch text(name) {
        case nil, "false", "0": false
        case "true", "1": true
        case let other?: throw APIFailure(.badRequest, "\(name): expected true or false, found \(other.prefix(40))")
        }
    }

    /// Returns the class of the request's queries: `class=interactive` (default), `board` or `export`.
    func queryClass() throws -> QueryClass {
        guard let text = text("class") else { return .interactive }
        guard let kind = QueryClass(rawValue: text) else {
            let names = QueryClass.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIFailure(.badRequest, "class: expected one of \(names), found \(text.prefix(40))")
        }
        return kind
    }

    func number(_ name: String, within range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = text(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw APIFailure(
                .badRequest,
                "\(name): expected \(range.lowerBound) to \(range.upperBound), found \(text.prefix(40))",
            )
        }
        return number
    }

    /// Returns the search of a list; empty if there is none.
    private func searchText() throws -> String {
        let text = text("q") ?? ""
        if let problem = SearchSyntax.problem(in: text) { throw APIFailure(.badRequest, problem) }
        return text
    }

    /// Returns the time from `fromUs` to before `toUs`, in nanoseconds since 1970; `nil` if neither is given.
    func times() throws -> Range<Int64>? {
        let latest = Int64.max / 1_000
        let from = try number("fromUs", within: 0...latest)
        let end = try number("toUs", within: (from ?? 0)...latest)
        guard from != nil || end != nil else { return nil }
        return (from ?? 0) * 1_000..<(end ?? latest) * 1_000
    }

    func logQuery() throws -> LogQuery {
        var query = LogQuery(
            text: try searchText(), service: text("service"),
            minimumSeverity: try number("severity", within: 1...24).map { Int($0) },
            limit: Int(try number("limit", within: 1...200) ?? 50))
        query.times = try times()
        query.cursor = text("cursor")
        return query
    }

    func sessionQuery() throws -> SessionQuery {
        var query = SessionQuery(
            text: try searchText(), service: text("service"), onlyWithErrors: try flag("errors"),
            limit: Int(try number("limit", within: 1...200) ?? 50),
        )
        query.promotion = promotion()
        query.device = text("device")
        query.times = try times()
        query.cursor = text("cursor")
        query.changedSince = try number("since", within: 0...Int64.max)
        return query
    }

    /// Returns `promoted=false`, `promoted=true`, or `promoted=` and the name of a trigger.
    private func promotion() -> SessionQuery.Promotion? {
        switch text("promoted") {
        case nil: nil
        case "false": .absent
        case "true": .any
        case let trigger?: .by(trigger: trigger)
        }
    }

    func timelineQuery(_ session: String) throws -> TimelineQuery {
        var query = TimelineQuery(session: session, limit: Int(try number("limit", within: 1...5_000) ?? 1_000))
        query.cursor = text("cursor")
        query.arrivedAfter = try number("since", within: 0...Int64.max) ?? 0
        let from = try number("fromUs", within: 0...Int64.max / 1_000) ?? 0
        if let through = try number("throughUs", within: from...Int64.max / 1_000) {
            query.times = UInt64(from) * 1_000...UInt64(through) * 1_000 + 999
        } else {
            query.times = UInt64(from) * 1_000...UInt64.max
        }
        return query
    }

    func replayQuery(_ session: String) throws -> ReplayQuery {
        var query = ReplayQuery(session: session)
        query.limit = Int(try number("limit", within: 1...20_000) ?? 20_000)
        query.cursor = text("cursor")
        query.arrivedAfter = try number("since", within: 0...Int64.max) ?? 0
        return query
    }

    func metricQuery() throws -> MetricQuery {
        var query = MetricQuery(session: text("session"))
        query.cursor = text("cursor")
        query.limit = Int(try number("limit", within: 1...1_000) ?? 1_000)
        query.seriesLimit = Int(try number("series", within: 1...200) ?? 12)
        query.pointLimit = Int(try number("points", within: 1...1_000) ?? 60)
        return query
    }

    func deviceQuery() throws -> DeviceQuery {
        var query = DeviceQuery(text: try searchText(), limit: Int(try number("limit", within: 1...200) ?? 50))
        query.cursor = text("cursor")
        return query
    }

    func traceQuery() throws -> TraceQuery {
        var query = TraceQuery(
            text: try searchText(), service: text("service"), onlyWithErrors: try flag("errors"),
            limit: Int(try number("limit", within: 1...200) ?? 50),
        )
        query.times = try times()
        let longest = Int64.max / 1_000
        let least = try number("minUs", within: 0...longest)
        if let most = try number("maxUs", within: (least ?? 0)...longest) {
            query.durations = (least ?? 0) * 1_000...most * 1_000
        } else if let least {
            query.durations = least * 1_000...Int64.max
        }
        query.cursor = text("cursor")
        return query
    }
}
