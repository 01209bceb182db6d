/// The format of the current trace and baggage in the headers of a request.
///
///     var headers: [String: String] = [:]
///     telemetry.propagator.inject(.current) { name, value in headers[name] = value }
///     let remote = telemetry.propagator.extract { name in headers[name] }
///
/// `TelemetryConfiguration.propagator` chooses one. Names of headers know no case: `get` must find them in any.
///
/// One of the app makes a context of what it reads:
///
///     func extract(into context: TelemetryContext, get: (String) -> String?) -> TelemetryContext {
///         guard let trace = get("x-trace").flatMap({ TraceID(hex: $0) }),
///             let parent = get("x-parent").flatMap({ SpanID(hex: $0) })
///         else { return context }
///         let remote = SpanContext(traceID: trace, spanID: parent, isSampled: true, isRemote: true)
///         return TelemetryContext(span: .nonRecording(remote), baggage: context.baggage)
///     }
public protocol TextMapPropagator: Sendable {
    /// The names of all headers that `inject` may set.
    var fields: [String] { get }

    /// Gives each header to `set`; nothing for what is empty or invalid.
    func inject(_ context: TelemetryContext, set: (_ name: String, _ value: String) -> Void)

    /// Returns `context` with what the headers say. What breaks a rule counts as absent.
    func extract(into context: TelemetryContext, get: (_ name: String) -> String?) -> TelemetryContext
}

extension TextMapPropagator {
    /// Returns what the headers say, and nothing else.
    public func extract(get: (_ name: String) -> String?) -> TelemetryContext {
        extract(into: TelemetryContext(), get: get)
    }
}

/// Several propagators, one after the other.
///
/// Where two find a trace, the later one wins, as OpenTelemetry's specification has it.
public struct CompositePropagator: TextMapPropagator {
    private let propagators: [any TextMapPropagator]

    /// Creates a propagator that asks others in this order. Without any, nothing travels.
    public init(_ propagators: [any TextMapPropagator]) {
        self.propagators = propagators
    }

    /// W3C Trace Context and W3C Baggage, the default of OpenTelemetry.
    public static let w3c = CompositePropagator([TraceContextPropagator(), BaggagePropagator()])

    public var fields: [String] { propagators.flatMap(\.fields) }

    public func inject(_ context: TelemetryContext, set: (_ name: String, _ value: String) -> Void) {
        for propagator in propagators { propagator.inject(context, set: set) }
    }

    public func extract(into context: TelemetryContext, get: (_ name: String) -> String?) -> TelemetryContext {
        propagators.reduce(context) { $1.extract(into: $0, get: get) }
    }

    /// The propagators that OpenTelemetry names `tracecontext`, `baggage` and `none`, and those of `others`; `nil` if
    /// one has another name. A name that is there twice counts once.
    package init?(named names: [String], others: [String: any TextMapPropagator] = [:]) {
        var propagators: [any TextMapPropagator] = []
        for (index, name) in names.enumerated() where !names[..<index].contains(name) {
            switch name {
            case "tracecontext": propagators.append(TraceContextPropagator())
            case "baggage": propagators.append(BaggagePropagator())
            case "none" where names.count == 1: break
            default:
                guard let other = others[name] else { return nil }
                propagators.append(other)
            }
        }
        self.init(propagators)
    }
}
