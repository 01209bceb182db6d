import Atomics

/// The context of the running code as another context system carries it.
package protocol ForeignContext: AnyObject, Sendable {
    var telemetry: TelemetryContext { get }
}

/// Lets another context system, such as swift-distributed-tracing's, take part in what the current context is.
///
/// Both hold their context in task-locals, which nest in one another in any order. Each of our scopes notes which
/// foreign context it was opened in; where that is still the foreign one, our scope is the inner of the two.
package enum ContextBridge {
    /// The foreign context of the running code; `nil` if there is none.
    package typealias Read = @Sendable () -> (any ForeignContext)?

    private final class Box: Sendable {
        let read: Read
        init(_ read: @escaping Read) { self.read = read }
    }

    private static let installed = ManagedAtomicLazyReference<Box>()

    /// Installs a bridge for the life of the process; the first one stays.
    package static func install(_ read: @escaping Read) {
        let box = Box(read)
        if installed.storeIfNilThenLoad(box) === box { ContextUse.begin(ContextUse.externalContext) }
    }

    /// Names the foreign context of the running code. One atomic load where no bridge is installed.
    @inline(__always)
    static var currentForeign: ObjectIdentifier? {
        installed.load().flatMap { $0.read() }.map(ObjectIdentifier.init)
    }

    /// The inner one of our scope and the foreign context. One atomic load where no bridge is installed.
    @inline(__always)
    static func innermost(_ scoped: TelemetryContext) -> TelemetryContext {
        guard let box = installed.load() else { return scoped }
        return innermost(scoped, box)
    }

    @inline(never)
    private static func innermost(_ scoped: TelemetryContext, _ box: Box) -> TelemetryContext {
        guard let foreign = box.read(), ObjectIdentifier(foreign) != scoped.enclosingForeign else { return scoped }
        return foreign.telemetry
    }
}
