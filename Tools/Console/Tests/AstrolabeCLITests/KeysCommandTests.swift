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
        try await ConsolePlug.run(on: folder.appendingPathComponent("console.sqlite").path) { try await body($0) }
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

    @Test func `options that make no sense are refused`() async throws {
        let wrong: [([String], String)] = [
            (["x", "--use", "admin"], "'admin'"), (["x", "--use", "view", "--service", "shop"], "--use ingest"),
            (["", "--use", "view"], "1 to 100 characters"), (["x", "--use", "view", "--rate", "0"], "0.1 to 1000000"),
        ]
        for (options, reason) in wrong {
            let (status, output) = await CommandInProcess.run(["keys", "create"] + options)
            #expect(status != 0 && output.contains(reason), "\(output)")
        }
    }
}
