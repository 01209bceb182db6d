import AstrolabeOpenTelemetryCore
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation
import OpenTelemetryApi

/// A span of the SDK, as the API sees it.
final class AstrolabeSpan: OpenTelemetryApi.Span, Sendable {
    let mirrored: MirroredSpan

    init(_ mirrored: MirroredSpan) {
        self.mirrored = mirrored
    }

    var kind: OpenTelemetryApi.SpanKind { .init(mirrored.kind) }
    var context: OpenTelemetryApi.SpanContext { .of(mirrored.span.context) }
    var isRecording: Bool { mirrored.span.isRecording }
    var description: String { "AstrolabeSpan{\(name), \(mirrored.span.context.traceID)}" }

    var status: Status {
        get { Status(mirrored.status) }
        set { mirrored.status = .init(newValue) }
    }

    var name: String {
        get { mirrored.name }
        set { mirrored.name = newValue }
    }

    func setAttribute(key: String, value: OpenTelemetryApi.AttributeValue?) {
        guard let value else { return mirrored.span.removeAttribute(key) }
        mirrored.span.setAttribute(key, AstrolabeTelemetryModel.AttributeValue(value))
    }

    func setAttributes(_ attributes: [String: OpenTelemetryApi.AttributeValue]) {
        mirrored.span.setAttributes(Attributes(attributes))
    }

    func addEvent(name: String) { addEvent(name, [:], nil) }
    func addEvent(name: String, timestamp: Date) { addEvent(name, [:], timestamp) }

    func addEvent(name: String, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        addEvent(name, attributes, nil)
    }

    func addEvent(name: String, attributes: [String: OpenTelemetryApi.AttributeValue], timestamp: Date) {
        addEvent(name, attributes, timestamp)
    }

    func addLink(spanContext: OpenTelemetryApi.SpanContext) { addLink(spanContext: spanContext, attributes: [:]) }

    func addLink(spanContext: OpenTelemetryApi.SpanContext, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        mirrored.span.addLink(.init(spanContext), attributes: Attributes(attributes))
    }

    func recordException(_ exception: any SpanException) { record(exception, [:], nil) }
    func recordException(_ exception: any SpanException, timestamp: Date) { record(exception, [:], timestamp) }

    func recordException(_ exception: any SpanException, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        record(exception, attributes, nil)
    }

    func recordException(
        _ exception: any SpanException, attributes: [String: OpenTelemetryApi.AttributeValue], timestamp: Date,
    ) {
        record(exception, attributes, timestamp)
    }

    func end() { mirrored.end(at: nil, object: self) }
    func end(time: Date) { mirrored.end(at: time, object: self) }

    private func addEvent(_ name: String, _ attributes: [String: OpenTelemetryApi.AttributeValue], _ date: Date?) {
        mirrored.addEvent(name, attributes: Attributes(attributes), at: date)
    }

    private func record(
        _ exception: any SpanException, _ attributes: [String: OpenTelemetryApi.AttributeValue], _ date: Date?,
    ) {
        if let error = exception as? NSError {
            // The API makes an NSError of every Swift error, and its code alone is no type.
            mirrored.recordException(error, attributes: Attributes(attributes), at: date)
        } else {
            mirrored.recordException(
                type: exception.type, message: exception.message, stack: exception.stackTrace,
                attributes: Attributes(attributes), at: date)
        }
    }
}

extension OpenTelemetryApi.SpanBase {
    /// The span of the SDK, or one that passes on the context of a span that something else has made.
    var recorded: AstrolabeRecording.Tracer.Span {
        (self as? AstrolabeSpan)?.mirrored.span ?? .nonRecording(.init(context))
    }
}
