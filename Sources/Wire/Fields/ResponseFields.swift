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
}
