package import AstrolabeTelemetryModel

/// One trace, summed up.
package struct TraceSummary: Sendable, Hashable {
    package let id: TraceID
    /// Name and origin of the root; of the earliest span where the root has not arrived.
    package let name: String
    package let service: String
    package let side: OriginSide
    /// True where the root is there.
    package let hasRoot: Bool
    /// Every `service.name` that took part, sorted.
    package let services: [String]
    package let startUnixNano: UInt64
    package let durationNano: UInt64
    package let spans: Int
    package let events: Int
    package let errors: Int
    /// The sessions it belongs to; nearly always one or none.
    package let sessions: [String]
}
