package import AstrolabeTelemetryModel
package import ConsoleStore

/// The order of arrival, which the Collector's tables do not have.
///
/// Queries read records by time: see ``columns(_:fields:)``.
extension ClickHouseStore {
    private static let noOrder = StoreError.notSupported(
        "The ClickHouse store has no order of arrival. Read records by their time.")

    package func spans(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<SpanRecord> {
        throw Self.noOrder
    }

    package func events(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<EventRecord> {
        throw Self.noOrder
    }

    package func points(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<StoredPoint> {
        throw Self.noOrder
    }

    package func sessionsOfTraces(
        changedAfter sequence: Int64, limit: Int,
    ) async throws(StoreError) -> (sessions: [(trace: TraceID, session: String)], through: Int64) {
        throw Self.noOrder
    }

    package func sessionBlocks() async throws(StoreError) -> [RowBlock] { throw Self.noOrder }

    package func storedSessions(
        in range: ClosedRange<Int64>
    ) async throws(StoreError) -> (sessions: [StoredSession], origins: [Int64: Origin]) {
        throw Self.noOrder
    }

    package func problemBlocks() async throws(StoreError) -> [RowBlock] { throw Self.noOrder }

    package func storedProblems(
        in range: ClosedRange<Int64>
    ) async throws(StoreError) -> (problems: [StoredProblem], origins: [Int64: Origin]) {
        throw Self.noOrder
    }

    package func sealedRanges(
        of dataset: String
    ) async throws(StoreError) -> (ranges: [SealedRange], trimmedThrough: Int64) {
        throw Self.noOrder
    }

    package func addSealedRange(_ range: SealedRange) async throws(StoreError) { throw Self.noOrder }

    /// Returns 0, because records have no sequence numbers.
    package func lastSequence() async throws(StoreError) -> Int64 { 0 }
}
