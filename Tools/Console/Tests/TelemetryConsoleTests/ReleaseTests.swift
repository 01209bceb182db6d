import AstrolabeGzip
import AstrolabeSeededRandomness
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import NIOCore
import ServerSupport
import Symbolication
import Testing

@testable import TelemetryConsole

/// Tests of releases and of uploads of symbols, over real sockets.
@Suite(.timeLimit(.minutes(3))) struct ReleaseTests {
    private static let commit = "6f1d0c2b9a3e4d5f60718293a4b5c6d7e8f90123"
    private static let formerBuild = "app.build_id: expected the build number as astrolabe.app.build_number"

    private static func post(
        _ body: String, at console: ConsoleUnderTest, type: String = "application/json",
    ) async throws -> HTTP.Response {
        try await HTTP.request(
            "POST", "\(console.address)/api/v1/releases", headers: ["Content-Type": type], body: Array(body.utf8))
    }

    private static func upload(
        _ body: [UInt8], name: String = "shop", more: String = "", at console: ConsoleUnderTest,
        encoding: String? = nil, from address: String? = nil,
    ) async throws -> HTTP.Response {
        let name = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var headers: [String: String] = [:]
        headers["Content-Encoding"] = encoding
        headers["X-Forwarded-For"] = address
        return try await HTTP.request(
            "POST", "\(console.address)/api/v1/symbols?name=\(name)\(more)", headers: headers, body: body)
    }

    /// Begins an upload whose body does not arrive as a whole.
    private static func beginUpload(_ part: String, at console: ConsoleUnderTest) throws -> LineSocket {
        try LineSocket.request(
            port: console.port,
            "POST /api/v1/symbols?name=slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n" + part)
    }

    private static func storedFolders(_ console: ConsoleUnderTest) -> [String] {
        let folder = console.console.configuration.symbolsFolder.path
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    @Test func `a release is recorded once, listed by its time, and kept over a restart`() async throws {
        try await ConsoleUnderTest.run { console in
            let builds = #""builds":["0123456789ABCDEF0123456789ABCDEF"]"#
            let first = try await Self.post(
                #"{"service.version":"2.1.0","astrolabe.app.build_number":"45","time":"2026-01-02T03:04:05Z",\#(builds)}"#,
                at: console)
            #expect(first.status == 200)
            let second = try await Self.post(
                #"{"service.version":"2.1.0","astrolabe.app.build_number":"45","vcs.ref.head.revision":"\#(Self.commit)"}"#,
                at: console)
            #expect(second.status == 200)
            #expect(try await Self.post(#"{"service.version":"2.2.0"}"#, at: console).status == 200)
            let all = try await console.get("/api/v1/releases")["releases"].elements
            #expect(all.map { $0["service.version"].text } == ["2.2.0", "2.1.0"])
            #expect(all[1]["timeUs"].int == 1_767_323_045_000_000)
            #expect(all[1]["vcs.ref.head.revision"].text == Self.commit)
            #expect(all[1]["builds"][0].text == "0123456789abcdef0123456789abcdef")
            let early = try await console.get("/api/v1/releases?toUs=1767323045000001")["releases"].elements
            #expect(early.map { $0["service.version"].text } == ["2.1.0"])
            #expect(try await console.get("/api/v1/releases?limit=1")["releases"].elements.count == 1)
            let kept = try await ReleaseMarkerFile(path: console.console.configuration.releasesPath).markers()
            #expect(kept.map(\.version) == ["2.2.0", "2.1.0"])
        }
    }

    @Test func `what is no release is refused, and a damaged file is not replaced`() async throws {
        try await ConsoleUnderTest.run { console in
            let path = console.console.configuration.releasesPath
            for (body, status, text) in [
                ("{", 400, "expected a JSON object"), ("[]", 400, "expected a JSON object"),
                ("{}", 400, "service.version"),
                (#"{"service.version":7}"#, 400, "service.version"),
                (#"{"version":"1"}"#, 400, "expected a text for one of"),
                (#"{"service.version":"1","app.build_id":"45"}"#, 400, Self.formerBuild),
                (#"{"service.version":"1","time":"yesterday"}"#, 400, "time:"),
                (#"{"service.version":"1","time":"2999-01-01T00:00:00Z"}"#, 400, "not in the future"),
                (#"{"service.version":"1","builds":["../../etc"]}"#, 400, "builds:"),
                (#"{"service.version":"1","vcs.repository.url.full":"javascript:alert(1)"}"#, 400, "https"),
                (#"{"service.version":"\#(String(repeating: "1", count: 20_000))"}"#, 413, "at most"),
            ] {
                let response = try await Self.post(body, at: console)
                #expect(response.status == status, "\(body.prefix(80)): \(response.text)")
                #expect(response.text.contains(text), "\(body.prefix(80)): \(response.text)")
            }
            #expect(try await Self.post(#"{"service.version":"1"}"#, at: console, type: "text/plain").status == 415)
            #expect(!FileManager.default.fileExists(atPath: path))
            try Data("[{".utf8).write(to: URL(fileURLWithPath: path))
            #expect(try await Self.post(#"{"service.version":"1"}"#, at: console).status == 500)
            #expect(try await HTTP.request("GET", "\(console.address)/api/v1/releases").status == 500)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "[{")
            // Pages that also show other things do without.
            #expect(try await console.get("/api/v1/health/releases")["releases"].elements.isEmpty)
        }
    }

    @Test func `an upload may be compressed and may name the release, and its build is found afterwards`() async throws
    {
        let program = try ShopProgram()
        defer { program.remove() }
        let bytes = Array(try Data(contentsOf: program.file))
        try await ConsoleUnderTest.run { console in
            let place = "\(console.address)/api/v1/symbols/\(program.buildID)"
            #expect(try await HTTP.request("GET", place).status == 404)
            #expect(try await HTTP.request("GET", "\(console.address)/api/v1/symbols/nothing").status == 400)
            let packed = try GzipCoder.compress(bytes)
            let more = "&service.version=1.5.0&vcs.ref.head.revision=\(Self.commit)"
            let response = try await Self.upload(packed, more: more, at: console, encoding: "gzip")
            #expect(response.status == 200, "\(response.text)")
            let found = try JSONResponse(try await HTTP.request("GET", place).body)
            #expect(found["name"].text == "shop")
            #expect(found["hasLines"].bool == true)
            let stored = console.console.configuration.symbolsFolder
                .appendingPathComponent("\(program.buildID.prefix(2))/\(program.buildID.dropFirst(2))/image")
            #expect(Array(try Data(contentsOf: stored)) == bytes)
            let release = try await console.get("/api/v1/releases")["releases"][0]
            #expect(release["builds"][0].text == program.buildID)
            #expect(release["vcs.ref.head.revision"].text == Self.commit)
            // A wrong fact is reported, and the symbols are stored all the same.
            let wrong = try await Self.upload(
                bytes, more: "&service.version=1.5.0&vcs.ref.head.revision=x", at: console)
            #expect(wrong.status == 400 && wrong.text.contains("vcs.ref.head.revision"))
            for more in ["&service.version=1.5.0&app.build_id=45", "&app.build_id=45"] {
                let former = try await Self.upload(bytes, more: more, at: console)
                #expect(former.status == 400 && former.text.contains(Self.formerBuild), "\(former.text)")
            }
        }
    }

    @Test func `a body that is damaged, or too large when it is decompressed, leaves nothing`() async throws {
        try await ConsoleUnderTest.run({ $0.limits.symbolBytes = 100_000 }) { console in
            let bomb = try GzipCoder.compress(Array(repeating: 0, count: 1 << 24))
            let whole = try GzipCoder.compress(Array(repeating: 7, count: 1_000))
            for (body, encoding, status) in [
                (bomb, "gzip", 413), (Array(whole.dropLast()), "gzip", 400), (whole + [1], "gzip", 400),
                (Array("plain".utf8), "gzip", 400), (whole, "br", 415), (whole, nil, 400),
                (Array(repeating: 0, count: 100_001), nil, 413),
            ] as [([UInt8], String?, Int)] {
                let response = try await Self.upload(body, at: console, encoding: encoding)
                #expect(response.status == status, "\(encoding ?? "none"): \(response.text)")
            }
            #expect(Self.storedFolders(console) == [])
        }
    }

    @Test func `a small body that becomes very large is refused before it is on disk`() async throws {
        try await ConsoleUnderTest.run { console in
            let bomb = try GzipCoder.compress(Array(repeating: 0, count: 64 << 20))
            #expect(bomb.count < 100_000)
            let response = try await Self.upload(bomb, at: console, encoding: "gzip")
            #expect(response.status == 413)
            #expect(response.text.contains("more than 32 times its length"), "\(response.text)")
            #expect(Self.storedFolders(console) == [])
        }
    }

    @Test func `one sender has few uploads at the same time, and others have theirs`() async throws {
        try await ConsoleUnderTest.run {
            $0.limits.symbolUploads = .init(atOnce: 2, atOnceOfSender: 1)
            $0.limits.connections.bodyWindow = .hours(1)
        } _: { console in
            let slow = try Self.beginUpload("x", at: console)
            let uploads = console.console.responder.services.uploads
            try await eventually("the console has begun the upload") { uploads.underWay.count == 1 }
            let refused = try await Self.upload([1], at: console)
            #expect(refused.status == 503)
            #expect(refused[header: "Retry-After"] == "10")
            // It is let in, and is no image.
            #expect(try await Self.upload([1], at: console, from: "192.0.2.7").status == 400)
            slow.hangUp()
            try await eventually("the place is free") { uploads.underWay.count == 0 }
            #expect(try await Self.upload([1], at: console).status == 400)
        }
    }

    @Test func `all uploads share a size on disk`() async throws {
        try await ConsoleUnderTest.run {
            $0.limits.symbolUploads = .init(bytes: 1_000)
            $0.limits.connections.bodyWindow = .hours(1)
        } _: { console in
            let body = [UInt8](repeating: 1, count: 500)
            #expect(try await Self.upload(body, at: console).status == 400)
            let slow = try Self.beginUpload(String(repeating: "x", count: 800), at: console)
            let uploads = console.console.responder.services.uploads
            try await eventually("the console has written the beginning") { uploads.underWay.bytes == 800 }
            #expect(try await Self.upload(body, at: console).status == 503)
            slow.hangUp()
            try await eventually("the disk is free") { uploads.underWay.bytes == 0 }
            #expect(try await Self.upload(body, at: console).status == 400)
        }
    }

    @Test func `the number and the size of uploads are counted until they end`() throws {
        var table = UploadTable(limits: .init(atOnce: 3, atOnceOfSender: 2, bytes: 100))
        let begun = [table.begin("a"), table.begin("a"), table.begin("a"), table.begin("b"), table.begin("c")]
        #expect(begun.map { $0 == nil } == [false, false, true, false, true])
        let (first, second, third) = (try #require(begun[0]), try #require(begun[1]), try #require(begun[3]))
        #expect(table.grow(first, by: 60) == true)
        #expect(table.grow(third, by: 41) == false)
        #expect(table.grow(third, by: 40) == true)
        table.end(first)
        table.end(second)
        #expect(table.grow(third, by: 60) == true)
        #expect(table.begin("a") != nil)
    }

    @Test func `no name of an upload leaves the folder of the symbols`() async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        let bytes = Array(try Data(contentsOf: program.file))
        try await ConsoleUnderTest.run { console in
            let configuration = console.console.configuration
            let home = configuration.symbolsFolder.deletingLastPathComponent()
            var names = [
                "..", ".", "../shop", "../../keys.json", "a/b", "/etc/passwd", ".hidden", "", "a\u{0}b", "a\nb",
                String(repeating: "n", count: 201),
            ]
            for name in names {
                #expect(try await Self.upload([1], name: name, at: console).status == 400, "\(name)")
            }
            var generator = SeededGenerator(seed: 14)
            let parts = ["..", "/", "\\", "%2e", "%2F", "\u{0}", "~", "shop", " ", "é", ":", "\u{2028}"]
            for _ in 0..<60 {
                names.append((1...5).compactMap { _ in parts.randomElement(using: &generator) }.joined())
            }
            for name in names {
                let response = try await Self.upload(bytes, name: name, at: console)
                #expect([200, 400].contains(response.status), "\(name): \(response.text)")
            }
            #expect(Self.storedFolders(console) == [String(program.buildID.prefix(2))])
            let others = try FileManager.default.contentsOfDirectory(atPath: home.path).filter { name in
                !["symbols", "audit.jsonl", "alerts.json"].contains(name) && !name.hasPrefix("console.sqlite")
            }
            #expect(others == [])
        }
    }

    @Test(arguments: TestedStore.all)
    func `a crash and its version have the commit of the build`(store: TestedStore) async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleUnderTest.run(on: store) { console in
            let trouble = Trouble(program: program)
            try await console.console.store.ingest(logs: trouble.group([try trouble.crash()]))
            func problem() async throws -> JSONResponse {
                let group = try await console.get("/api/v1/health/groups")["groups"][0]["fingerprint"].text ?? ""
                let problem = try await console.get("/api/v1/health/groups/\(group)")["problems"][0]["seq"].int ?? 0
                return try await console.get("/api/v1/health/problems/\(problem)")
            }
            #expect(try await problem()["release"].isMissing)
            // By the version, as long as it has one commit.
            _ = try await Self.post(
                #"{"service.version":"1.5.0","vcs.ref.head.revision":"aaaaaaa"}"#, at: console)
            #expect(try await problem()["release"]["vcs.ref.head.revision"].text == "aaaaaaa")
            _ = try await Self.post(
                #"{"service.version":"1.5.0","vcs.ref.head.revision":"bbbbbbb"}"#, at: console)
            #expect(try await problem()["release"].isMissing)
            // By the build.
            _ = try await Self.post(
                #"{"service.version":"1.5.0","vcs.ref.head.revision":"\#(Self.commit)","builds":["\#(program.buildID)"]}"#,
                at: console)
            #expect(try await problem()["release"]["vcs.ref.head.revision"].text == Self.commit)
            let version = try await console.get("/api/v1/health/releases")["releases"][0]
            #expect(version["version"].text == "1.5.0")
            #expect(version["builds"].elements.count == 3)
        }
    }
}
