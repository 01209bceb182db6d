import Foundation
import GRDB
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite struct `A copy of a store` {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var copy: String { scratch.folder.appendingPathComponent("copy.sqlite").path }

    /// Makes a store with records and changes its file.
    private func source(_ change: String) async throws {
        _ = try await scratch.withStore { store in
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events()))
        }
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: change) }
        try queue.close()
    }

    private func detail() throws -> String {
        let error = #expect(throws: StoreError.self) { try StoreCopy.make(of: scratch.path, at: copy) }
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        #expect(!files.contains { $0.hasPrefix("copy") })
        guard case .unusable(_, let detail)? = error else {
            Issue.record("found \(String(describing: error))")
            return ""
        }
        return detail
    }

    @Test func `is not made of an empty file`() throws {
        try Data().write(to: URL(fileURLWithPath: scratch.path))
        #expect(try detail() == "it has no tables of a console")
    }

    @Test(arguments: [
        ("DROP TABLE logs", "it has no table \"logs\""),
        ("DROP TABLE logs; CREATE VIEW logs AS SELECT 1", "it has the view \"logs\", which is not the console's"),
        ("DROP TABLE logs; CREATE TABLE logs (seq INTEGER)", "its table \"logs\" has no column \"attributes\""),
        ("DROP INDEX logs_by_uid", "it has no unique index \"logs_by_uid\""),
        (
            "CREATE TRIGGER gone AFTER INSERT ON logs BEGIN DELETE FROM logs WHERE seq = new.seq; END",
            "it has the trigger \"gone\", which is not the console's",
        ),
        ("PRAGMA user_version = 0", "it has no tables of a console"),
        ("PRAGMA user_version = -1", "it has no tables of a console"),
    ])
    func `is not made of a file with which no console could work`(change: String, expected: String) async throws {
        try await source(change)
        #expect(try detail() == expected)
    }

    @Test func `is not made of a file of a later version`() async throws {
        try await source("PRAGMA user_version = 99")
        let error = #expect(throws: StoreError.self) { try StoreCopy.make(of: scratch.path, at: copy) }
        #expect(error == .newerVersion(path: scratch.path, found: 99, supported: Schema.version))
    }

    @Test func `may have tables and indexes beside those of the console`() async throws {
        try await source("CREATE TABLE notes (text TEXT); CREATE INDEX logs_by_body ON logs (body)")
        try StoreCopy.make(of: scratch.path, at: copy)
    }

    /// A console upgrades it at its start.
    @Test(arguments: 1..<Schema.version)
    func `is made of a file of an earlier version`(version: Int) async throws {
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.write { database in
            for statement in StoreFile.steps.prefix(version).joined() { try database.execute(sql: statement) }
            try database.execute(
                sql: "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(version)")
        }
        try queue.close()
        try StoreCopy.make(of: scratch.path, at: copy)
    }
}
