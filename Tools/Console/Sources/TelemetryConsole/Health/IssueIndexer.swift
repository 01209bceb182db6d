import ConsoleModel
import Logging
import Symbolication

/// Symbolicates crashes and hangs on demand and groups them into issues.
///
/// Ingest does not symbolicate. A stack is symbolicated once, at the first request after it arrived, and again when
/// missing symbols are added.
actor IssueIndexer {
    nonisolated let store: any TelemetryStore
    nonisolated let symbolizer: Symbolizer
    private let reader: ReportReader
    private let logger: Logger
    private var filing: Task<Void, any Error>?
    /// The last symbolication error, so that each error is logged once.
    private var lastFailure: String?
    /// When crashes and hangs with missing symbols were last symbolicated again, by build ID.
    private var tried: [String: ContinuousClock.Instant] = [:]

    /// The number of crashes and hangs that one batch indexes.
    private static let stride = 50
    /// The minimum time between two attempts to symbolicate the same crashes and hangs.
    private static let retryInterval: Duration = .seconds(30)

    init(store: any TelemetryStore, symbols: SymbolStore, logger: Logger) {
        self.store = store
        self.logger = logger
        symbolizer = Symbolizer(store: symbols)
        reader = ReportReader(symbolizer: symbolizer)
    }

    /// Indexes all new crashes and hangs. Concurrent callers wait for the same work.
    func update() async throws {
        if let filing { return try await filing.value }
        let task = Task { try await indexNewEvents() }
        filing = task
        defer { filing = nil }
        try await task.value
    }

    private func indexNewEvents() async throws {
        let now = ContinuousClock.now
        let wanted = try await store.wantedBuilds()
        let added = wanted.filter { hex in
            guard let id = BuildID(hex), symbolizer.store.symbols(id) != nil else { return false }
            return tried[hex].map { now - $0 > Self.retryInterval } ?? true
        }
        tried = tried.filter { wanted.contains($0.key) }
        if !added.isEmpty {
            for hex in added { tried[hex] = now }
            try await store.reindexIssueEvents(wanting: added)
        }
        while true {
            let records = try await store.unindexedIssueEvents(limit: Self.stride)
            guard !records.isEmpty else { return }
            var findings: [IssueFingerprint] = []
            for record in records {
                findings.append(await read(record).finding)
            }
            try await store.file(findings)
        }
    }

    /// Symbolicates a crash or hang and computes its fingerprint.
    func read(_ record: IssueEvent) async -> (finding: IssueFingerprint, report: ReadReport) {
        let attributes = record.event.attributes
        let report = await reader.read(HealthReport(attributes))
        if let failure = report.failure, failure != lastFailure { logger.warning("cannot symbolicate: \(failure)") }
        lastFailure = report.failure
        return (IssueFingerprint(record, attributes, report), report)
    }

    /// Returns the flame graph of several hangs.
    func flame(_ issueEvents: [IssueEventSummary]) async throws -> FlameNode {
        var flame = FlameNode.root()
        for issueEvent in issueEvents where issueEvent.kind == .hang {
            guard let record = try await store.issueEvent(issueEvent.seq) else { continue }
            let report = await read(record).report
            for sample in report.samples { flame.add(sample.frames, seconds: report.sampleInterval) }
        }
        return flame
    }
}
