/// The field numbers of `ExportTraceServiceResponse`, `ExportLogsServiceResponse` and `ExportMetricsServiceResponse`.
@usableFromInline
package enum ExportResponseField {
    @inlinable package static var partialSuccess: UInt32 { 1 }
}

/// The field numbers of `ExportTracePartialSuccess`, `ExportLogsPartialSuccess` and `ExportMetricsPartialSuccess`.
@usableFromInline
package enum PartialSuccessField {
    @inlinable package static var rejectedRecords: UInt32 { 1 }
    @inlinable package static var errorMessage: UInt32 { 2 }
}

/// The field numbers of `google.rpc.Status`, the body of a response that is no success.
@usableFromInline
package enum RPCStatusField {
    @inlinable package static var code: UInt32 { 1 }
    @inlinable package static var message: UInt32 { 2 }
    @inlinable package static var details: UInt32 { 3 }
}

/// The field numbers of `google.protobuf.Any`.
@usableFromInline
package enum AnyField {
    @inlinable package static var typeURL: UInt32 { 1 }
    @inlinable package static var value: UInt32 { 2 }
}

/// The field number of `google.rpc.RetryInfo`, which is a `google.protobuf.Duration`.
@usableFromInline
package enum RetryInfoField {
    @inlinable package static var retryDelay: UInt32 { 1 }
}

/// The field number of `google.protobuf.Duration`.
@usableFromInline
package enum DurationField {
    @inlinable package static var seconds: UInt32 { 1 }
}
