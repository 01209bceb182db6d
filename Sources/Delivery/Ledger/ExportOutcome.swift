package import AstrolabeTelemetryModel
package import Foundation

/// What became of the records of one request, once it is not retried.
package struct ExportOutcome: Sendable {
    /// The kind of all its records.
    package let kind: RecordKind
    /// The address of the request.
    package let url: URL
    /// How many of its records have this outcome.
    package let count: Int
    /// Why they were dropped: `rejected`, or the status of the response; `nil` if the server accepted them.
    package let errorType: String?
}
