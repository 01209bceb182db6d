import AstrolabePlatform
import AstrolabeTelemetryModel

/// A span without its name, in four words: what a function can return in registers.
///
/// A span that is recorded is its handle. One that was sampled out is numbers. Its identifiers are made from them when
/// they are read, and with its name they are enough to make a record of it if it fails. The first span of such a trace
/// in this process, its local root, stands for all of it. The spans inside it share its context, since none of them
/// will be seen. One that fails gets an identifier of its own when it is kept.
@usableFromInline
struct SpanRef: Sendable {
    @usableFromInline let handle: SpanHandle?
    /// The number of a span that was sampled out; 0 for a local root as those inside it know it.
    @usableFromInline let number: UInt64
    /// Inside a local root that was sampled out its number; 0 where the handle has the context. For a local root itself
    /// where `FailedSpans.filter` is, so that its end finds it without a call.
    @usableFromInline let link: UInt64
    /// Parts that need few bits:
    ///
    ///     63      21 20   18 17     16       15        0
    ///     +---------+-------+--------+--------+---------+
    ///     |  start  | kind  | active | isRoot |  scope  |     start: `RecordingCore.roughNow`, in units of 2^20 ns
    ///     +---------+-------+--------+--------+---------+
    @usableFromInline let packed: UInt64

    /// Set in the numbers of spans that are kept where they fail.
    @inlinable static var keptBit: UInt64 { 1 << 63 }
    @inlinable static var rootBit: UInt64 { 1 << 16 }
    private static var activeBit: UInt64 { 1 << 17 }

    @inlinable
    init(handle: SpanHandle?, number: UInt64 = 0, link: UInt64 = 0, packed: UInt64 = 0) {
        self.handle = handle
        self.number = number
        self.link = link
        self.packed = packed
    }

    /// - Parameter start: `RecordingCore.roughNow`.
    @inline(__always)
    init(number: UInt64, link: UInt64, start: UInt64, kind: SpanKind, scope: ScopeNumber, isRoot: Bool) {
        let time = (start >> 20) << 21
        let rest = UInt64(kind.rawValue) << 18 | (isRoot ? Self.rootBit : 0) | UInt64(scope.rawValue)
        self.init(handle: nil, number: number, link: link, packed: time | rest)
    }

    func with(handle: SpanHandle?) -> SpanRef {
        SpanRef(handle: handle, number: number, link: link, packed: packed)
    }

    /// The same span as one that was made active.
    var activated: SpanRef {
        SpanRef(handle: handle, number: number, link: link, packed: packed | Self.activeBit)
    }

    /// True for a local root.
    @inlinable var isLocalRoot: Bool { packed & Self.rootBit != 0 }
    /// True for a span that was sampled out and has the context that is current where it starts.
    @inlinable var isInsideRoot: Bool { link != 0 && !isLocalRoot }
    /// True for a span that was sampled out and is recorded after all where it fails.
    @inlinable var isKeptOnFailure: Bool { number & Self.keptBit != 0 }
    /// True for a span that is recorded, whatever comes.
    @inlinable var isRecorded: Bool { handle != nil && number == 0 }
    /// True for a span that was made active, sampled out or not.
    var isActive: Bool { packed & Self.activeBit != 0 }
    var roughStart: UInt64 { (packed >> 21) << 20 }
    var kind: SpanKind { SpanKind(rawValue: Int32(packed >> 18 & 7)) ?? .internal }
    var scope: ScopeNumber { ScopeNumber(rawValue: UInt16(truncatingIfNeeded: packed)) }

    /// The number that the local root's identifiers are made from; 0 where the handle has them.
    var root: UInt64 { isLocalRoot ? (link == 0 ? 0 : number) : link }

    /// The local root's own number.
    var rootNumber: UInt64 { root == 0 ? handle?.number ?? 0 : root }

    /// A number with `keptBit` where what is noted of this span may be used.
    var failureNumber: UInt64 { number | root }

    /// The options of its builder, for a span that was sampled out.
    var options: SpanOptions? { handle?.number == number ? handle?.options : nil }

    /// False for what is no span at all.
    var isValid: Bool { handle?.context.isValid ?? (root != 0) }

    var context: SpanContext {
        if let handle { return handle.context }
        guard root != 0 else { return .invalid }
        let (high, low) = Self.ids.pair(of: root)
        return SpanContext(traceID: TraceID(high: high, low: low), spanID: Self.spanID(of: root), flags: .random)
    }

    /// The identifier that the span has where it is kept.
    var ownID: SpanID {
        number == 0 || isLocalRoot ? context.spanID : Self.spanID(of: number)
    }

    private static func spanID(of number: UInt64) -> SpanID { SpanID(ids.single(of: number)) }

    private static let ids = IDGenerator()
}
