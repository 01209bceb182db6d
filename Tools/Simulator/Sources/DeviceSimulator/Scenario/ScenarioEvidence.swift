/// What has arrived at a collector, for a scenario to look for its expectations in.
package protocol ScenarioEvidence: Sendable {
    /// An element whenever more telemetry has arrived.
    func changes() async -> AsyncStream<Void>

    /// How many of the scenario's records are as `wish` describes.
    func count(_ wish: TelemetryExpectation) async throws -> Int
}
