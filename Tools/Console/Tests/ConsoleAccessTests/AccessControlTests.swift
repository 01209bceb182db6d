import ConsoleAccess
import ConsoleTransports
import Foundation
import Logging
import Testing

@Suite
struct AccessControlTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)")
    private let office = ClientAddress("192.0.2.7")
    private let start = ContinuousClock.now
    private var file: KeyFile { KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256) }
    private var auditPath: String { folder.appendingPathComponent("audit.jsonl").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func access(isExposed: Bool = false, own: KeyText? = nil) -> AccessControl {
        let audit = AuditLog(path: auditPath)
        return AccessControl(
            keys: file, isExposed: isExposed, own: own, audit: audit, logger: Logger(label: "test"))
    }

    private func entries() throws -> [AuditLog.Entry] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try String(contentsOfFile: auditPath, encoding: .utf8).split(separator: "\n")
            .map { try decoder.decode(AuditLog.Entry.self, from: Data($0.utf8)) }
    }

    @Test
    func `without keys, everyone on this machine is admitted, and nobody else`() throws {
        #expect(try access().admit(nil, for: .view, from: office) == nil)
        #expect(!access().isRequired)
        #expect(throws: AccessRefusal.noKey(.view)) {
            try access(isExposed: true).admit(nil, for: .view, from: office)
        }
    }

    @Test(arguments: KeyUse.allCases)
    func `a key admits to its own use alone`(_ use: KeyUse) throws {
        let (key, text) = try file.create("one", use: use)
        let access = access()
        #expect(access.isRequired)
        for other in KeyUse.allCases {
            if other == use {
                #expect(try access.admit(text, for: other, from: office) == key)
            } else {
                #expect(throws: AccessRefusal.wrongUse(id: key.id, found: use, expected: other)) {
                    try access.admit(text, for: other, from: office)
                }
            }
            #expect(access.isValid(text, for: other) == (other == use))
        }
    }

    @Test
    func `no key, a wrong key, a part of a key and a hash are refused`() throws {
        let (key, text) = try file.create("one", use: .ingest)
        let access = access()
        #expect(throws: AccessRefusal.noKey(.ingest)) { try access.admit(nil, for: .ingest, from: office) }
        for guess in ["", String(text.dropLast()), text + "A", text.lowercased(), key.sha256, key.id] {
            #expect(throws: AccessRefusal.unknownKey) { try access.admit(guess, for: .ingest, from: office) }
        }
    }

    @Test
    func `a running console follows the file within a second`() throws {
        let access = access()
        #expect(try access.admit(nil, for: .view, from: office, at: start) == nil)
        let (key, text) = try file.create("Ada", use: .view)
        let later = start + .seconds(1)
        #expect(throws: AccessRefusal.noKey(.view)) { try access.admit(nil, for: .view, from: office, at: later) }
        #expect(try access.admit(text, for: .view, from: office, at: later) == key)
        _ = try file.revoke(key.id)
        let latest = later + .seconds(1)
        #expect(throws: AccessRefusal.revokedKey(id: key.id)) {
            try access.admit(text, for: .view, from: office, at: latest)
        }
        #expect(throws: AccessRefusal.noKey(.view)) { try access.admit(nil, for: .view, from: office, at: latest) }
    }

    @Test(arguments: [true, false])
    func `a file that is damaged or removed admits nobody, until it is mended`(isRemoved: Bool) throws {
        let (key, text) = try file.create("Ada", use: .view)
        let access = access()
        #expect(try access.admit(text, for: .view, from: office, at: start) == key)
        let kept = try Data(contentsOf: URL(fileURLWithPath: file.path))
        if isRemoved {
            try FileManager.default.removeItem(atPath: file.path)
        } else {
            try Data("{".utf8).write(to: URL(fileURLWithPath: file.path))
        }
        for presented in [text, nil] {
            #expect(throws: AccessRefusal.keysUnreadable) {
                try access.admit(presented, for: .view, from: office, at: start + .seconds(1))
            }
        }
        try kept.write(to: URL(fileURLWithPath: file.path), options: .atomic)
        #expect(try access.admit(text, for: .view, from: office, at: start + .seconds(2)) == key)
    }

    @Test
    func `without SHA-256 a file with keys admits nobody, and its removal does not open the console`() throws {
        let keys = KeyFile(path: file.path, digest: nil)
        let access = AccessControl(
            keys: keys, isExposed: false, audit: AuditLog(path: auditPath), logger: Logger(label: "test"))
        #expect(try access.admit(nil, for: .view, from: office, at: start) == nil)
        #expect(throws: KeyFileError.noDigest) { try keys.create("Ada", use: .view) }
        let (_, text) = try file.create("Ada", use: .view)
        for second in 1...2 {
            for presented in [text, nil] {
                #expect(throws: AccessRefusal.keysUnreadable) {
                    try access.admit(presented, for: .view, from: office, at: start + .seconds(second))
                }
            }
            try? FileManager.default.removeItem(atPath: file.path)
        }
    }

    private func unknown(_ key: String, _ access: AccessControl, _ address: ClientAddress) {
        #expect(throws: AccessRefusal.unknownKey, "\(key)") {
            try access.admit(key, for: .view, from: address, at: start)
        }
    }

    @Test
    func `a network that tries 20 unknown keys waits for a minute, and its valid and old keys do not`() throws {
        let (key, text) = try file.create("Ada", use: .view)
        let sender = try file.create("app", use: .ingest)
        let old = try file.create("old app", use: .view)
        _ = try file.revoke(old.key.id)
        let access = access()
        for number in 0..<20 { unknown("guess \(number)", access, office) }
        for _ in 0..<50 {
            #expect(throws: AccessRefusal.tooManyAttempts(retryAfter: 31)) {
                try access.admit("guess", for: .ingest, from: office, at: start + .seconds(30))
            }
            #expect(throws: AccessRefusal.revokedKey(id: old.key.id)) {
                try access.admit(old.text, for: .view, from: office, at: start + .seconds(30))
            }
            #expect(try access.admit(text, for: .view, from: office, at: start + .seconds(30)) == key)
            #expect(try access.admit(sender.text, for: .ingest, from: office, at: start + .seconds(30)) == sender.key)
        }
        unknown("guess", access, ClientAddress("198.51.100.7"))
        #expect(throws: AccessRefusal.unknownKey) {
            try access.admit("guess", for: .view, from: office, at: start + .seconds(60))
        }
    }

    @Test
    func `keys that begin alike count together, and a network has 100 attempts whatever they begin with`() throws {
        _ = try file.create("Ada", use: .view)
        let access = access()
        for _ in 0..<20 { unknown("astrolabe_ingest_Zx3kWrong", access, office) }
        #expect(throws: AccessRefusal.tooManyAttempts(retryAfter: 61)) {
            try access.admit("astrolabe_ingest_Zx3kOther", for: .view, from: office, at: start)
        }
        for number in 0..<80 { unknown("astrolabe_view_\(1_000 + number)", access, office) }
        #expect(throws: AccessRefusal.tooManyAttempts(retryAfter: 61)) {
            try access.admit("astrolabe_view_2000", for: .view, from: office, at: start)
        }
    }

    @Test
    func `a lock-out names the network and the beginning of keys, and nothing of a text that may be a password`()
        throws
    {
        _ = try file.create("Ada", use: .view)
        let access = access()
        for number in 0..<23 {
            _ = try? access.admit("astrolabe_ingest_Zx3kSecret", for: .ingest, from: office, at: start)
            if number < 21 { _ = try? access.admit("hunter2", for: .view, from: office, at: start) }
        }
        _ = try? access.admit("hunter2", for: .view, from: ClientAddress("2001:db8::7"), at: start)
        let lockOuts = access.lockOuts(at: start + .seconds(20))
        #expect(lockOuts.map(\.network) == ["192.0.2.0/24", "192.0.2.0/24"])
        #expect(lockOuts.map(\.keys) == ["astrolabe_ingest_Zx3k", nil])
        #expect(lockOuts.map(\.refused) == [3, 1])
        #expect(lockOuts.map(\.secondsLeft) == [41, 41])
        #expect(access.lockOuts(at: start + .seconds(60)).isEmpty)
    }

    @Test
    func `24 bits of IPv4 and 64 bits of IPv6 are one network`() throws {
        _ = try file.create("Ada", use: .view)
        let access = access()
        for (one, same, other) in [
            ("192.0.2.7", "192.0.2.255", "192.0.3.7"), ("::ffff:198.51.100.7", "198.51.100.8", "::ffff:198.51.101.7"),
            ("2001:db8::7", "2001:db8::ffff", "2001:db8:0:1::7"), ("unknown", "unknown", "nowhere"),
        ] {
            for _ in 0..<20 { unknown("x", access, ClientAddress(one)) }
            #expect(throws: AccessRefusal.tooManyAttempts(retryAfter: 61), "\(one)") {
                try access.admit("x", for: .view, from: ClientAddress(same), at: start)
            }
            unknown("x", access, ClientAddress(other))
        }
        #expect(ClientAddress("192.0.2.7").host == "192.0.2.7")
        #expect(ClientAddress("2001:db8::7").host == ClientAddress("2001:db8::8").host)
    }

    @Test
    func `a key has a rate of its own, with bursts of ten seconds of it`() throws {
        let (key, text) = try file.create("app", use: .ingest, requestsPerSecond: 2)
        let other = try file.create("other app", use: .ingest, requestsPerSecond: 2)
        let access = access()
        for _ in 0..<20 { #expect(try access.admit(text, for: .ingest, from: office, at: start) == key) }
        #expect(throws: AccessRefusal.tooManyRequests(id: key.id, retryAfter: 1)) {
            try access.admit(text, for: .ingest, from: office, at: start)
        }
        #expect(try access.admit(other.text, for: .ingest, from: office, at: start) == other.key)
        #expect(try access.admit(text, for: .ingest, from: office, at: start + .milliseconds(500)) == key)
    }

    @Test
    func `an ingest key may be for some services, and then not for records without a service`() throws {
        let one = try file.create("app", use: .ingest, services: ["shop", "server"]).key
        #expect(one.permits(service: "shop") && one.permits(service: "server"))
        #expect(!one.permits(service: "other") && !one.permits(service: nil))
        let any = try file.create("collector", use: .ingest).key
        #expect(any.permits(service: "other") && any.permits(service: nil))
    }

    @Test
    func `a process that runs the console may have a key that is in no file`() throws {
        _ = try file.create("Ada", use: .view)
        let text = KeyText(.ingest)
        let access = access(own: text)
        #expect(try access.admit(text.text, for: .ingest, from: office)?.id == "own")
        #expect(throws: AccessRefusal.wrongUse(id: "own", found: .ingest, expected: .view)) {
            try access.admit(text.text, for: .view, from: office)
        }
    }

    @Test
    func `a session lasts 30 days, and one key cannot have so many that others lose theirs`() throws {
        let sessions = BrowserSessions()
        let (ada, text) = try file.create("Ada", use: .view)
        let other = try file.create("Grace", use: .view)
        let id = sessions.begin(with: other.key, presented: other.text, at: start)
        let first = sessions.begin(with: ada, presented: text, at: start)
        for number in 1...100 {
            #expect(sessions.session(first, at: start)?.presented == text)
            _ = sessions.begin(with: ada, presented: text, at: start + .seconds(number))
        }
        #expect(sessions.session(first, at: start) == nil)
        let month: Duration = .seconds(30 * 86_400)
        #expect(sessions.session(id, at: start + month - .seconds(1))?.key == other.key)
        #expect(sessions.session(id, at: start + month) == nil)
    }

    @Test
    func `refusals are in the audit log once a minute, without a key's text`() throws {
        let (key, text) = try file.create("app", use: .ingest)
        _ = try file.revoke(key.id)
        let access = access()
        for _ in 0..<5 { _ = try? access.admit(text, for: .ingest, from: office) }
        _ = try? access.admit("secret-guess", for: .view, from: office)
        let entries = try entries()
        #expect(entries.map(\.detail) == ["revoked-key", "unknown-key"])
        #expect(entries.map(\.key) == [key.id, nil])
        #expect(entries.map(\.address) == ["192.0.2.7", "192.0.2.7"])
        let written = try String(contentsOfFile: auditPath, encoding: .utf8)
        #expect(!written.contains(text) && !written.contains("secret-guess"))
    }

    @Test
    func `an equal refusal after a minute says how many there were`() throws {
        let log = AuditLog(path: auditPath)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        for second in [0, 1, 2, 61] {
            log.write(AuditLog.Entry("refused", detail: "no-key", at: time + Double(second)))
        }
        #expect(try entries().map(\.count) == [1, 3])
        for second in [62, 63] {
            log.write(AuditLog.Entry("refused", detail: "no-key", at: time + Double(second)))
        }
        log.flush(at: time + 64)
        #expect(try entries().map(\.count) == [1, 3, 2])
    }

    @Test(arguments: [-600, 600, -8 * 86_400, 8 * 86_400, -40 * 31_536_000, 40 * 31_536_000] as [Double])
    func `a refusal has its line whatever the clock is set to, and none is lost`(step: Double) throws {
        let log = AuditLog(path: auditPath)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        for moment in [time, time + 1, time + step + 2, time + step + 3, time + 4] {
            log.write(AuditLog.Entry("refused", detail: "no-key", at: moment))
        }
        #expect(try entries().map(\.count) == [1, 2, 2])
        log.flush(at: time + 5)
        #expect(try entries().compactMap(\.count).reduce(0, +) == 5)
    }

    @Test
    func `300 requests from 300 addresses of one IPv6 network are one line, and their count`() throws {
        let log = AuditLog(path: auditPath)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        for number in 0..<300 {
            let address = "2001:db8:0:7::\(String(number, radix: 16))"
            log.write(AuditLog.Entry("refused", address: address, detail: "no-key", at: time))
        }
        log.write(AuditLog.Entry("refused", address: "2001:db8:0:8::1", detail: "no-key", at: time))
        // The minute is over, and something else happens.
        log.write(AuditLog.Entry("sign-in", address: "192.0.2.7", at: time + 61))
        let entries = try entries()
        #expect(entries.map(\.event) == ["refused", "refused", "refused", "sign-in"])
        #expect(
            entries.map(\.address)
                == ["2001:db8:0:7::/64", "2001:db8:0:8::/64", "2001:db8:0:7::/64", "192.0.2.7"])
        #expect(entries.map(\.count) == [1, 1, 299, nil])
    }

    @Test
    func `refusals from more networks than have lines of their own are counted together`() throws {
        let log = AuditLog(path: auditPath)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        for number in 0..<5_000 {
            let address = "2001:db8:0:\(String(number, radix: 16))::1"
            log.write(AuditLog.Entry("refused", address: address, detail: "no-key", at: time))
        }
        log.write(AuditLog.Entry("sign-in", at: time + 61))
        let entries = try entries()
        #expect(entries.count == 1_003)
        #expect(entries.dropFirst(1_000).map(\.count) == [1, 3_999, nil])
        #expect(entries.compactMap(\.count).reduce(0, +) == 5_000)
    }

    @Test
    func `the audit log has a bound, and one predecessor`() throws {
        let log = AuditLog(path: auditPath, bytes: 1_000)
        for number in 0..<100 { log.write(AuditLog.Entry("board-changed", detail: "\(number)")) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == ["audit.jsonl", "audit.1.jsonl"] || Set(files) == ["audit.1.jsonl"])
        for file in files {
            let size = try Data(contentsOf: folder.appendingPathComponent(file)).count
            #expect(size < 1_200)
        }
    }
}
