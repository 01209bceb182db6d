import Astrolabe
import AstrolabeDelivery
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

/// An app that the system launches before the device is unlocked, and a server that keeps the app's events.
private final class LockedApp: Sendable {
    let folder = temporaryFolder()
    private let state = Locked((requests: 0, events: [(resource: Attributes, record: LogRecordData)]()))

    deinit { try? FileManager.default.removeItem(at: folder) }

    func start(
        _ protectedData: SimulatedProtectedData? = nil, consent: TelemetryConsent = .granted,
        recordsHealth: Bool = false,
    ) -> Telemetry {
        var configuration = TelemetryConfiguration.quiet("locked", in: folder)
        configuration.health.isEnabled = recordsHealth
        configuration.consent = consent
        return Telemetry.start(
            configuration, transport: self, recordsHealth: recordsHealth, protectedData: protectedData?.protectedData)
    }

    var requests: Int { state.withLock { $0.requests } }
    var names: [String] { state.withLock { $0.events.map(\.record.eventName) } }

    func event(_ name: String) -> (resource: Attributes, record: LogRecordData)? {
        state.withLock { $0.events.first { $0.record.eventName == name } }
    }

    /// The names in a part of the SDK's own folder.
    func files(in part: String) -> [String] {
        PrivateFiles.names(in: folder.appendingPathComponent("astrolabe-telemetry/" + part).path)
    }
}

extension LockedApp: OTLPTransport {
    func send(_ request: OTLPRequest) async -> SendResult {
        state.withLock { state in
            state.requests += 1
            guard request.url.path.hasSuffix("logs"), let groups = try? OTLPDecoder.logs(protobuf: request.body) else {
                return
            }
            for group in groups {
                for record in group.scopes.flatMap(\.records) {
                    state.events.append((group.resource.attributes, record))
                }
            }
        }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A start before the first unlock` {
    private let app = LockedApp()

    @Test func `keeps records until the unlock, then has the same installation and session as before`() async throws {
        let earlier = app.start()
        let (installation, session) = (earlier.installationID, earlier.session.current?.id)
        await earlier.shutdown()

        let device = try SimulatedProtectedData(locking: app.folder)
        let telemetry = app.start(device)
        telemetry.logger("push").emit("demo.push", attributes: ["demo.key": "value"])
        #expect(telemetry.installationID == "")
        #expect(telemetry.session.current == nil)
        await telemetry.flush()
        #expect(app.event("demo.push") == nil)

        try device.unlock()
        await telemetry.waitForUnlock()
        #expect(telemetry.installationID == installation)
        #expect(telemetry.session.current?.id == session)
        await telemetry.flush()
        let event = app.event("demo.push")
        #expect(event?.resource["app.installation.id"]?.stringValue == installation)
        #expect(event?.record.attributes["demo.key"]?.stringValue == "value")
        let report = await telemetry.shutdown()
        #expect(report.ledger.isBalanced)
    }

    @Test func `captures crashes and writes to the journal from the unlock on`() async throws {
        let device = try SimulatedProtectedData(locking: app.folder)
        let telemetry = app.start(device, consent: .pending, recordsHealth: true)
        telemetry.logger("push").emit("demo.push")
        #expect(app.files(in: "health").isEmpty)
        try device.unlock()
        await telemetry.waitForUnlock()
        #expect(app.files(in: "health").contains { $0.hasSuffix(".run") })
        #expect(app.files(in: "journal").count == 1)
        await telemetry.shutdown(sending: false)

        let next = app.start()
        await next.flush()
        await next.shutdown()
        #expect(app.names.count { $0 == "demo.push" } == 1)
    }

    @Test func `waits on while the folder cannot be opened`() async throws {
        let device = try SimulatedProtectedData(locking: app.folder)
        let telemetry = app.start(device)
        device.signal()
        try device.unlock()
        await telemetry.waitForUnlock()
        #expect(telemetry.installationID != "")
        await telemetry.shutdown()
    }

    @Test func `counts what had no room in memory`() async throws {
        let device = try SimulatedProtectedData(locking: app.folder)
        let telemetry = app.start(device)
        for _ in 0..<2_010 { telemetry.logger("push").emit("demo.push") }
        try device.unlock()
        await telemetry.waitForUnlock()
        let report = await telemetry.shutdown()
        #expect(app.names.count { $0 == "demo.push" } == 2_000)
        #expect(report.ledger.dropped == [.bufferFull: 10])
        #expect(report.ledger.isBalanced)
    }

    @Test func `obeys an earlier refusal, which it can read only after the unlock`() async throws {
        let earlier = app.start()
        await earlier.setConsent(.denied)
        await earlier.shutdown()
        let device = try SimulatedProtectedData(locking: app.folder)
        let telemetry = app.start(device)
        telemetry.logger("push").emit("demo.push")
        let before = app.requests
        try device.unlock()
        await telemetry.waitForUnlock()
        #expect(telemetry.consent == .denied)
        await telemetry.shutdown()
        #expect(app.requests == before)
        #expect(app.files(in: "") == ["consent"])
    }

    @Test func `forgets a user that was set before it could read a refusal`() async throws {
        let earlier = app.start()
        await earlier.setConsent(.denied)
        await earlier.shutdown()
        let device = try SimulatedProtectedData(locking: app.folder)
        let telemetry = app.start(device)
        telemetry.setUser(id: "early")
        try device.unlock()
        await telemetry.waitForUnlock()
        await telemetry.setConsent(.granted)
        telemetry.logger("push").emit("demo.push")
        await telemetry.flush()
        await telemetry.shutdown()
        let event = try #require(app.event("demo.push"))
        #expect(event.record.attributes["user.id"] == nil)
    }

    @Test func `drops what it kept if consent is denied before the unlock`() async throws {
        let device = try SimulatedProtectedData(locking: app.folder)
        let telemetry = app.start(device)
        telemetry.logger("push").emit("demo.push")
        let refusal = Task { await telemetry.setConsent(.denied) }
        try await eventually("consent is denied") { telemetry.consent == .denied }
        try device.unlock()
        await refusal.value
        await telemetry.shutdown()
        #expect(app.requests == 0)
        #expect(app.files(in: "") == ["consent"])
    }

    @Test func `does not begin after a shutdown`() async throws {
        let device = try SimulatedProtectedData(locking: app.folder)
        let telemetry = app.start(device)
        await telemetry.shutdown()
        try device.unlock()
        telemetry.logger("push").emit("demo.push")
        #expect(app.files(in: "").isEmpty)
    }
}
