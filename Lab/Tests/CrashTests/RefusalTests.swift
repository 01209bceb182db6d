import AstrolabeSemantics
import AstrolabeTestSupport
import Foundation
import Testing

/// The files on the disk of an app whose user refuses consent, with the health files, the replay, and every folder that
/// the system gives a process.
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
                atPath: app.folder.path + "/" + folder, withIntermediateDirectories: true)
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

    @Test func `has nothing written into files of the app by a handler that another reporter still calls`() throws {
        let app = try CrashingApp()
        let crash = try app.run("passed-on-after-refusal")
        #expect(crash.terminationReason == .uncaughtSignal && crash.terminationStatus == SIGSEGV)
        for number in 0..<64 {
            let content = try Data(contentsOf: URL(fileURLWithPath: app.folder.path + "/app-\(number)"))
            #expect(content == Data("mine".utf8))
        }
        #expect(try app.report().named(EventName.appCrash).isEmpty)
    }

    @Test func `and a consent make no circle of the handlers of two reporters`() throws {
        let app = try CrashingApp()
        let crash = try app.run("passed-on-after-consent")
        #expect(crash.terminationReason == .uncaughtSignal && crash.terminationStatus == SIGSEGV)
        #expect(try app.report().named(EventName.appCrash).count == 1)
    }

    /// An app that goes through some states and is killed, or crashes, in the last one. Its next launch reports.
    @Test(arguments: KilledPath.all)
    func `holds over a kill and a crash, whatever came before and comes after`(path: KilledPath) throws {
        let app = try CrashingApp()
        let environment = [
            "FIXTURE_CONSENT": path.states[0], "FIXTURE_CANARY": Self.canary,
            "FIXTURE_STATES": path.states.joined(separator: ","), "FIXTURE_END": path.end,
        ]
        try app.run("canary-states", environment: environment)
        let isDenied = path.states.last == "denied"
        let refusal = path.states.lastIndex(of: "denied") ?? -1
        // The texts and sessions that a refusal has erased, or that were made while it held.
        let erased = path.states.indices.filter { $0 <= refusal }.flatMap { index in
            ["\(Self.canary)-\(index)-\(path.states[index])", app.note("session-\(index)")].filter { !$0.isEmpty }
        }
        let before = app.bodies.count
        for text in erased {
            #expect(app.files(with: text).filter { !($0 as NSString).lastPathComponent.hasPrefix("note-") } == [])
        }
        // Agrees if the user has not decided, so that everything that is stored is sent.
        let next = ["FIXTURE_CONSENT": isDenied && path.states.count == 1 ? "denied" : "granted"]
        _ = try app.report(environment: next)
        func arrived(_ text: String, after count: Int = 0) -> Bool {
            app.bodies.dropFirst(count).contains { Data($0).firstRange(of: Data(text.utf8)) != nil }
        }
        // What the user had agreed to may have been sent before the refusal.
        for text in erased { #expect(!arrived(text, after: before), "\(text)") }
        for (index, state) in path.states.enumerated() where state == "denied" {
            #expect(!arrived("\(Self.canary)-\(index)-denied"))
        }
        let last = path.states.count - 1
        #expect(arrived("\(Self.canary)-\(last)-\(path.states[last])") == !isDenied)
    }
}

/// States of consent, and the end of the process in the last one.
struct KilledPath: CustomTestStringConvertible {
    let states: [String]
    let end: String
    var testDescription: String { states.joined(separator: ", ") + ", " + end }

    static let all = [
        ["granted"], ["denied"], ["granted", "denied"], ["pending", "denied"], ["denied", "granted"],
        ["denied", "pending", "granted"], ["granted", "denied", "granted"], ["pending", "denied", "granted"],
    ]
    .flatMap { states in ["killed", "null-dereference"].map { KilledPath(states: states, end: $0) } }
}
