/// The telemetry that a collector received, as a scenario queries it.
package protocol ScenarioEvidence: Sendable {
    /// Returns a stream with an element for each arrival of telemetry.
    func changes() async -> AsyncStream<Void>

    /// Returns the number of the scenario's records that match the expectation, whatever its `count` is.
    func count(_ expectation: TelemetryExpectation) async throws -> Int

    /// Returns the spans of each trace.
    func traces() async throws -> [[TracedSpan]]

    /// Returns how often each `witness.number` is shown, over spans and events.
    func witnessNumbers() async throws -> [UInt64: Int]
}
