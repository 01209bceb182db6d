import ConsoleStore
import Logging
import Symbolication

/// Reads the stacks of crashes and hangs when somebody wants to know of them, and files what it found.
///
/// Nothing is done at ingest: stacks are read once, at the first question after they arrived, and again when debug
/// information that they wanted has come.
actor IssueIndexer {
    nonisolated let store: TelemetryStore
    nonisolated let symbolizer: Symbolizer
    private let reader: ReportReader
    private let logger: Logger
    private var filing: Task<Void, any Error>?
    /// What was last said of why stacks cannot be read, so that it is said once.
    private var lastFailure: String?
    /// When problems that want a build were last read for it.
    private var tried: [String: ContinuousClock.Instant] = [:]

    /// Problems read in one go.
    private static let stride = 50
    /// The shortest time between two tries to read problems with debug information that did not help.
    private static let patience: Duration = .seconds(30)

    init(store: TelemetryStore, symbols: SymbolStore, logger: Logger) {
        self.store = store
        self.logger = logger
        symbolizer = Symbolizer(store: symbols)
        reader = ReportReader(symbolizer: symbolizer)
    }

    /// Files what has arrived. Whoever asks meanwhile waits for the same work.
    func update() async throws {
        if let filing { return try await filing.value }
        let task = Task { try await fileNews() }
        filing = task
        defer { filing = nil }
        try await task.value
    }

    private func fileNews() async throws {
        let now = ContinuousClock.now
        let wanted = try await store.wantedBuilds()
        let come = wanted.filter { hex in
            guard let id = BuildID(hex), symbolizer.store.symbols(id) != nil else { return false }
            return tried[hex].map { now - $0 > Self.patience } ?? true
        }
        tried = tried.filter { wanted.contains($0.key) }
        if !come.isEmpty {
            for hex in come { tried[hex] = now }
            try await store.refileProblems(wanting: come)
        }
        while true {
            let records = try await store.unfiledProblems(limit: Self.stride)
            guard !records.isEmpty else { return }
            var findings: [IssueFingerprint] = []
            for record in records {
                findings.append(await read(record).finding)
            }
            try await store.file(findings)
        }
    }

    /// A problem with its stacks read.
    func read(_ record: ProblemRecord) async -> (finding: IssueFingerprint, report: ReadReport) {
        let attributes = record.event.attributes
        let report = await reader.read(HealthReport(attributes))
        if let failure = report.failure, failure != lastFailure { logger.warning("stacks stay addresses: \(failure)") }
        lastFailure = report.failure
        return (IssueFingerprint(record, attributes, report), report)
    }

    /// The stacks of several hangs, laid over one another.
    func flame(_ problems: [ProblemSummary]) async throws -> FlameNode {
        var flame = FlameNode.root()
        for problem in problems where problem.kind == .hang {
            guard let record = try await store.problem(problem.seq) else { continue }
            let report = await read(record).report
            for sample in report.samples { flame.add(sample.frames, seconds: report.sampleInterval) }
        }
        return flame
    }
}
