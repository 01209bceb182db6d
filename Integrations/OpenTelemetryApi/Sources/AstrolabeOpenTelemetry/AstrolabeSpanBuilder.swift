import AstrolabeOpenTelemetryCore
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation
import OpenTelemetryApi

/// Starts spans of the SDK. Like every builder of the API, it is for one thread at a time.
final class AstrolabeSpanBuilder: OpenTelemetryApi.SpanBuilder {
    private let tracer: AstrolabeRecording.Tracer
    private let name: String
    private let time: ForeignTime
    private var builder: AstrolabeRecording.SpanBuilder
    private var kind = AstrolabeTelemetryModel.SpanKind.internal
    private var isActive = false

    init(_ tracer: AstrolabeRecording.Tracer, name: String) {
        self.tracer = tracer
        self.name = name
        time = ForeignTime(tracer)
        builder = tracer.spanBuilder(name)
    }

    func setParent(_ parent: any OpenTelemetryApi.Span) -> Self {
        builder = builder.setParent(parent.recorded)
        return self
    }

    func setParent(_ parent: OpenTelemetryApi.SpanContext) -> Self {
        builder = builder.setParent(AstrolabeTelemetryModel.SpanContext(parent))
        return self
    }

    func setNoParent() -> Self {
        builder = builder.setNoParent()
        return self
    }

    func addLink(spanContext: OpenTelemetryApi.SpanContext) -> Self {
        addLink(spanContext: spanContext, attributes: [:])
    }

    func addLink(
        spanContext: OpenTelemetryApi.SpanContext, attributes: [String: OpenTelemetryApi.AttributeValue],
    ) -> Self {
        builder = builder.addLink(.init(spanContext), attributes: Attributes(attributes))
        return self
    }

    func setAttribute(key: String, value: OpenTelemetryApi.AttributeValue) -> Self {
        builder = builder.setAttribute(key, AstrolabeTelemetryModel.AttributeValue(value))
        return self
    }

    func setSpanKind(spanKind: OpenTelemetryApi.SpanKind) -> Self {
        kind = .init(spanKind)
        builder = builder.setSpanKind(kind)
        return self
    }

    func setStartTime(time date: Date) -> Self {
        builder = builder.setStartTime(timeUnixNano: time.nanoseconds(date))
        return self
    }

    func setActive(_ active: Bool) -> Self {
        isActive = active
        return self
    }

    func startSpan() -> any OpenTelemetryApi.Span {
        let span = start()
        if isActive { ContextStore.set(span: span.mirrored.span, object: span) }
        return span
    }

    func withActiveSpan<T>(_ operation: (any SpanBase) throws -> T) rethrows -> T {
        let span = start()
        defer { span.end() }
        return try ContextStore.with(span: span.mirrored.span, object: span) { try operation(span) }
    }

    fileprivate func start() -> AstrolabeSpan {
        AstrolabeSpan(MirroredSpan(builder.startSpan(), name: name, kind: kind, time: time))
    }
}

extension AstrolabeSpanBuilder {
    func withActiveSpan<T>(_ operation: (any SpanBase) async throws -> T) async rethrows -> T {
        let span = start()
        defer { span.end() }
        return try await ContextStore.with(span: span.mirrored.span, object: span) { try await operation(span) }
    }
}
