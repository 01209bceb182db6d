import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import Astrolabe

/// An app and its extension, which share the user's decision and nothing else.
@Suite(.timeLimit(.minutes(5))) struct `A decision of two processes` {
    private let app = WallApp()
    private let other = WallApp()

    /// Starts one of the two. The decision is in the app's folder.
    private func start(_ one: WallApp) -> Telemetry {
        var configuration = one.configuration(.granted)
        configuration.consentDirectory = app.folder
        return Telemetry.start(configuration, transport: one)
    }

    private func hasSent(_ text: String, _ one: WallApp) -> Bool {
        one.sent.contains { Data($0).firstRange(of: Data(text.utf8)) != nil }
    }

    @Test func `leaves nothing of before a refusal that was taken back while the other one did not run`() async {
        let first = start(other)
        let installation = first.installationID
        _ = other.use(first, "canary-before")
        await first.shutdown(sending: false)
        #expect(!other.files(with: "canary-before").isEmpty)
        let telemetry = start(app)
        await telemetry.setConsent(.denied)
        await telemetry.setConsent(.granted)
        await telemetry.shutdown(timeout: .zero)

        let second = start(other)
        #expect(second.consent == .granted)
        #expect(second.installationID != installation)
        #expect(other.files(with: "canary-before") == [])
        _ = other.use(second, "canary-after")
        await second.shutdown(sending: false)

        // Once for each consent.
        let third = start(other)
        #expect(third.installationID == second.installationID)
        await third.flush()
        await third.shutdown()
        #expect(hasSent("canary-after", other))
        #expect(!hasSent("canary-before", other))
    }

    @Test func `makes a running process start again if a refusal was taken back between its flushes`() async throws {
        let (telemetry, another) = (start(app), start(other))
        let installation = another.installationID
        _ = other.use(another, "canary-before")
        await telemetry.setConsent(.denied)
        await telemetry.setConsent(.granted)
        await another.flush()
        try await eventually("the other one begins again") {
            !another.installationID.isEmpty && another.installationID != installation
        }
        #expect(another.consent == .granted)
        _ = other.use(another, "canary-after")
        await another.flush()
        #expect(hasSent("canary-after", other))
        #expect(!hasSent("canary-before", other))
        #expect(other.files(with: "canary-before") == [])
        // Who follows a decision does not change it.
        await telemetry.flush()
        #expect(telemetry.consent == .granted)
        await telemetry.shutdown()
        await another.shutdown()
    }

    @Test func `that a full disk has emptied is a refusal for a running process too`() async throws {
        let another = start(other)
        _ = other.use(another, "canary-before")
        let folder = app.folder.appendingPathComponent("astrolabe-telemetry")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appendingPathComponent("consent"))
        await another.flush()
        try await eventually("the other one follows") { another.consent == .denied && other.files.isEmpty }
        #expect(other.sent.isEmpty)
        await another.shutdown()
    }

    @Test func `takes from an earlier version's folders only what the SDK has named`() async throws {
        let first = app.start(.pending)
        _ = app.use(first, "canary-early")
        await first.shutdown()
        let own = app.folder.path + "/astrolabe-telemetry"
        // They had no flight recorder.
        for name in PrivateFiles.names(in: own) where name != "recorder" {
            try PrivateFiles.move(own + "/" + name, to: app.folder.path + "/" + name)
        }
        let diary = app.folder.appendingPathComponent("journal/monday.txt")
        try PrivateFiles.makeDirectory(app.folder.path + "/journal")
        try Data("mine".utf8).write(to: diary)
        let second = app.start(.pending)
        #expect(app.files.filter { !$0.hasPrefix("astrolabe-telemetry/") } == ["journal/monday.txt"])
        #expect(second.installationID == first.installationID)
        await second.setConsent(.denied)
        await second.shutdown()
        #expect(app.files == ["astrolabe-telemetry/consent", "journal/monday.txt"])
    }

    @Test(arguments: [true, false])
    func `takes no folder of the app beside a file that reads like a decision`(isServer: Bool) async throws {
        try PrivateFiles.makeDirectory(app.folder.path + "/journal")
        for name in ["journal/monday.txt", "queue.db", "session"] {
            try Data("mine".utf8).write(to: app.folder.appendingPathComponent(name))
        }
        try Data("granted".utf8).write(to: app.folder.appendingPathComponent("consent"))
        var configuration = app.configuration(.granted)
        configuration.isServer = isServer
        let telemetry = Telemetry.start(configuration, transport: app)
        await telemetry.setConsent(.denied)
        await telemetry.shutdown()
        let own = ["consent", "journal/monday.txt", "queue.db", "session"]
        #expect(app.files == ["astrolabe-telemetry/consent"] + own)
    }

    @Test func `names nobody from the moment of a refusal, before anything has ended`() async throws {
        let telemetry = app.start(.granted)
        #expect(!telemetry.installationID.isEmpty && telemetry.session.current != nil)
        telemetry.close(try #require(telemetry.setup))
        #expect(telemetry.installationID.isEmpty && telemetry.session.current == nil)
        #expect(telemetry.resource == Resource())
        await telemetry.setConsent(.denied)
        await telemetry.shutdown()
    }

    @Test func `does not begin with a file that a refusal could not delete`() throws {
        let store = ConsentStore(app.configuration(.granted))
        try PrivateFiles.makeDirectory(store.folder.path)
        let file = store.folder.appendingPathComponent("queue.db")
        try Data("canary-before".utf8).write(to: file)
        try store.claim(since: 5) { Issue.record("\($0)") }
        #expect(PrivateFiles.names(in: store.folder.path) == ["agreed"])
        try Data("canary-after".utf8).write(to: file)
        try store.claim(since: 5) { Issue.record("\($0)") }
        #expect(app.files(with: "canary-after") == ["astrolabe-telemetry/queue.db"])
    }
}
