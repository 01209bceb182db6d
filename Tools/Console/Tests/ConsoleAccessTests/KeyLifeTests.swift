import ConsoleAccess
import ConsoleTransports
import Foundation
import Logging
import Testing

/// Keys that expire, and when keys were used last.
@Suite
struct KeyLifeTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)")
    private let office = ClientAddress("192.0.2.7")
    private let time = Date(timeIntervalSince1970: 1_900_000_000)
    private var file: KeyFile { KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256) }
    private var usedPath: String { file.path + ".used" }
    private var auditPath: String { folder.appendingPathComponent("audit.jsonl").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Decides as a process does whose clock stands still.
    private func access(at time: Date, own: KeyText? = nil) -> AccessControl {
        AccessControl(
            keys: file, isExposed: false, own: own, audit: AuditLog(path: auditPath), logger: Logger(label: "test"),
            now: { time })
    }

    private func number(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }

    @Test
    func `a key is admitted until it expires, and then refused and audited, however often it is sent`() throws {
        let (key, text) = try file.create("Ada", use: .view, expires: time)
        let early = access(at: time - 1)
        #expect(try early.admit(text, for: .view, from: office) == key)
        #expect(early.isValid(text, for: .view))
        let late = access(at: time)
        for _ in 0..<30 {
            #expect(throws: AccessRefusal.expiredKey(id: key.id, at: time)) {
                try late.admit(text, for: .view, from: office)
            }
        }
        #expect(!late.isValid(text, for: .view))
        // The last key does not open the console.
        #expect(throws: AccessRefusal.noKey(.view)) { try late.admit(nil, for: .view, from: office) }
        #expect(late.lockOuts().isEmpty)
        let audit = try String(contentsOfFile: auditPath, encoding: .utf8)
        #expect(audit.contains("\"expired-key\"") && audit.contains("\"\(key.id)\""))
        let refusal = AccessRefusal.expiredKey(id: key.id, at: time)
        #expect(refusal.status == 401 && refusal.retryAfter == nil)
        #expect(refusal.message.hasPrefix("key \(key.id) expired at 2030-03-17T17:46:40Z"))
    }

    @Test
    func `a revoked key that has expired since was revoked`() throws {
        let (key, text) = try file.create("Ada", use: .view, expires: time)
        _ = try file.revoke(key.id)
        #expect(throws: AccessRefusal.revokedKey(id: key.id)) {
            try access(at: time + 1).admit(text, for: .view, from: office)
        }
    }

    @Test
    func `the last use of keys is stored once for many requests, and never in the file of the keys`() throws {
        let (key, text) = try file.create("app", use: .ingest)
        let (other, otherText) = try file.create("Ada", use: .view)
        let keys = try number(of: file.path)
        let access = access(at: time + 0.25)
        for _ in 0..<50 { #expect(try access.admit(text, for: .ingest, from: office) == key) }
        #expect(file.lastUses().isEmpty)
        access.storeUses()
        #expect(file.lastUses() == [key.id: time])
        let stored = try number(of: usedPath)
        // What is refused is no use, and nothing new is nothing to write.
        _ = try? access.admit(otherText, for: .ingest, from: office)
        _ = try? access.admit("guess", for: .ingest, from: office)
        access.storeUses()
        #expect(try number(of: usedPath) == stored)
        // Another process, or the same one after a restart.
        let later = self.access(at: time + 3_600)
        #expect(try later.admit(otherText, for: .view, from: office) == other)
        later.storeUses()
        #expect(file.lastUses() == [key.id: time, other.id: time + 3_600])
        #expect(try number(of: file.path) == keys)
        let mode = try FileManager.default.attributesOfItem(atPath: usedPath)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test
    func `a use that cannot be stored is stored later, and a damaged file is replaced`() throws {
        let (key, text) = try file.create("app", use: .ingest)
        let access = access(at: time)
        _ = try access.admit(text, for: .ingest, from: office)
        try FileManager.default.removeItem(at: folder)
        access.storeUses()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: URL(fileURLWithPath: usedPath))
        #expect(file.lastUses().isEmpty)
        access.storeUses()
        #expect(file.lastUses() == [key.id: time])
    }

    @Test
    func `a clock that was ahead does not hide later uses`() throws {
        let (key, text) = try file.create("app", use: .ingest)
        for moment in [time + 86_400, time] {
            let access = access(at: moment)
            _ = try access.admit(text, for: .ingest, from: office)
            access.storeUses()
            #expect(file.lastUses() == [key.id: moment])
        }
    }

    @Test
    func `the key of the process that runs the console is in no file`() throws {
        _ = try file.create("Ada", use: .view)
        let text = KeyText(.ingest)
        let access = access(at: time, own: text)
        _ = try access.admit(text.text, for: .ingest, from: office)
        access.storeUses()
        #expect(!FileManager.default.fileExists(atPath: usedPath))
    }
}
