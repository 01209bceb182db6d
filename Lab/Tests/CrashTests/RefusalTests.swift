import AstrolabeSemantics
import AstrolabeTestSupport
import Foundation
import Testing

/// What is left on the disk of an app whose user refuses consent, with the health files, the replay, and every folder
/// that the system gives a process.
@Suite(.timeLimit(.minutes(5))) struct `A refusal` {
    private static let canary = "canary-4f1d77"

    @Test(arguments: ["pending", "granted"])
    func `leaves nothing of records, replays, health files and an earlier crash`(consent: String) throws {
        let app = try CrashingApp()
        let folders = ["HOME", "TMPDIR", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]
        var environment = ["FIXTURE_CONSENT": consent, "FIXTURE_CANARY": Self.canary]
        for folder in folders {
            environment[folder] = app.folder.path + "/" + folder
            try FileManager.default.createDirectory(
                atPath: app.folder.path + "/" + folder, withIntermediateDirectories: true, )
        }
        let crash = try app.run("canary-crash", environment: environment)
        #expect(crash.terminationStatus == SIGSEGV)
        let stored = app.files(with: Self.canary)
        #expect(stored.contains { $0.hasSuffix(".run") }, "the health file of the crash has it")
        #expect(stored.contains { !$0.hasSuffix(".run") }, "so have the records")
        #expect(!app.files(with: EventName.replay).isEmpty)

        let refusal = try app.run("canary-refusal", environment: environment)
        #expect(refusal.terminationStatus == 0)
        #expect(app.note("refused") == "true")
        #expect(app.files(with: Self.canary) == [])
        #expect(app.files(with: EventName.replay) == [])
        #expect(app.files(with: app.note("session")).map { ($0 as NSString).lastPathComponent } == ["note-session"])
        let left = app.folder.files.map { ($0 as NSString).lastPathComponent }.filter { !$0.hasPrefix("note-") }
        #expect(left == ["consent"])
        // The SDK wrote nowhere else.
        let written = app.note("written").split(separator: "\n").map(String.init)
        #expect(written.contains { $0.hasSuffix(".run") })
        #expect(written.filter { !$0.hasPrefix(app.folder.path + "/storage/") } == [])
        // What a signal handler or a thread may still use is deleted, and gone when the process ends.
        let open = app.note("written-after").split(separator: "\n")
        #expect(open.filter { !$0.hasSuffix(" (deleted)") } == [])
        #expect(app.events.isEmpty == (consent == "pending"))
    }
}

extension CrashingApp {
    /// The files below the folder that contain a text.
    fileprivate func files(with text: String) -> [String] {
        folder.files.filter { path in
            (try? Data(contentsOf: URL(fileURLWithPath: path)))?.firstRange(of: Data(text.utf8)) != nil
        }
    }
}
