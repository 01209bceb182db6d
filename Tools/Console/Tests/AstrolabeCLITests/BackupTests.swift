import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

@testable import AstrolabeCommands

@Suite(.timeLimit(.minutes(5))) struct `A copy of the database` {
    private let folder = TemporaryDirectory()

    @Test func `made under ingest has all that was acknowledged before, and a console starts on it`() async throws {
        try PrivateFiles.makeDirectory(folder.path)
        let database = folder.path + "/console.sqlite"
        let (copy, restored) = (folder.path + "/copy.sqlite", folder.path + "/restored.sqlite")
        let console = try await RunningConsole(database: database, [])
        let url = "http://127.0.0.1:\(console.port)/v1/logs"
        let (acknowledgements, acknowledged) = AsyncStream.makeStream(of: Int.self)
        let isDone = Locked(false)
        let sender = Task {
            defer { acknowledged.finish() }
            for number in 0... {
                if isDone.withLock({ $0 }) { return }
                let response = try await HTTP.request(
                    "POST", url, headers: ["Content-Type": "application/json"], body: Self.body(number).bytes)
                #expect(response.status == 200)
                acknowledged.yield(number)
            }
        }
        // The sender goes on while the copy is made.
        let last = await acknowledgements.first { $0 == 50 }
        #expect(last == 50)
        let backup = await CommandInProcess.run(["backup", "--database", database, "--to", copy])
        #expect(backup.status == 0, "\(backup.output)")
        // A request that is cancelled may never return.
        isDone.withLock { $0 = true }
        try await sender.value
        console.terminate()
        #expect(await console.status() == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)

        let occupied = await CommandInProcess.run(["restore", "--from", copy, "--database", database])
        #expect(occupied.status == 1 && occupied.output.contains("exists. Stop the console"), "\(occupied.output)")
        let restore = await CommandInProcess.run(["restore", "--from", copy, "--database", restored])
        #expect(restore.status == 0, "\(restore.output)")
        try await ConsoleSwitch.run(on: restored) { address in
            for number in 0...50 {
                let response = try await HTTP.request("GET", "\(address)/api/v1/sessions/s-\(number)")
                #expect(response.status == 200)
            }
        }
    }

    @Test func `is not made of another file, and leaves nothing behind`() async throws {
        try PrivateFiles.makeDirectory(folder.path)
        let (other, copy) = (folder.path + "/other", folder.path + "/copy.sqlite")
        try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: other))
        #expect(throws: StoreError.self) { try StoreCopy.make(of: other, at: copy) }
        #expect(throws: StoreError.missing(path: folder.path + "/none")) {
            try StoreCopy.make(of: folder.path + "/none", at: copy)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["other"])
    }

    @Test func `is restored only if a console could work with it`() async throws {
        try PrivateFiles.makeDirectory(folder.path)
        let (empty, database) = (folder.path + "/empty.sqlite", folder.path + "/console.sqlite")
        try Data().write(to: URL(fileURLWithPath: empty))
        let restore = await CommandInProcess.run(["restore", "--from", empty, "--database", database])
        #expect(restore.status == 1)
        #expect(
            restore.output == """
                astrolabe: cannot copy \(empty): it has no tables of a console. Expected the database of a console, or \
                a copy that astrolabe backup wrote.

                """)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["empty.sqlite"])
    }

    private static func body(_ number: Int) -> JSON {
        let session: JSON = ["key": "session.id", "value": ["stringValue": .string("s-\(number)")]]
        let record: JSON = [
            "timeUnixNano": "1700000000000000000", "eventName": "demo.hello", "attributes": [session],
        ]
        return ["resourceLogs": [["scopeLogs": [["logRecords": [record]]]]]]
    }
}
