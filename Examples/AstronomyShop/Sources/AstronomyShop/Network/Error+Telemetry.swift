/// An error with a low-cardinality value for `error.type`.
protocol TelemetryTyped: Error {
    var errorType: String { get }
}

extension Error {
    /// True if the work was cancelled, which is not a failure.
    var isCancellation: Bool {
        self is CancellationError
    }

    /// The value of `error.type`: the error's own value, or the name of its type.
    var telemetryType: String {
        (self as? any TelemetryTyped)?.errorType ?? String(reflecting: Swift.type(of: self as any Error))
    }
}
