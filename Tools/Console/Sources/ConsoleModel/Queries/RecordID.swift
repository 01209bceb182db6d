package import AstrolabeTelemetryModel

/// The ids that a term of a search can be: an id pasted as it is, or after the name of its kind.
///
///     4bf92f3577b34da6a3ce929d0e0e4736
///     trace.id=4bf92f3577b34da6a3ce929d0e0e4736
///     spanId=00f067aa0ba902b7
///
/// A bare word is the id of a session or device only if it has a digit, which ids have and words seldom do.
///
/// The names are those of queries, of OTLP/JSON and of most logs: `trace.id`, `traceId` and `trace_id` are the same.
package struct RecordID: Sendable, Hashable {
    package private(set) var trace: TraceID?
    package private(set) var span: SpanID?
    /// A `session.id`.
    package private(set) var session: String?
    /// An `app.installation.id`.
    package private(set) var installation: String?

    /// Reads a term; `nil` if it is a word, the value of an attribute that is no id, or an id that is not valid.
    package init?(_ term: String) {
        let parts = term.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last, !last.isEmpty else { return nil }
        let value = String(last)
        let trace = TraceID(hex: value.lowercased()).flatMap { $0.isValid ? $0 : nil }
        let span = SpanID(hex: value.lowercased()).flatMap { $0.isValid ? $0 : nil }
        if parts.count == 1 {
            guard trace != nil || span != nil || value.contains(where: \.isNumber) else { return nil }
            (self.trace, self.span, session, installation) = (trace, span, value, value)
            return
        }
        switch parts[0].lowercased().filter({ $0 != "." && $0 != "_" }) {
        case "traceid" where trace != nil: self.trace = trace
        case "spanid" where span != nil: self.span = span
        case "sessionid": session = value
        case "appinstallationid", "installationid", "deviceid": installation = value
        default: return nil
        }
    }
}

/// A record that has the id of a search.
package enum FoundRecord: Sendable, Hashable {
    case trace(TraceID)
    case span(SpanID, trace: TraceID)
    case session(String)
    case device(String)
}
