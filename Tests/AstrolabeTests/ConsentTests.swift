import Astrolabe
import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

private let canary = "canary-4f1d77"
/// The files that are left after a refusal.
private let decision = ["astrolabe-telemetry/consent"]

/// An app with a folder of its own, and a server that keeps what it gets.
private final class ConsentApp: Sendable {
    let folder = temporaryFolder()
    private let state = Locked(
        (requests: 0, names: [String](), resources: [Attributes](), scopes: [String](), users: [String]()))
    /// Requests wait for their cancellation.
    let isBlocked = Locked(false)
    let arrivals = AsyncStream.makeStream(of: Void.self)

    deinit { try? FileManager.default.removeItem(at: folder) }

    func start(_ consent: TelemetryConsent = .granted) -> Telemetry {
        var configuration = TelemetryConfiguration.quiet("consent", in: folder)
        configuration.health.isEnabled = false
        configuration.resourceAttributes["demo.user"] = .string(canary)
        configuration.consent = consent
        return Telemetry.start(configuration, transport: self)
    }

    /// Records of every kind with the canary in them.
    func use(_ telemetry: Telemetry, _ name: String) {
        telemetry.logger("app").emit(name, attributes: ["demo.canary": canary])
        telemetry.tracer("app").withSpan(name) { $0.setAttribute("demo.canary", canary) }
        telemetry.meter("app").counter(name).add(1, attributes: ["demo.canary": canary])
        telemetry.addBreadcrumb(canary)
        telemetry.setUser(id: canary)
    }

    var requests: Int { state.withLock { $0.requests } }
    /// The names of the events that arrived.
    var names: [String] { state.withLock { $0.names } }
    var installations: [String] {
        state.withLock { $0.resources.compactMap { $0["app.installation.id"]?.stringValue } }
    }
    /// The user's identifiers on the events that arrived.
    var users: [String] { state.withLock { $0.users } }
    var scopes: Set<String> { state.withLock { Set($0.scopes) } }

    /// The files in the folder that contain a text, and all files.
    func files(with text: String) -> (found: [String], all: [String]) {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let files = paths.filter { !PrivateFiles.isDirectory(folder.path + "/" + $0) }
        let found = files.filter { path in
            (try? Data(contentsOf: folder.appendingPathComponent(path)))?.firstRange(of: Data(text.utf8)) != nil
        }
        return (found, files)
    }
}

