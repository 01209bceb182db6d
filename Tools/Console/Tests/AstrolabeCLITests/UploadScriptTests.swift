import AstrolabeTestSupport
import BrowserKit
import Foundation
import Testing

@testable import AstrolabeCommands
@testable import TelemetryConsole

/// Tests of `Scripts/upload-symbols` and of `astrolabe release`, against a running console.
@Suite(.timeLimit(.minutes(5))) struct `The script that uploads symbols` {
    private static let commit = "6f1d0c2b9a3e4d5f60718293a4b5c6d7e8f90123"
    private let folder = TestFolders.folder("upload")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var keysPath: String { folder.appendingPathComponent("keys.json").path }
    private var auditPath: String { folder.appendingPathComponent("audit.jsonl").path }

    private func key(for use: String) async throws -> String {
        let (status, output) = await CommandInProcess.run(["keys", "create", "a key", "--use", use, "--file", keysPath])
        #expect(status == 0, "\(output)")
        return try #require(output.split(separator: "\n").first { $0.hasPrefix("astrolabe_") }.map(String.init))
    }

    private func withConsole(
        _ adjust: (inout ConsoleConfiguration) -> Void = { _ in }, _ body: (_ address: String) async throws -> Void,
    ) async throws {
        try await ConsoleSwitch.run(on: folder.appendingPathComponent("console.sqlite").path, adjust, body)
    }

    private func run(_ words: [String], _ environment: [String: String] = [:]) async throws -> (Int32, String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = folder
        var inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ASTROLABE_") }
        inherited["ASTROLABE_UPLOAD_WAIT"] = "0.01"
        process.environment = inherited.merging(environment) { $1 }
        let log = folder.appendingPathComponent("output-\(UUID().uuidString)")
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        let status = await exits.first { _ in true } ?? -1
        return (status, try String(contentsOf: log, encoding: .utf8))
    }

    private func upload(_ words: String..., key: String? = nil, to address: String) async throws -> (Int32, String) {
        let python = ProcessInfo.processInfo.environment["ASTROLABE_PYTHON"] ?? "python3"
        let script = Repository.file("Scripts/upload-symbols").path
        let result = try await run(
            [python, script, "--to", address] + words, key.map { ["ASTROLABE_KEY": $0] } ?? [:])
        if let key { #expect(!result.1.contains(key.suffix(20))) }
        return result
    }

    private func uploads() -> Int {
        ((try? String(contentsOfFile: auditPath, encoding: .utf8)) ?? "").ranges(of: "\"symbols-uploaded\"").count
    }

    @Test func `sends what the console does not have, and records the release with its commit`() async throws {
        let (right, viewer) = (try await key(for: "symbols"), try await key(for: "view"))
        let program = try await BuiltProgram.shared()
        try await withConsole { address in
            let options = ["--app-version", "2.1.0", "--build", "45", "--commit", Self.commit]
            let (status, output) = try await upload(
                options[0], options[1], options[2], options[3], options[4], options[5], "--repository",
                "git@git.example.com:shop/app.git", program.folder.path, key: right, to: address)
            #expect(status == 0)
            #expect(output.contains("added    tiny + shop  \(program.build)"), "\(output)")
            #expect(output.contains("recorded 2.1.0 (45), commit 6f1d0c2"))
            #expect(uploads() == 1)
            let again = try await upload(program.folder.path, "--app-version", "2.1.0", key: right, to: address)
            #expect(again.1.contains("exists   tiny + shop"), "\(again.1)")
            #expect(uploads() == 1)
            let response = try await HTTP.request(
                "GET", "\(address)/api/v1/releases", headers: ["Authorization": "Bearer \(viewer)"])
            let release = try JSONResponse(response.body)["releases"][0]
            #expect(release["builds"].elements.map(\.text) == [program.build])
            #expect(release["vcs.ref.head.revision"].text == Self.commit)
            #expect(release["vcs.repository.url.full"].text == "https://git.example.com/shop/app")
        }
    }

    @Test func `says what is wrong and breaks no build, unless it is strict`() async throws {
        let (right, wrong) = (try await key(for: "symbols"), try await key(for: "ingest"))
        let program = try await BuiltProgram.shared()
        try await withConsole({ $0.limits.symbolBytes = 100 }) { address in
            let expected: [(key: String?, text: String)] = [
                (nil, "no key. Set ASTROLABE_KEY"), ("astrolabe_symbols_guess", "refused the key"),
                (wrong, "the key is for another use"), (right, "tiny + shop is too large for the console"),
            ]
            for (key, text) in expected {
                let (status, output) = try await upload(program.file.path, key: key, to: address)
                #expect(
                    status == 0 && output.contains("warning: upload-symbols: ") && output.contains(text), "\(output)")
                let strict = try await upload("--strict", program.file.path, key: key, to: address)
                #expect(strict.0 == 1 && strict.1.contains("error: upload-symbols: "), "\(strict.1)")
            }
        }
        let (status, output) = try await upload(program.file.path, key: right, to: "http://127.0.0.1:1")
        #expect(status == 0 && output.contains("after 5 tries"), "\(output)")
    }

    @Test func `needs no key where the console has none, as the command for releases`() async throws {
        let program = try await BuiltProgram.shared()
        try await withConsole { address in
            let (status, output) = try await upload("--strict", program.file.path, to: address)
            #expect(status == 0 && output.contains("added    tiny + shop"), "\(output)")
            let released = await CommandInProcess.run([
                "release", "2.1.0", "--commit", Self.commit, "--time", "2026-01-02T03:04:05Z", "--console", address,
            ])
            #expect(released.status == 0 && released.output.contains("recorded 2.1.0, commit 6f1d0c2"))
            let refused = await CommandInProcess.run(["release", "2.1.0", "--commit", "main", "--console", address])
            #expect(refused.status == 1 && refused.output.contains("vcs.ref.head.revision: expected 7 to 64"))
            let list = try JSONResponse(try await HTTP.request("GET", "\(address)/api/v1/releases").body)
            #expect(list["releases"].elements.map { $0["timeUs"].int } == [1_767_323_045_000_000])
        }
    }
}
