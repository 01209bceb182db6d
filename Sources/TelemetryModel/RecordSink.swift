/// Names a scope within one sink.
public struct ScopeNumber: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// The facts that a sink needs to keep, order and send a record without reading its bytes.
public struct RecordHeader: Hashable, Sendable {
    public var kind: RecordKind
    public var priority: Priority
    public var scope: ScopeNumber
    /// When the record was finished, in nanoseconds since 1970.
    public var timeUnixNano: UInt64
    /// True if the app asked for it, at severity info or above: no mode drops it by default.
    public var isOfApp: Bool
    /// True if the record belongs to a trace that was sampled out. It is sent only if the flight recorder promotes it.
    public var isSampledOut: Bool

    @inlinable
    public init(
        kind: RecordKind, priority: Priority, scope: ScopeNumber, timeUnixNano: UInt64, isOfApp: Bool = false,
        isSampledOut: Bool = false,
    ) {
        self.kind = kind
        self.priority = priority
        self.scope = scope
        self.timeUnixNano = timeUnixNano
        self.isOfApp = isOfApp
        self.isSampledOut = isSampledOut
    }
}

/// The destination of finished records: the seam between recording and delivery.
///
/// A sink never throws at and never blocks the code that is being observed: what it cannot take it counts.
public protocol RecordSink: Sendable {
    /// Makes a scope known, so that records may refer to it by number; the same scope gives the same number.
    func register(_ scope: InstrumentationScope) -> ScopeNumber

    /// Copies a finished record, which is one protobuf message of the header's kind, before it returns.
    ///
    /// Called from any thread, on the path of every span: no lock, no system call, no allocation per record.
    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader)
}
