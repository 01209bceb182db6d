/// The field numbers of `Span`.
@usableFromInline
package enum SpanField {
    @inlinable package static var traceID: UInt32 { 1 }
    @inlinable package static var spanID: UInt32 { 2 }
    @inlinable package static var traceState: UInt32 { 3 }
    @inlinable package static var parentSpanID: UInt32 { 4 }
    @inlinable package static var name: UInt32 { 5 }
    @inlinable package static var kind: UInt32 { 6 }
    @inlinable package static var startTime: UInt32 { 7 }
    @inlinable package static var endTime: UInt32 { 8 }
    @inlinable package static var attributes: UInt32 { 9 }
    @inlinable package static var droppedAttributesCount: UInt32 { 10 }
    @inlinable package static var events: UInt32 { 11 }
    @inlinable package static var droppedEventsCount: UInt32 { 12 }
    @inlinable package static var links: UInt32 { 13 }
    @inlinable package static var droppedLinksCount: UInt32 { 14 }
    @inlinable package static var status: UInt32 { 15 }
    @inlinable package static var flags: UInt32 { 16 }
}

/// The field numbers of `Span.Event`.
@usableFromInline
package enum SpanEventField {
    @inlinable package static var time: UInt32 { 1 }
    @inlinable package static var name: UInt32 { 2 }
    @inlinable package static var attributes: UInt32 { 3 }
    @inlinable package static var droppedAttributesCount: UInt32 { 4 }
}

/// The field numbers of `Span.Link`.
@usableFromInline
package enum SpanLinkField {
    @inlinable package static var traceID: UInt32 { 1 }
    @inlinable package static var spanID: UInt32 { 2 }
    @inlinable package static var traceState: UInt32 { 3 }
    @inlinable package static var attributes: UInt32 { 4 }
    @inlinable package static var droppedAttributesCount: UInt32 { 5 }
    @inlinable package static var flags: UInt32 { 6 }
}

/// The field numbers of `Status`.
@usableFromInline
package enum StatusField {
    @inlinable package static var message: UInt32 { 2 }
    @inlinable package static var code: UInt32 { 3 }
}
