/// An error that says in one low-cardinality word what it is, for `error.type`.
protocol TelemetryTyped: Error {
    var errorType: String { get }
}

extension Error {
    /// Whether the work was given up on purpose, which is no failure.
    var isCancellation: Bool {
        self is CancellationError
    }

    /// The value of `error.type`: the error's own word, or its type's name.
    var telemetryType: String {
        (self as? any TelemetryTyped)?.errorType ?? String(reflecting: Swift.type(of: self as any Error))
    }
}