extension ConsentApp: OTLPTransport {
    func send(_ request: OTLPRequest) async -> SendResult {
        if isBlocked.withLock({ $0 }) {
            arrivals.continuation.yield()
            // Ends when the request's task is cancelled.
            let (never, end) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
            end.finish()
            return .unreachable("cancelled")
        }
        state.withLock { state in
            state.requests += 1
            guard request.url.path.hasSuffix("logs"), let groups = try? OTLPDecoder.logs(protobuf: request.body) else {
                return
            }
            for group in groups {
                state.resources.append(group.resource.attributes)
                state.scopes += group.scopes.map(\.scope.name)
                let records = group.scopes.flatMap(\.records)
                state.names += records.map(\.eventName)
                state.users += records.compactMap { $0.attributes["user.id"]?.stringValue }
            }
        }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The user's consent` {
    private let app = ConsentApp()

    @Test func `pending keeps records on the disk, and granted delivers them`() async {
        let telemetry = app.start(.pending)
        app.use(telemetry, "before")
        let report = await telemetry.flush()
        #expect(app.requests == 0)
        #expect(report.blockers == [.waitingForConsent])
        #expect(!app.files(with: canary).found.isEmpty)
        await telemetry.setConsent(.granted)
        await telemetry.flush()
        #expect(app.names.count { $0 == "before" } == 1)
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `pending holds over a restart, and granted then delivers what earlier launches recorded`() async {
        for name in ["first", "second"] {
            let telemetry = app.start(.pending)
            app.use(telemetry, name)
            await telemetry.shutdown()
        }
        #expect(app.requests == 0)
        let telemetry = app.start(.pending)
        await telemetry.setConsent(.granted)
        await telemetry.flush()
        await telemetry.shutdown()
        #expect(Set(app.names).isSuperset(of: ["first", "second"]))
        let next = app.start(.pending)
        #expect(next.consent == .granted)
        app.use(next, "third")
        await next.shutdown()
        #expect(app.names.contains("third"))
    }

    @Test(arguments: [TelemetryConsent.pending, .granted])
    func `denied deletes every byte at once, and sends nothing, also after a restart`(before: TelemetryConsent) async {
        let telemetry = app.start(before)
        app.use(telemetry, "before")
        if before == .pending { await telemetry.flush() }
        let session = telemetry.session.current?.id ?? "no session"
        let installation = telemetry.installationID
        #expect(!app.files(with: canary).found.isEmpty)
        #expect(!app.files(with: installation).found.isEmpty)
        await telemetry.setConsent(.denied)
        let sent = app.requests
        #expect(app.files(with: canary).found == [])
        #expect(app.files(with: session).found == [])
        #expect(app.files(with: installation).found == [])
        #expect(app.files(with: "").all == decision)
        #expect(telemetry.session.current == nil)
        #expect(telemetry.installationID == "")
        app.use(telemetry, "after")
        telemetry.session.recordUserActivity()
        await telemetry.flush()
        await telemetry.shutdown()
        // The configuration's consent is granted: the stored decision wins.
        let next = app.start()
        #expect(next.consent == .denied)
        #expect(next.deviceAttributes.isEmpty && next.policyDecision == nil)
        app.use(next, "next")
        await next.flush()
        await next.shutdown()
        #expect(app.requests == sent)
        #expect(app.files(with: "").all == decision)
    }

    @Test func `denied cancels the request in progress`() async {
        let telemetry = app.start()
        app.isBlocked.withLock { $0 = true }
        app.use(telemetry, "before")
        let flush = Task { await telemetry.flush() }
        for await _ in app.arrivals.stream { break }
        await telemetry.setConsent(.denied)
        app.isBlocked.withLock { $0 = false }
        _ = await flush.value
        #expect(app.requests == 0)
        #expect(app.files(with: "").all == decision)
        await telemetry.shutdown()
    }

    @Test func `denied in the configuration deletes what earlier launches left`() async throws {
        let first = app.start(.pending)
        app.use(first, "first")
        await first.shutdown()
        let health = app.folder.appendingPathComponent("astrolabe-telemetry/health")
        try FileManager.default.createDirectory(at: health, withIntermediateDirectories: true)
        try Data(canary.utf8).write(to: health.appendingPathComponent("old.run"))
        let telemetry = app.start(.denied)
        #expect(app.files(with: "").all == [])
        app.use(telemetry, "second")
        await telemetry.shutdown()
        #expect(app.requests == 0)
        #expect(app.files(with: "").all == [])
    }

    @Test func `denied forgets the user, and takes no other one until there is consent`() async {
        let telemetry = app.start()
        telemetry.setUser(id: "before")
        await telemetry.setConsent(.denied)
        telemetry.setUser(id: "refused")
        await telemetry.setConsent(.granted)
        app.use(telemetry, "nobody")
        telemetry.clearUser()
        telemetry.setUser(id: "after")
        telemetry.logger("app").emit("cart.opened")
        await telemetry.flush()
        await telemetry.shutdown()
        #expect(app.names.contains("nobody"))
        #expect(Set(app.users) == ["after"])
    }

    @Test(arguments: [true, false])
    func `consent after a refusal records and sends with a new session and a new installation`(wasAsked: Bool) async {
        let telemetry = app.start(.pending)
        app.use(telemetry, "before")
        let (session, installation) = (telemetry.session.current?.id, telemetry.installationID)
        let logger = telemetry.logger("kept")
        logger.emit("kept before")
        await telemetry.setConsent(.denied)
        logger.emit("kept refused")
        app.use(telemetry, "refused")
        if wasAsked { await telemetry.setConsent(.pending) }
        if wasAsked {
            app.use(telemetry, "pending")
            await telemetry.flush()
            #expect(app.requests == 0)
        }
        await telemetry.setConsent(.granted)
        logger.emit("kept after")
        telemetry.logger("new").emit("after")
        app.use(telemetry, "after")
        await telemetry.flush()
        #expect(telemetry.session.current?.id != session)
        #expect(telemetry.installationID != installation)
        #expect(Set(app.installations) == [telemetry.installationID])
        #expect(Set(app.names).isDisjoint(with: ["before", "refused", "kept before", "kept refused"]))
        #expect(Set(app.names).isSuperset(of: ["after", "kept after", "session.start"]))
        #expect(app.names.contains("pending") == wasAsked)
        #expect(app.scopes.isSuperset(of: ["app", "kept", "new", "astrolabe.sessions"]))
        await telemetry.shutdown()
    }

    @Test func `pending after granted stops the sending`() async {
        let telemetry = app.start()
        app.use(telemetry, "granted")
        await telemetry.flush()
        await telemetry.setConsent(.pending)
        let sent = app.requests
        app.use(telemetry, "pending")
        await telemetry.flush()
        await telemetry.shutdown()
        #expect(app.requests == sent)
        #expect(app.names.contains("granted"))
    }

    @Test func `changes at the same time end with the last one`() async {
        let telemetry = app.start(.pending)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Thoroughness.count(5, thorough: 20) {
                group.addTask { await telemetry.setConsent(.granted) }
                group.addTask { await telemetry.setConsent(.denied) }
            }
        }
        await telemetry.setConsent(.denied)
        #expect(app.files(with: "").all == decision)
        await telemetry.setConsent(.granted)
        app.use(telemetry, "last")
        await telemetry.flush()
        #expect(app.names.contains("last"))
        await telemetry.shutdown()
    }

    @Test func `a shutdown without sending makes no request, and a second start delivers`() async {
        let telemetry = app.start()
        app.use(telemetry, "first")
        await telemetry.shutdown(sending: false)
        let sent = app.requests
        #expect(!app.names.contains("first"))
        let second = app.start()
        app.use(second, "second")
        await second.flush()
        #expect(app.requests > sent)
        #expect(Set(app.names).isSuperset(of: ["first", "second"]))
        await second.shutdown()
    }
}
