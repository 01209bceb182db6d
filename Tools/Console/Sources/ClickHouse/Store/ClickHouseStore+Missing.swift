package import AstrolabeTelemetryModel
package import ConsoleStore

/// What the store does not have. A page shows the error's line.
extension ClickHouseStore {
    private func missing(_ what: String) -> StoreError {
        .notSupported("The ClickHouse store does not show \(what) yet. Use the embedded store, or ask with a query.")
    }

    package func metrics(_ query: MetricQuery) async throws(StoreError) -> Page<MetricOverview> {
        throw missing("metrics")
    }

    package func metricDetail(_ query: MetricDetailQuery) async throws(StoreError) -> MetricDetail? {
        throw missing("metrics")
    }

    package func devices(_ query: DeviceQuery) async throws(StoreError) -> Page<DeviceSummary> {
        throw missing("devices")
    }

    package func device(_ id: String) async throws(StoreError) -> DeviceSummary? { throw missing("devices") }

    package func ledgerHistory(ofDevice id: String, parts: Int) async throws(StoreError) -> [LedgerSnapshot]? {
        throw missing("devices")
    }

    /// The exporter stores attributes as text, so the nodes of a replay cannot be read again.
    package func replay(_ query: ReplayQuery) async throws(StoreError) -> ReplayFrameList? { throw missing("replays") }

    package func replayFrames(
        session name: String, recording: String, from first: Int64, limit: Int,
    ) async throws(StoreError) -> ReplayFrames? {
        throw missing("replays")
    }

    package func reportsLosses(from start: Int64, to end: Int64) async throws(StoreError) -> Bool { false }

    package func losses(
        ofDevices ids: [String], from start: Int64, to end: Int64,
    ) async throws(StoreError) -> RecordLoss {
        throw missing("losses")
    }

    package func slowScreens() async throws(StoreError) -> [SlowScreen] { throw missing("slow screens") }

    package func releases() async throws(StoreError) -> [Release] { throw missing("releases") }

    package func problemGroups(_ query: ProblemQuery) async throws(StoreError) -> [ProblemGroup] {
        throw missing("issues")
    }

    package func problemGroup(_ fingerprint: String) async throws(StoreError) -> ProblemGroup? {
        throw missing("issues")
    }

    package func problems(of fingerprint: String, limit: Int) async throws(StoreError) -> [ProblemSummary] {
        throw missing("issues")
    }

    package func problem(_ seq: Int64) async throws(StoreError) -> ProblemRecord? { throw missing("issues") }

    // No issues are indexed.
    package func unindexedProblems(limit: Int) async throws(StoreError) -> [ProblemRecord] { [] }
    package func wantedBuilds() async throws(StoreError) -> Set<String> { [] }
    package func reindexProblems(wanting builds: Set<String>) async throws(StoreError) {}
    package func file(_ findings: [IssueFingerprint]) async throws(StoreError) {}

    // Queries run in ClickHouse, without columns of the console.
    package func spans(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<SpanRecord> {
        throw missing("arrivals")
    }

    package func events(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<EventRecord> {
        throw missing("arrivals")
    }

    package func points(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<StoredPoint> {
        throw missing("arrivals")
    }

    package func sessionsOfTraces(
        changedAfter sequence: Int64, limit: Int,
    ) async throws(StoreError) -> (sessions: [(trace: TraceID, session: String)], through: Int64) {
        throw missing("arrivals")
    }

    package func sessionBlocks() async throws(StoreError) -> [RowBlock] { throw missing("arrivals") }

    package func storedSessions(
        in range: ClosedRange<Int64>
    ) async throws(StoreError) -> (sessions: [StoredSession], origins: [Int64: Origin]) {
        throw missing("arrivals")
    }

    package func problemBlocks() async throws(StoreError) -> [RowBlock] { throw missing("arrivals") }

    package func storedProblems(
        in range: ClosedRange<Int64>
    ) async throws(StoreError) -> (problems: [StoredProblem], origins: [Int64: Origin]) {
        throw missing("arrivals")
    }

    package func sealedRanges(
        of dataset: String
    ) async throws(StoreError) -> (ranges: [SealedRange], trimmedThrough: Int64) {
        throw missing("arrivals")
    }

    package func addSealedRange(_ range: SealedRange) async throws(StoreError) { throw missing("arrivals") }

    /// Returns 0, because records have no sequence numbers.
    package func lastSequence() async throws(StoreError) -> Int64 { 0 }
}
