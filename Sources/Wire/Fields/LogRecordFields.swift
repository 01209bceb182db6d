/// The field numbers of `LogRecord`.
@usableFromInline
package enum LogRecordField {
    @inlinable package static var time: UInt32 { 1 }
    @inlinable package static var severityNumber: UInt32 { 2 }
    @inlinable package static var severityText: UInt32 { 3 }
    @inlinable package static var body: UInt32 { 5 }
    @inlinable package static var attributes: UInt32 { 6 }
    @inlinable package static var droppedAttributesCount: UInt32 { 7 }
    @inlinable package static var flags: UInt32 { 8 }
    @inlinable package static var traceID: UInt32 { 9 }
    @inlinable package static var spanID: UInt32 { 10 }
    @inlinable package static var observedTime: UInt32 { 11 }
    @inlinable package static var eventName: UInt32 { 12 }
}
