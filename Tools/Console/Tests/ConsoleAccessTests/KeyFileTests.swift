import ConsoleAccess
import ConsoleTransports
import Foundation
import Testing

@Suite
struct KeyFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)")
    private var file: KeyFile { KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256) }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test
    func `a file that does not exist has no keys`() throws {
        #expect(try file.keys() == [])
    }

    @Test
    func `a key has its use in its text, 256 random bits, and only its hash in the file`() throws {
        let (key, text) = try file.create("shop app", use: .ingest, services: ["astronomy-shop"])
        #expect(text.hasPrefix("astrolabe_ingest_"))
        #expect(text.utf8.count == "astrolabe_ingest_".utf8.count + 43)
        let other = try file.create("shop app", use: .ingest)
        #expect(text != other.text)
        let stored = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(!stored.contains(text.suffix(43)))
        #expect(stored.contains(key.sha256))
        #expect(try file.keys() == [key, other.key])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test
    func `a revoked key stays in the file, with the time of its first revocation`() throws {
        let key = try file.create("shop app", use: .ingest).key
        let first = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(try file.revoke(key.id, at: first).revoked == first)
        #expect(try file.revoke(key.id, at: first + 60).revoked == first)
        #expect(try file.keys().map(\.revoked) == [first])
        #expect(throws: KeyFileError.unknownKey("00000000")) { try file.revoke("00000000") }
    }

    @Test
    func `two processes that make keys at the same time lose none`() async throws {
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<20 { tasks.addTask { _ = try file.create("\(number)", use: .view) } }
            try await tasks.waitForAll()
        }
        #expect(Set(try file.keys().map(\.name)) == Set((0..<20).map(String.init)))
    }

    @Test(
        arguments: [
            "", "{}", "[]", "{\"version\":1}", "{\"version\":3,\"keys\":[]}", "{\"version\":1,\"keys\":[{}]}", "\u{0}",
        ])
    func `a damaged file is an error, never a file without keys`(_ text: String) throws {
        try text.write(toFile: file.path, atomically: true, encoding: .utf8)
        #expect(throws: KeyFileError.self) { try file.keys() }
        #expect(throws: KeyFileError.self) { try file.create("more", use: .view) }
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
    }

    @Test
    func `a file of version 1 keeps its keys`() throws {
        let sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
        let text = """
            {
              "keys" : [
                {
                  "created" : "2026-11-23T10:00:00Z",
                  "id" : "9f86d081",
                  "name" : "shop app",
                  "requestsPerSecond" : 500,
                  "services" : [ "astronomy-shop" ],
                  "sha256" : "\(sha256)",
                  "use" : "ingest"
                },
                {
                  "created" : "2026-11-23T10:00:00Z",
                  "id" : "60303ae2",
                  "name" : "team",
                  "requestsPerSecond" : 50,
                  "revoked" : "2026-11-24T10:00:00Z",
                  "sha256" : "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
                  "use" : "view"
                }
              ],
              "version" : 1
            }
            """
        try text.write(toFile: file.path, atomically: true, encoding: .utf8)
        let keys = try file.keys()
        #expect(keys.map(\.id) == ["9f86d081", "60303ae2"])
        #expect(keys.map(\.use) == [.ingest, .view])
        #expect(keys.map { $0.isValid(at: .distantFuture) } == [true, false])
        #expect(keys.first?.sha256 == sha256 && keys.first?.services == ["astronomy-shop"])
        let more = try file.create("another", use: .symbols).key
        #expect(try file.keys() == keys + [more])
    }

    @Test
    func `a file with a key that expires has a version that older consoles refuse, and others have not`() throws {
        func version() throws -> String? {
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            return text.firstMatch(of: /"version" : (\d+)/).map { String($0.1) }
        }
        let first = try file.create("Ada", use: .view).key
        #expect(try version() == "1")
        let end = Date(timeIntervalSince1970: 1_900_000_000)
        let second = try file.create("guest", use: .view, expires: end + 0.5).key
        #expect(second.expires == end)
        #expect(try version() == "2")
        #expect(try file.keys() == [first, second])
    }

    @Test
    func `a folder that does not exist is an error that says what was expected`() {
        let path = folder.appendingPathComponent("none/keys.json").path
        #expect(throws: KeyFileError.unwritable(path: path)) {
            try KeyFile(path: path, digest: .sha256).create("x", use: .view)
        }
    }
}
