import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import GRDB
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite
struct StoreFileTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test
    func `a reopened store keeps its records and continues its sequence`() async throws {
        let before = try await scratch.withStore { store in
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
            return try await store.statistics()
        }
        try await scratch.withStore { store in
            #expect(try await store.statistics() == before)
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
            #expect(try await store.statistics().received == before.received)
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, ShopFixture.backendSpans()))
            #expect(try await store.statistics().cursor > before.cursor)
            #expect(try await store.session("s-1")?.spans == 9)
        }
    }

    @Test
    func `acknowledged records survive a kill, even with a torn write-ahead log`() async throws {
        let store = try await scratch.store()
        try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
        try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events()))
        // Simulates the files of a killed process: not closed, without a checkpoint, and with a partial last write.
        let remains = try scratch.copy()
        let log = try FileHandle(forWritingTo: URL(fileURLWithPath: remains.path + "-wal"))
        try log.seekToEnd()
        try log.write(contentsOf: Data(repeating: 0x5A, count: 5_000))
        try log.close()
        try await remains.withStore { revived in
            #expect(try await revived.session("s-1")?.spans == 5)
            #expect(try await revived.session("s-1")?.crashes == 1)
            try await revived.ingest(traces: ShopFixture.group(ShopFixture.backend, ShopFixture.backendSpans()))
            #expect(try await revived.session("s-1")?.spans == 9)
        }
        await store.close()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
    func `a full disk fails the check, also while a row fits into the write-ahead log`() async throws {
        let folder = TemporaryDirectory()
        let disk = try SmallDisk(at: folder.path, kilobytes: 8_192)
        let path = folder.path + "/console.sqlite"
        let store = try await SQLiteStore(StoreConfiguration(path: path))
        try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
        try await store.check()
        // The next write begins at the start of the log.
        try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        try disk.fill(leaving: 0)
        try await store.pool.writeWithoutTransaction {
            try $0.execute(sql: "INSERT OR REPLACE INTO facts VALUES ('checked', 1)")
        }
        await #expect(throws: StoreError.diskFull(path: path)) { try await store.check() }
        try disk.fill(leaving: 4 << 20)
        try await store.check()
        await store.close()
        withExtendedLifetime(disk) {}
    }

    @Test
    func `a check after a refused export writes as much as an export does`() async throws {
        try await scratch.withStore { store in
            store.wasFull.withLock { $0 = true }
            try await store.check()
            #expect(!store.wasFull.withLock { $0 })
            let log = try FileManager.default.attributesOfItem(atPath: scratch.path + "-wal")
            #expect(try #require(log[.size] as? Int) > 1 << 20)
        }
    }

    @Test
    func `a file of a newer version is rejected, and the error names both versions`() async throws {
        _ = try await scratch.withStore { _ in }
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99") }
        try queue.close()
        let error = await #expect(throws: StoreError.self) { _ = try await scratch.store() }
        #expect(error == .newerVersion(path: scratch.path, found: 99, supported: Schema.version))
    }

    static func dropAdditionsSinceVersion5(_ database: Database) throws {
        try dropAdditionsSinceVersion7(database)
        for statement in Schema.additionsOfVersion5 + Schema.additionsOfVersion6 {
            let words = statement.split(separator: " ")
            switch words[0] {
            case "ALTER": try database.execute(sql: "ALTER TABLE \(words[2]) DROP COLUMN \(words[5])")
            case "CREATE" where words[1] == "INDEX": try database.execute(sql: "DROP INDEX IF EXISTS \(words[2])")
            default: break
            }
        }
    }

    /// The steps to versions 8 and 10 can be repeated.
    static func dropAdditionsSinceVersion7(_ database: Database) throws {
        for table in ["phones", "phone_hours", "phone_arrivals", "phone_drops"] {
            try database.execute(sql: "DROP TABLE \(table)")
        }
        try database.execute(
            sql: "DROP TABLE session_triggers; DROP TABLE milestones; DELETE FROM facts WHERE name = 'milestones'")
        try database.execute(sql: "DROP INDEX logs_by_original; ALTER TABLE logs DROP COLUMN original")
        try database.execute(sql: "ALTER TABLE logs DROP COLUMN sent")
    }

    @Test
    func `a database of another program is rejected and not changed`() async throws {
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE recipes (name TEXT)") }
        try queue.close()
        let error = await #expect(throws: StoreError.self) { _ = try await scratch.store() }
        #expect(error == .notAConsoleStore(path: scratch.path))
    }

    @Test
    func `a file that is not a database is rejected as damaged`() async throws {
        try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: scratch.path))
        let error = await #expect(throws: StoreError.self) { _ = try await scratch.store() }
        guard case .corrupt? = error else {
            Issue.record("expected .corrupt, got \(String(describing: error))")
            return
        }
        #expect(error?.description.contains("Move it and its -wal and -shm files") == true)
    }

    @Test
    func `the error names a folder that does not exist`() async throws {
        let path = scratch.folder.appendingPathComponent("missing/console.sqlite").path
        let error = await #expect(throws: StoreError.self) {
            _ = try await SQLiteStore(StoreConfiguration(path: path))
        }
        #expect(error?.description.contains("missing") == true)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write to a read-only file"))
    func `a file without write permission is rejected as read-only`() async throws {
        _ = try await scratch.withStore { _ in }
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: scratch.path)
        let error = await #expect(throws: StoreError.self) { _ = try await scratch.store() }
        #expect(error == .readOnly(path: scratch.path))
    }
}
