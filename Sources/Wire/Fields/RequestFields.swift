/// The field numbers of `ExportTraceServiceRequest`, `ExportLogsServiceRequest` and `ExportMetricsServiceRequest`.
@usableFromInline
package enum ExportRequestField {
    @inlinable package static var resourceGroups: UInt32 { 1 }
}

/// The field numbers of `ResourceSpans`, `ResourceLogs` and `ResourceMetrics`.
@usableFromInline
package enum ResourceGroupField {
    @inlinable package static var resource: UInt32 { 1 }
    @inlinable package static var scopeGroups: UInt32 { 2 }
    @inlinable package static var schemaURL: UInt32 { 3 }
}

/// The field numbers of `Resource`.
@usableFromInline
package enum ResourceField {
    @inlinable package static var attributes: UInt32 { 1 }
    @inlinable package static var droppedAttributesCount: UInt32 { 2 }
}

/// The field numbers of `ScopeSpans`, `ScopeLogs` and `ScopeMetrics`.
@usableFromInline
package enum ScopeGroupField {
    @inlinable package static var scope: UInt32 { 1 }
    @inlinable package static var records: UInt32 { 2 }
    @inlinable package static var schemaURL: UInt32 { 3 }
}

/// The field numbers of `InstrumentationScope`.
@usableFromInline
package enum ScopeField {
    @inlinable package static var name: UInt32 { 1 }
    @inlinable package static var version: UInt32 { 2 }
    @inlinable package static var attributes: UInt32 { 3 }
    @inlinable package static var droppedAttributesCount: UInt32 { 4 }
}

/// The field numbers of `KeyValue`.
@usableFromInline
package enum KeyValueField {
    @inlinable package static var key: UInt32 { 1 }
    @inlinable package static var value: UInt32 { 2 }
}

/// The field numbers of `AnyValue`.
@usableFromInline
package enum AnyValueField {
    @inlinable package static var string: UInt32 { 1 }
    @inlinable package static var bool: UInt32 { 2 }
    @inlinable package static var int: UInt32 { 3 }
    @inlinable package static var double: UInt32 { 4 }
    @inlinable package static var array: UInt32 { 5 }
    @inlinable package static var map: UInt32 { 6 }
    @inlinable package static var bytes: UInt32 { 7 }
}

/// The field numbers of `ArrayValue` and `KeyValueList`.
@usableFromInline
package enum ListField {
    @inlinable package static var values: UInt32 { 1 }
}
