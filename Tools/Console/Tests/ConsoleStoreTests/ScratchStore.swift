import AstrolabePlatform
import ConsoleModel
import ConsoleStore
import Foundation

/// A temporary folder for a real SQLite file, deleted when the test ends.
final class Scratch: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("console-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.appendingPathComponent("console.sqlite").path }

    /// Returns a copy of the current files of an open store, as a kill would leave them.
    func copy() throws -> Scratch {
        let copy = try Scratch()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
        }
        return copy
    }

    func store(
        retention: StoreConfiguration.Retention = .init(), limits: StoreConfiguration.Limits = .init(),
        now: @escaping @Sendable () -> UInt64 = { SystemTime.wall }, elapsed: (@Sendable () -> UInt64)? = nil,
    ) async throws -> SQLiteStore {
        try await SQLiteStore(
            StoreConfiguration(path: path, retention: retention, limits: limits, now: now, elapsed: elapsed ?? now)
        )
    }

    /// Runs `body` with a store and then closes the store.
    func withStore<Value: Sendable>(_ body: @Sendable (SQLiteStore) async throws -> Value) async throws -> Value {
        let store = try await store()
        do {
            let value = try await body(store)
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }
}

/// A clock that the test sets.
final class HandClock: Sendable {
    private let nanoseconds: Locked<UInt64>

    init(seconds: UInt64) {
        nanoseconds = Locked(seconds * 1_000_000_000)
    }

    var now: UInt64 { nanoseconds.withLock { $0 } }

    func advance(hours: UInt64) {
        nanoseconds.withLock { $0 += hours * 3_600_000_000_000 }
    }
}
