package import AstrolabeTelemetryModel

/// A summary of one trace.
package struct TraceSummary: Sendable, Hashable {
    package let id: TraceID
    /// The name of the root, or of the earliest span if the root has not arrived.
    package let name: String
    /// The route or path of the root's request, because HTTP spans without a route have only the method as name.
    package let route: String?
    package let service: String
    package let side: OriginSide
    /// True if the root has arrived.
    package let hasRoot: Bool
    /// The values of `service.name` in the trace, sorted.
    package let services: [String]
    package let startUnixNano: UInt64
    package let durationNano: UInt64
    package let spans: Int
    package let events: Int
    package let errors: Int
    /// The sessions of the trace, almost always one or none.
    package let sessions: [String]

    package init(
        id: TraceID, name: String, route: String?, service: String, side: OriginSide, hasRoot: Bool, services: [String],
        startUnixNano: UInt64, durationNano: UInt64, spans: Int, events: Int, errors: Int, sessions: [String],
    ) {
        self.id = id
        self.name = name
        self.route = route
        self.service = service
        self.side = side
        self.hasRoot = hasRoot
        self.services = services
        self.startUnixNano = startUnixNano
        self.durationNano = durationNano
        self.spans = spans
        self.events = events
        self.errors = errors
        self.sessions = sessions
    }
}
