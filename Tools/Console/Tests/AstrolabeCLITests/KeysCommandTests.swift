import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeCommands
@testable import TelemetryConsole

/// Tests of keys by commands, against a running console.
@Suite(.timeLimit(.minutes(5))) struct `The keys command` {
    private let folder = TestFolders.folder("keys")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Makes a key and returns its text.
    private func create(_ name: String, _ options: String...) async throws -> String {
        let file = folder.appendingPathComponent("keys.json").path
        let (status, output) = await CommandInProcess.run(["keys", "create", name, "--file", file] + options)
        #expect(status == 0, "\(output)")
        return try #require(output.split(separator: "\n").first { $0.hasPrefix("astrolabe_") }.map(String.init))
    }

    /// Runs a console that has keys from its first request on.
    private func withConsole(_ body: (_ address: String) async throws -> Void) async throws {
        try await ConsoleSwitch.run(on: folder.appendingPathComponent("console.sqlite").path) { try await body($0) }
    }

    @Test func `makes keys that commands use, lists them, and revokes them`() async throws {
        let sender = try await create("shop app", "--use", "ingest")
        let viewer = try await create("Ada", "--use", "view")
        try await withConsole { address in
            let history = ["history", "--sessions", "3", "--console", address]
            let refused = await CommandInProcess.run(history)
            #expect(refused.status == 1 && refused.output.contains("HTTP 401"))
            let wrong = await CommandInProcess.run(history, key: viewer)
            #expect(wrong.status == 1 && wrong.output.contains("HTTP 403"))
            let sent = await CommandInProcess.run(history, key: sender)
            #expect(sent.status == 0, "\(sent.output)")
            let query = ["query", "count of sessions last 72h", "--console", address]
            let unsigned = await CommandInProcess.run(query)
            #expect(unsigned.status == 1 && unsigned.output.contains("set ASTROLABE_KEY"))
            let answer = await CommandInProcess.run(query, key: viewer)
            #expect(answer.status == 0 && answer.output.contains("3"), "\(answer.output)")
            let file = folder.appendingPathComponent("keys.json").path
            let list = await CommandInProcess.run(["keys", "list", "--file", file])
            #expect(list.output.contains("ingest  shop app") && list.output.contains("view  Ada"))
            #expect(!list.output.contains(sender.suffix(20)))
            let id = try #require(list.output.split(separator: "\n").first { $0.contains("Ada") }?.prefix(8))
            #expect(await CommandInProcess.run(["keys", "revoke", String(id), "--file", file]).status == 0)
            try await eventually("the console follows the revocation") {
                await CommandInProcess.run(query, key: viewer).status != 0
            }
            let revoked = await CommandInProcess.run(query, key: viewer)
            #expect(revoked.output.contains("key \(id) was revoked"))
            let unknown = await CommandInProcess.run(["keys", "revoke", "00000000", "--file", file])
            #expect(unknown.status == 1 && unknown.output.contains("no key has the id 00000000"))
        }
    }

    @Test func `lists when keys expire and when they were used last`() async throws {
        let end = (Date() + 90 * 86_400).formatted(.iso8601)
        let viewer = try await create("Ada", "--use", "view", "--expires", end)
        _ = try await create("Grace", "--use", "view")
        let tomorrow = (Date() + 86_400).formatted(.iso8601)
        _ = try await create("guest", "--use", "view", "--expires", tomorrow)
        let file = folder.appendingPathComponent("keys.json").path
        let stored = try String(contentsOfFile: file, encoding: .utf8)
        try stored.replacing(tomorrow, with: "2023-11-14T22:13:20Z")
            .write(toFile: file, atomically: true, encoding: .utf8)
        try await withConsole { address in
            let query = ["query", "count of sessions last 72h", "--console", address]
            #expect(await CommandInProcess.run(query, key: viewer).status == 0)
        }
        let list = await CommandInProcess.run(["keys", "list", "--file", file]).output.split(separator: "\n")
        try #require(list.count == 3, "\(list)")
        #expect(list[0].contains("view  Ada  valid since"))
        #expect(list[0].contains(", expires \(end)  last used 2"))
        #expect(list[1].hasSuffix("no use recorded"))
        #expect(list[2].contains("guest  expired 2023-11-14T22:13:20Z"))
    }

    @Test func `the end of a key is a time from now or a time of ISO 8601, and never one that is over`() {
        let now = Date(timeIntervalSince1970: 1_900_000_000)
        #expect(KeyExpiry("12h", from: now)?.time == now + 12 * 3_600)
        #expect(KeyExpiry("90d", from: now)?.time == now + 90 * 86_400)
        #expect(KeyExpiry("2030-03-18T00:00:00Z", from: now)?.time == now + 22_400)
        for text in ["", "d", "90", "-1d", "0h", "3651d", "90m", "2030-03-17T00:00:00Z", "2030-03-31", "soon", "1e9d"] {
            #expect(KeyExpiry(text, from: now) == nil, "\(text)")
        }
    }

    @Test func `symbols are uploaded with a key for symbols, and stored once`() async throws {
        let key = try await create("build server", "--use", "symbols")
        let sender = try await create("shop app", "--use", "ingest")
        let program = try await BuiltProgram.shared()
        try await withConsole { address in
            let upload = ["symbols", "upload", "--to", address, program.file.path]
            let refused = await CommandInProcess.run(upload, key: sender)
            #expect(refused.status == 1 && refused.output.contains("expected one for symbols"))
            let added = await CommandInProcess.run(upload, key: key)
            #expect(added.status == 0 && added.output.contains("added"), "\(added.output)")
            let again = await CommandInProcess.run(upload, key: key)
            #expect(again.status == 0 && again.output.contains("exists"))
            let symbols = folder.appendingPathComponent("symbols").path
            let list = await CommandInProcess.run(["symbols", "list", "--folder", symbols])
            #expect(list.output.contains("tiny + shop"))
            let source = program.source.path
            let useless = await CommandInProcess.run(["symbols", "upload", "--to", address, source], key: key)
            #expect(useless.status == 1 && useless.output.contains("main.swift has no debug symbols"))
            // What was received and not stored is gone.
            let left = try FileManager.default.contentsOfDirectory(atPath: symbols)
            #expect(left.allSatisfy { $0.utf8.count == 2 }, "\(left)")
        }
    }

    @Test func `finds the files of the console whose database is named, and says where they are`() async throws {
        let database = folder.appendingPathComponent("elsewhere/console.sqlite").path
        let keys = folder.appendingPathComponent("elsewhere/keys.json").path
        for (options, environment) in [
            (["--database", database], [:]), ([], ["ASTROLABE_CONSOLE_DATABASE": database]),
        ] as [([String], [String: String])] {
            let made = await CommandInProcess.run(
                ["keys", "create", "Ada", "--use", "view"] + options, environment: environment)
            #expect(made.status == 0 && made.output.contains(" \(keys)"), "\(made.output)")
            let list = await CommandInProcess.run(["symbols", "list"] + options, environment: environment)
            #expect(list.output.contains("No symbols in \(folder.path)/elsewhere/symbols."), "\(list.output)")
        }
        let made = await CommandInProcess.run(["keys", "list", "--database", database]).output
        #expect(made.split(separator: "\n").count == 2, "\(made)")
        let bare = folder.appendingPathComponent("bare/keys.json").path
        let note = ConsoleFiles.note(keysPath: bare, elsewhere: keys)
        #expect(note?.contains("\(bare) has no key") == true && note?.contains(keys) == true)
        #expect(ConsoleFiles.note(keysPath: keys, elsewhere: bare) == nil)
    }

    @Test func `options that make no sense are refused`() async throws {
        let wrong: [([String], String)] = [
            (["x", "--use", "admin"], "'admin'"), (["x", "--use", "view", "--service", "shop"], "--use policy"),
            (["", "--use", "view"], "1 to 100 characters"), (["x", "--use", "view", "--rate", "0"], "0.1 to 1000000"),
            (["x", "--use", "view", "--expires", "2020-01-01T00:00:00Z"], "a time from now"),
        ]
        for (options, reason) in wrong {
            let (status, output) = await CommandInProcess.run(["keys", "create"] + options)
            #expect(status != 0 && output.contains(reason), "\(output)")
        }
    }
}
