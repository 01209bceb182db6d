public import Recording
public import ServiceContextModule
import TelemetryModel

/// Our span and baggage as they travel in a `ServiceContext`.
struct BridgedContext: Sendable {
    var span: Recording.Span?
    var baggage: Baggage
    /// Our own innermost scope when this was made: it counts only where that is still the innermost.
    let scope: SpanID

    private enum Key: ServiceContextKey {
        typealias Value = BridgedContext
        static let nameOverride: String? = "astrolabe"
    }

    static func of(_ context: ServiceContext) -> BridgedContext? {
        context[Key.self]
    }

    func store(in context: inout ServiceContext) {
        context[Key.self] = self
    }

    /// What is innermost: what `context` carries or, where one of our scopes was opened inside that, our own.
    static func innermost(of context: ServiceContext?, within scoped: TelemetryContext) -> TelemetryContext {
        guard let bridged = context.flatMap(of) else { return scoped }
        let baggage = scoped.baggage.merging(bridged.baggage)
        guard bridged.scope == scopeID(of: scoped) else {
            return TelemetryContext(span: scoped.span, baggage: baggage)
        }
        return TelemetryContext(span: bridged.span, baggage: baggage)
    }

    static let innermost: ContextBridge.Resolve = { scoped in
        innermost(of: ServiceContext.current, within: scoped)
    }

    static func scopeID(of scoped: TelemetryContext) -> SpanID {
        scoped.span?.context.spanID ?? .invalid
    }
}

extension ServiceContext {
    /// The W3C baggage that came with the request, or that was set on the way: `context.baggage["session.id"]`.
    public var baggage: Baggage {
        BridgedContext.of(self)?.baggage ?? Baggage()
    }
}
