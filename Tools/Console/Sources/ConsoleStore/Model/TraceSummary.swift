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
    /// Whether the root has arrived.
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
}
