public import AstrolabeTelemetryModel

/// Reads and changes each recorded span when it starts, and reads it when it ends.
///
///     struct CartSpans: SpanProcessor {
///         let cart: Cart
///
///         func onStart(_ span: Tracer.Span, parent: SpanContext?) {
///             span.setAttribute("demo.cart.items.count", cart.count)
///         }
///     }
///
/// Both methods run on the thread that starts or ends the span, in the order of
/// `TelemetryConfiguration.spanProcessors`. They must return quickly and must not block. Records that a processor makes
/// itself do not pass through processors.
public protocol SpanProcessor: Sendable {
    /// Called when a recorded span has started, with the attributes and links that it starts with.
    ///
    /// - Parameters:
    ///   - span: The span. What is set here is on the record.
    ///   - parent: The parent's context, or `nil` for a root.
    func onStart(_ span: Tracer.Span, parent: SpanContext?)

    /// Called when a recorded span has ended, before `TelemetryConfiguration.beforeSend`.
    ///
    /// Spans of the sampling decision `recordOnly` end here and are not sent.
    func onEnd(_ span: FinishedSpan)
}

extension SpanProcessor {
    public func onStart(_ span: Tracer.Span, parent: SpanContext?) {}
    public func onEnd(_ span: FinishedSpan) {}
}
