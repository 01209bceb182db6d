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
