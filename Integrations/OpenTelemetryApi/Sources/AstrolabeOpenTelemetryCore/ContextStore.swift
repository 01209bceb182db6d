import AstrolabePlatform
package import AstrolabeRecording
import AstrolabeTelemetryModel

/// The current span and baggage of another API, kept in the SDK's own context, so that spans of both nest in one
/// another.
///
/// The other API asks for the objects that it has put there. Where the SDK's own API has opened a scope inside, the
/// span is current without an object, and the caller makes one.
package enum ContextStore {
    /// The current value, and the object that stands for it; `nil` if the SDK's own API made it current.
    package struct Current<Value> {
        package let value: Value
        package let object: AnyObject?
    }

    /// The context that is bound while a closure runs.
    private struct Scope: @unchecked Sendable {  // the other API's objects are shared by the other API's own rules
        var span: AnyObject?
        var spanContext = SpanContext.invalid
        var baggage: AnyObject?
        var baggageValue = Baggage()
    }

    /// A span or baggage that was made current by hand, until it is removed, or a closure's span that reaches queues.
    private struct Active: @unchecked Sendable {  // see `Scope`
        enum Content {
            case span(Tracer.Span)
            case baggage(Baggage, number: UInt64)
            case carried(Tracer.Span, Tracer.Span.Carried)
        }

        let object: AnyObject
        let content: Content

        /// The number of what a closure carries; `nil` for what was set by hand.
        var carriedNumber: UInt64? { if case .carried(_, let carried) = content { carried.number } else { nil } }

        var span: Tracer.Span? {
            switch content {
            case .span(let span), .carried(let span, _): span
            case .baggage: nil
            }
        }

        func end() {
            switch content {
            case .span(let span): span.deactivate()
            case .baggage(_, let number): Baggage.deactivate(number)
            case .carried(_, let carried): carried.end()
            }
        }
    }

    @TaskLocal private static var scope: Scope?
    private static let actives = Locked<[Active]>([])
    /// The most entries that are kept as made current by hand and not removed; beyond it, the oldest is forgotten.
    private static let activeLimit = 1_024

    /// The current span; `nil` if there is none.
    package static var span: Current<Tracer.Span>? {
        guard let span = TelemetryContext.current.span else { return nil }
        let context = span.context
        let active = actives.withLock { actives in actives.last { $0.span?.context == context }?.object }
        if let active { return Current(value: span, object: active) }
        return Current(value: span, object: scope?.spanContext == context ? scope?.span : nil)
    }

    /// The current baggage; `nil` if there is none.
    package static var baggage: Current<Baggage>? {
        let current = TelemetryContext.current.baggage
        let active = actives.withLock { actives in
            actives.last { if case .baggage(let value, _) = $0.content { value == current } else { false } }?.object
        }
        if let active { return Current(value: current, object: active) }
        if let scope, let object = scope.baggage, scope.baggageValue == current {
            return Current(value: current, object: object)
        }
        return current.names.isEmpty ? nil : Current(value: current, object: nil)
    }

    /// Runs `body` where the span is the current one; `nil` for none.
    package static func with<Result>(
        span: Tracer.Span?, object: AnyObject?, _ body: () throws -> Result,
    ) rethrows -> Result {
        let carried = carry(span, object)
        defer { end(carried) }
        let context = TelemetryContext(span: span, baggage: TelemetryContext.current.baggage)
        return try $scope.withValue(inner(span: span, object)) { try context.withValue(body) }
    }

    /// Runs `body` where the span is the current one; `nil` for none.
    package static func with<Result>(
        span: Tracer.Span?, object: AnyObject?, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result,
    ) async rethrows -> Result {
        let carried = carry(span, object)
        defer { end(carried) }
        let context = TelemetryContext(span: span, baggage: TelemetryContext.current.baggage)
        return try await $scope.withValue(
            inner(span: span, object), operation: { try await context.withValue(isolation: isolation, body) },
            isolation: isolation)
    }

    /// Runs `body` where the baggage is the current one.
    package static func with<Result>(
        baggage: Baggage, object: AnyObject?, _ body: () throws -> Result,
    ) rethrows -> Result {
        try $scope.withValue(inner(baggage: baggage, object)) { try TelemetryContext.withBaggage(baggage, body) }
    }

    /// Runs `body` where the baggage is the current one.
    package static func with<Result>(
        baggage: Baggage, object: AnyObject?, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result,
    ) async rethrows -> Result {
        try await $scope.withValue(
            inner(baggage: baggage, object),
            operation: { try await TelemetryContext.withBaggage(baggage, isolation: isolation, body) },
            isolation: isolation)
    }

    /// Makes the span the current one for what this task starts after it, until `remove` gets the object.
    ///
    /// Runs with `Activities` installed, also for the tasks and the blocks of queues that it starts meanwhile.
    package static func set(span: Tracer.Span, object: AnyObject) {
        add(Active(object: object, content: .span(span.activated())))
    }

    /// Makes the baggage the current one for what this task starts after it, as a span.
    package static func set(baggage: Baggage, object: AnyObject) {
        add(Active(object: object, content: .baggage(baggage, number: baggage.activate())))
    }

    /// Ends what `set` began with the object.
    package static func remove(_ object: AnyObject) {
        let removed = actives.withLock { actives in
            let removed = actives.filter { $0.object === object && $0.carriedNumber == nil }
            actives.removeAll { $0.object === object && $0.carriedNumber == nil }
            return removed
        }
        for active in removed.reversed() { active.end() }
    }

    /// The part of `with` beside its task-locals, which do not reach queues.
    private static func carry(_ span: Tracer.Span?, _ object: AnyObject?) -> Tracer.Span.Carried? {
        guard let span, let object, let carried = span.carried() else { return nil }
        add(Active(object: object, content: .carried(span, carried)))
        return carried
    }

    private static func end(_ carried: Tracer.Span.Carried?) {
        guard let carried else { return }
        actives.withLock { actives in actives.removeAll { $0.carriedNumber == carried.number } }
        carried.end()
    }

    private static func add(_ active: Active) {
        let forgotten = actives.withLock { actives in
            actives.append(active)
            return actives.count > activeLimit ? actives.removeFirst() : nil
        }
        forgotten?.end()
    }

    private static func inner(span: Tracer.Span?, _ object: AnyObject?) -> Scope {
        var new = scope ?? Scope()
        new.span = object
        new.spanContext = span?.context ?? .invalid
        return new
    }

    private static func inner(baggage: Baggage, _ object: AnyObject?) -> Scope {
        var new = scope ?? Scope()
        new.baggage = object
        new.baggageValue = baggage
        return new
    }
}
