import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import Logging
import Symbolication
import TelemetryBoards

@testable import TelemetryConsole

/// A store and the alerts over it, with a clock that the test sets and files that outlive a restart.
final class AlertScene {
    /// The start of a minute.
    static let start: UInt64 = 1_790_000_040_000_000_000
    static let minute: UInt64 = 60_000_000_000
    static let hour = 60 * minute

    private let clock = Locked(AlertScene.start)
    private let folder: URL
    private let configuration: StoreConfiguration
    private(set) var store: SQLiteStore
    private(set) var monitor: AlertMonitor
    private(set) var notices: NoticeQueue

    var now: UInt64 { clock.withLock { $0 } }

    /// - Parameter board: The board `mine`; none for those that ship alone.
    init(board: String? = nil) async throws {
        folder = try Scratch.folder()
        var configuration = StoreConfiguration(path: folder.appendingPathComponent("console.sqlite").path)
        configuration.now = { [clock] in clock.withLock { $0 } }
        self.configuration = configuration
        let boards = folder.appendingPathComponent("boards")
        try FileManager.default.createDirectory(at: boards, withIntermediateDirectories: true)
        if let board { try Data(board.utf8).write(to: boards.appendingPathComponent("mine.yaml")) }
        store = try await SQLiteStore(configuration)
        (monitor, notices) = AlertScene.monitor(of: store, in: folder)
    }

    private static func monitor(of store: SQLiteStore, in folder: URL) -> (AlertMonitor, NoticeQueue) {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let symbols = SymbolStore(folder: folder.appendingPathComponent("symbols"))
        let health = IssueIndexer(store: store, symbols: symbols, logger: logger)
        let notices = NoticeQueue(path: folder.appendingPathComponent("notices.json").path, logger: logger)
        let monitor = AlertMonitor(
            boards: BoardLibrary(folder: folder.appendingPathComponent("boards")),
            queries: QuerySource(store, logger: logger, indexIssues: { try await health.update() }),
            path: folder.appendingPathComponent("alerts.json").path, notices: notices, logger: logger)
        return (monitor, notices)
    }

    func advance(by nanoseconds: UInt64) { clock.withLock { $0 += nanoseconds } }

    /// Ends the console and starts it again.
    func restart() async throws {
        await store.close()
        store = try await SQLiteStore(configuration)
        (monitor, notices) = AlertScene.monitor(of: store, in: folder)
    }

    /// Removes the file of the notices, as a disk that was full does.
    func loseNotices() throws {
        try FileManager.default.removeItem(at: folder.appendingPathComponent("notices.json"))
    }

    func close() async {
        await store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Evaluates the alerts that are due, and returns what changed of an alert.
    func changes(of alert: String) async -> [AlertMonitor.Change] {
        await monitor.evaluate(at: Int64(now)).filter { $0.status.rule.name == alert }
    }

    func ingest(_ records: [LogRecordData]) async throws {
        _ = try await store.ingest(logs: Self.group(records))
    }

    func ingest(_ records: [SpanData]) async throws {
        _ = try await store.ingest(traces: Self.group(records))
    }

    private static func group<Record>(_ records: [Record]) -> [ResourceGroup<Record>] {
        [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": "shop", "service.version": "2.1.0", "os.name": "iOS"]),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: records)])
        ]
    }

    static func crash(at time: UInt64, type: String = "SIGTRAP") -> LogRecordData {
        LogRecordData(
            timeUnixNano: time, severityNumber: 21, eventName: "app.crash",
            attributes: [
                "app.crash.id": "\(type) \(time)", "exception.type": type,
            ])
    }
}
