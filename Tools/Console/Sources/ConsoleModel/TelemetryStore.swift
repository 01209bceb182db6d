package import AstrolabeTelemetryModel

/// A store of spans, events, metric points and their sessions, as the pages need it.
///
/// When `ingest` returns, its records are stored and visible to every query. Storing a record twice has no effect.
package protocol TelemetryStore: Sendable {
    var configuration: StoreConfiguration { get }

    @discardableResult
    func ingest(traces groups: [ResourceGroup<SpanData>]) async throws(StoreError) -> IngestResult
    @discardableResult
    func ingest(logs groups: [ResourceGroup<LogRecordData>]) async throws(StoreError) -> IngestResult
    @discardableResult
    func ingest(metrics groups: [ResourceGroup<MetricData>]) async throws(StoreError) -> IngestResult
    @discardableResult
    func applyRetention() async throws(StoreError) -> RetentionReport
    /// Reads from the store and writes to it, and throws if either fails.
    func check() async throws(StoreError)
    /// Subscribes to all changes from now on.
    func changes() async -> ChangeSubscription
    /// Waits for accepted records and ends all subscriptions.
    func close() async

    // Records and their sessions.
    func sessions(_ query: SessionQuery) async throws(StoreError) -> Page<SessionSummary>
    func session(_ id: String) async throws(StoreError) -> SessionSummary?
    func timeline(_ query: TimelineQuery) async throws(StoreError) -> TimelinePage?
    func traces(_ query: TraceQuery) async throws(StoreError) -> Page<TraceSummary>
    func trace(_ id: TraceID, spanLimit: Int) async throws(StoreError) -> TraceDetail?
    func services(inTrace id: TraceID) async throws(StoreError) -> [String]
    func logs(_ query: LogQuery) async throws(StoreError) -> LogPage
    func metrics(_ query: MetricQuery) async throws(StoreError) -> Page<MetricOverview>
    func metricDetail(_ query: MetricDetailQuery) async throws(StoreError) -> MetricDetail?
    /// Returns the records whose id the words of a search are.
    func records(withID text: String) async throws(StoreError) -> [FoundRecord]
    func services() async throws(StoreError) -> [ServiceSummary]
    func statistics() async throws(StoreError) -> StoreStatistics
    func replay(_ query: ReplayQuery) async throws(StoreError) -> ReplayFrameList?
    func replayFrames(
        session name: String, recording: String, from first: Int64, limit: Int,
    ) async throws(StoreError) -> ReplayFrames?

    // Devices and their ledgers.
    func devices(_ query: DeviceQuery) async throws(StoreError) -> Page<DeviceSummary>
    func device(_ id: String) async throws(StoreError) -> DeviceSummary?
    func ledger(ofSession id: String) async throws(StoreError) -> SessionLedger?
    func ledgerHistory(ofDevice id: String, parts: Int) async throws(StoreError) -> [LedgerSnapshot]?
    func reportsLosses(from start: Int64, to end: Int64) async throws(StoreError) -> Bool
    func losses(ofDevices ids: [String], from start: Int64, to end: Int64) async throws(StoreError) -> RecordLoss
    /// Returns the services whose phones have sent records; `nil` if the store does not note when records arrive.
    func phoneServices() async throws(StoreError) -> Set<String>?
    func arrivalFacts(ofServices services: Set<String>) async throws(StoreError) -> ArrivalFacts
    /// Returns the phones of each hour of a time, in the order of the hours.
    func activePhones(
        ofServices services: Set<String>, from start: Int64, to end: Int64,
    ) async throws(StoreError) -> [ActivePhone]

    // Crashes, hangs and frames.
    func slowScreens(service: String?) async throws(StoreError) -> [SlowScreen]
    func releases(service: String?) async throws(StoreError) -> [Release]
    func issues(_ query: IssueQuery) async throws(StoreError) -> [HealthIssue]
    func issue(_ fingerprint: String) async throws(StoreError) -> HealthIssue?
    func issueEvents(of fingerprint: String, limit: Int) async throws(StoreError) -> [IssueEventSummary]
    func issueEvent(_ seq: Int64) async throws(StoreError) -> IssueEvent?
    func unindexedIssueEvents(limit: Int) async throws(StoreError) -> [IssueEvent]
    func wantedBuilds() async throws(StoreError) -> Set<String>
    func reindexIssueEvents(wanting builds: Set<String>) async throws(StoreError)
    func file(_ findings: [IssueFingerprint]) async throws(StoreError)

    /// The way to get answers to queries from the store.
    var queryBackend: QueryBackend { get }
}

extension TelemetryStore {
    /// Returns a trace with at most 20,000 spans.
    package func trace(_ id: TraceID) async throws(StoreError) -> TraceDetail? {
        try await trace(id, spanLimit: 20_000)
    }

    package func sessions() async throws(StoreError) -> Page<SessionSummary> { try await sessions(SessionQuery()) }

    package func traces() async throws(StoreError) -> Page<TraceSummary> { try await traces(TraceQuery()) }

    package func devices() async throws(StoreError) -> Page<DeviceSummary> { try await devices(DeviceQuery()) }

    package func logs() async throws(StoreError) -> LogPage { try await logs(LogQuery()) }

    package func metrics() async throws(StoreError) -> Page<MetricOverview> { try await metrics(MetricQuery()) }

    package func slowScreens() async throws(StoreError) -> [SlowScreen] { try await slowScreens(service: nil) }

    package func releases() async throws(StoreError) -> [Release] { try await releases(service: nil) }

    /// Returns the newest 100 crashes and hangs of an issue.
    package func issueEvents(of fingerprint: String) async throws(StoreError) -> [IssueEventSummary] {
        try await issueEvents(of: fingerprint, limit: 100)
    }

    /// Returns the newest 200 snapshots of a device.
    package func ledgerHistory(ofDevice id: String) async throws(StoreError) -> [LedgerSnapshot]? {
        try await ledgerHistory(ofDevice: id, parts: 200)
    }
}
