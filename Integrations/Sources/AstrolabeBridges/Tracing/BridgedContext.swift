public import AstrolabeRecording
public import ServiceContextModule

/// Our context as it travels in an `ServiceContext`.
final class BridgedContext: ForeignContext {
    let telemetry: TelemetryContext
    /// The state set with swift-distributed-tracing; `nil` for a context that another process sent.
    let spanState: BridgedSpan.State?

    private enum Key: ServiceContextKey {
        typealias Value = BridgedContext
        static let nameOverride: String? = "astrolabe"
    }

    init(_ telemetry: TelemetryContext, spanState: BridgedSpan.State? = nil) {
        self.telemetry = telemetry
        self.spanState = spanState
    }

    static func of(_ context: ServiceContext) -> BridgedContext? {
        context[Key.self]
    }

    func store(in context: inout ServiceContext) {
        context[Key.self] = self
    }

    /// The context that swift-distributed-tracing carries as the current one.
    static var current: BridgedContext? {
        ServiceContext.current.flatMap(of)
    }

    /// Our context for a context that a caller passes: what it carries. If it is the current one, it is the innermost,
    /// since a scope of ours may have been opened inside it.
    ///
    /// A context that carries nothing of ours, such as `topLevel`, is taken at its word inside of one that does.
    static func telemetry(for context: ServiceContext) -> TelemetryContext {
        let given = of(context)
        if given === current { return .current }
        return given?.telemetry ?? TelemetryContext()
    }
}

extension ServiceContext {
    /// The W3C baggage that came with a request, or that was set on the way: `context.baggage["session.id"]`.
    public var baggage: Baggage {
        get { BridgedContext.telemetry(for: self).baggage }
        set {
            let old = BridgedContext.telemetry(for: self)
            BridgedContext(
                TelemetryContext(span: old.span, baggage: newValue), spanState: BridgedContext.of(self)?.spanState,
            ).store(in: &self)
        }
    }
}
