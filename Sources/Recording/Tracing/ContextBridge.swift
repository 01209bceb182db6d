import Atomics

/// Lets another context system, such as swift-distributed-tracing's, take part in what the current context is.
package enum ContextBridge {
    /// Given the context of our own scopes, returns the one that is really the innermost.
    package typealias Resolve = @Sendable (_ scoped: TelemetryContext) -> TelemetryContext

    private final class Box: Sendable {
        let resolve: Resolve
        init(_ resolve: @escaping Resolve) { self.resolve = resolve }
    }

    private static let installed = ManagedAtomicLazyReference<Box>()

    /// Installs a bridge for the life of the process; the first one stays.
    package static func install(_ resolve: @escaping Resolve) {
        _ = installed.storeIfNilThenLoad(Box(resolve))
    }

    /// One atomic load where no bridge is installed.
    @inline(__always)
    static func resolve(_ scoped: TelemetryContext) -> TelemetryContext {
        guard let box = installed.load() else { return scoped }
        return box.resolve(scoped)
    }
}
