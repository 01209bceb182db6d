public import Astrolabe
import AstrolabeOpenTelemetryCore
import AstrolabeRecording
public import OpenTelemetryApi

/// Keeps the API's current span and baggage in the SDK's context, which follows tasks.
///
/// What is set by hand (`setActiveSpan`, `setActive(true)`) counts in the task that set it, or in the thread outside of
/// a task, until it is removed or the span ends. On Apple platforms it also counts in the tasks and the blocks of
/// dispatch queues that are started meanwhile, and so does the span of `withActiveSpan`. `Task.detached` starts
/// without it. On Linux nothing passes it on, and the API's own context manager ignores it there.
public final class AstrolabeContextManager: ContextManager, Sendable {
    private let time: ForeignTime

    /// Creates a manager. `Telemetry.registerWithOpenTelemetry` registers one.
    public init(_ telemetry: Telemetry) {
        time = ForeignTime(telemetry.tracer("opentelemetry"))
    }

    public func getCurrentContextValue(forKey key: OpenTelemetryContextKeys) -> AnyObject? {
        switch key {
        case .span:
            guard let current = ContextStore.span else { return nil }
            return current.object
                ?? AstrolabeSpan(MirroredSpan(current.value, name: "", kind: .internal, time: time))
        case .baggage:
            guard let current = ContextStore.baggage else { return nil }
            return current.object ?? current.value.apiBaggage
        }
    }

    public func setCurrentContextValue(forKey key: OpenTelemetryContextKeys, value: AnyObject) {
        switch (key, value) {
        case (.span, let span as any SpanBase): ContextStore.set(span: span.recorded, object: value)
        case (.baggage, let baggage as any OpenTelemetryApi.Baggage):
            ContextStore.set(baggage: AstrolabeRecording.Baggage(baggage), object: value)
        default: break
        }
    }

    public func removeContextValue(forKey key: OpenTelemetryContextKeys, value: AnyObject) {
        ContextStore.remove(value)
    }

    public func withCurrentContextValue<T>(
        forKey key: OpenTelemetryContextKeys, value: AnyObject?, _ operation: () throws -> T,
    ) rethrows -> T {
        switch key {
        case .span:
            try ContextStore.with(span: (value as? any SpanBase)?.recorded, object: value, operation)
        case .baggage:
            try ContextStore.with(baggage: Self.baggage(value), object: value, operation)
        }
    }

    public func withCurrentContextValue<T>(
        forKey key: OpenTelemetryContextKeys, value: AnyObject?, _ operation: () async throws -> T,
    ) async rethrows -> T {
        switch key {
        case .span:
            try await ContextStore.with(span: (value as? any SpanBase)?.recorded, object: value, operation)
        case .baggage:
            try await ContextStore.with(baggage: Self.baggage(value), object: value, operation)
        }
    }

    private static func baggage(_ value: AnyObject?) -> AstrolabeRecording.Baggage {
        (value as? any OpenTelemetryApi.Baggage).map { .init($0) } ?? .init()
    }
}
