package import AstrolabeTelemetryModel
package import Foundation

/// The final outcome of the records of one request, which is not retried.
package struct ExportOutcome: Sendable {
    /// The kind of all its records.
    package let kind: RecordKind
    /// The address of the request.
    package let url: URL
    /// The number of its records with this outcome.
    package let count: Int
    /// Why they were dropped: `rejected`, or the status of the response; `nil` if the server accepted them.
    package let errorType: String?
}
