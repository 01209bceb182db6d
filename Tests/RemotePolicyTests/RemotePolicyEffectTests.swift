import AstrolabeDelivery
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabePolicy
import AstrolabePolicyDocument
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe
@testable import AstrolabeRemotePolicy

/// The whole SDK, which sends its records and its questions to a real server.
@Suite(.timeLimit(.minutes(2))) struct `What a document does to an app` {
    private let server: PolicyServer
    private let folder = TestFolders.folder("shop")
    private let seconds = Locked(0.0)

    init() throws { server = try PolicyServer() }

    private func start(
        recordsHealth: Bool = false, _ change: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.storageDirectory = folder
        configuration.conditions = SimulatedDevice()
        configuration.endpoint = OTLPEndpoint(url: try server.url)
        configuration.endpoint?.isCompressed = false
        configuration.policy.largeMemoryFactor = 1
        var remote = RemotePolicyConfiguration(endpoint: try server.endpoint, publicKey: [])
        remote.isValidSignature = TestKey.isValid
        remote.bounds.samplingRates = ModeTable(full: 1, normal: 1, reduced: 1, minimal: 0)
        configuration.remotePolicy = remote
        change(&configuration)
        let time = DeliveryTime(
            now: { [seconds] in seconds.withLock { $0 } },
            wall: { [seconds] in UInt64((1_795_834_800 + seconds.withLock { $0 }) * 1e9) },
            sleep: { _ in try await untilCancelled() })
        return Telemetry.start(
            configuration, transport: URLSessionTransport(), time: time, recordsHealth: recordsHealth)
    }

    /// Sends what there is, and follows the document that comes with it.
    private func exchange(_ telemetry: Telemetry, after time: Double = 20_000) async {
        seconds.withLock { $0 += time }
        telemetry.logger("app").emit("demo.tick")
        await telemetry.flush()
        await (telemetry.policyFollower as? RemotePolicyClient)?.settle()
    }

    private func offer(_ version: Int, _ rest: String) {
        server.offer(PolicyOffer.of(version: version, rest).configuration)
    }

    private var spans: [String] {
        get throws {
            try server.exports.filter { $0.path == "/v1/traces" }.flatMap { request in
                try OTLPDecoder.traces(protobuf: request.body).flatMap { $0.scopes.flatMap { $0.records.map(\.name) } }
            }
        }
    }

    private var events: [LogRecordData] {
        get throws {
            try server.exports.filter { $0.path == "/v1/logs" }.flatMap { request in
                try OTLPDecoder.logs(protobuf: request.body).flatMap { $0.scopes.flatMap(\.records) }
            }
        }
    }

    @Test func `a rate is decided at once, with its reason, and is in the resource of the next start`() async throws {
        let telemetry = try start()
        let rest = #""rates": {"full": 1, "normal": 1}, "flushIntervals": {"normal": 90}"#
        offer(7, rest)
        #expect(telemetry.policyDecision?.samplingRate == 0.1)
        await exchange(telemetry)
        let decision = try #require(telemetry.policyDecision)
        #expect(decision.samplingRate == 1)
        #expect(decision.flushInterval == .seconds(90))
        #expect(decision.reasons.map(\.description).contains("Remote policy 7: sampling rate 1.0"))
        telemetry.session.reset()
        telemetry.tracer("shop").withSpan("browse") { _ in }
        await telemetry.flush()
        #expect(try spans == ["browse"])
        let change = try #require(try events.first { $0.eventName == "astrolabe.policy.change" })
        let hash = try #require(telemetry.remotePolicyReport?.hash)
        #expect(change.attributes["astrolabe.policy.version"]?.stringValue == hash)
        #expect("\(change.attributes["astrolabe.policy.reasons"] ?? .empty)".contains("Remote policy 7"))
        #expect(telemetry.resource.attributes["astrolabe.policy.version"] == nil)
        await telemetry.shutdown()
        let next = try start()
        #expect(next.resource.attributes["astrolabe.policy.version"]?.stringValue == hash)
        #expect(next.policyDecision?.samplingRate == 1)
        await next.shutdown()
    }

    @Test(arguments: [(0.0, 1.0), (1.0, 0.0)])
    func `a rate leaves the session that runs as it is, and is that of the next one`(
        own: Double, rate: Double,
    ) async throws {
        let device = SimulatedDevice()
        let telemetry = try start {
            $0.conditions = device
            $0.policy.samplingRates = ModeTable(full: own, normal: own, reduced: own, minimal: 0)
        }
        offer(7, #""rates": {"full": \#(rate), "normal": \#(rate), "reduced": \#(rate)}"#)
        await exchange(telemetry)
        #expect(telemetry.policyDecision?.samplingRate == rate)
        #expect(telemetry.isSessionSampled == (own == 1))
        device.heatUp(to: .critical)
        #expect(telemetry.isSessionSampled == false, "the mode minimal records none")
        device.coolDown()
        #expect(telemetry.isSessionSampled == (own == 1))
        telemetry.session.reset()
        #expect(telemetry.isSessionSampled == (rate == 1))
        await telemetry.shutdown()
        let next = try start()
        #expect(next.isSessionSampled == (rate == 1))
        await next.shutdown()
    }

    @Test func `kill switches drop records of an instrument and of a scope, count them, and are lifted`() async throws {
        let telemetry = try start { $0.sampling = .everything }
        offer(7, #""off": ["errors"], "offScopes": ["noisy"]"#)
        await exchange(telemetry)
        let before = await telemetry.report.ledger.dropped[.notAdmitted] ?? 0
        telemetry.logger("noisy").emit("demo.noise")
        telemetry.tracer("noisy").withSpan("noise") { _ in }
        telemetry.recordError(URLError(.badURL))
        telemetry.tracer("shop").withSpan("browse") { _ in }
        let ledger = await telemetry.flush().ledger
        #expect(try spans == ["browse"])
        #expect(try events.allSatisfy { $0.eventName != "demo.noise" })
        #expect(ledger.dropped[.notAdmitted] == before + 3)
        #expect(ledger.isBalanced)
        offer(8, "")
        await exchange(telemetry)
        telemetry.logger("noisy").emit("demo.noise")
        await telemetry.flush()
        #expect(try events.count { $0.eventName == "demo.noise" } == 1)
        await telemetry.shutdown()
    }

    @Test func `a start with health off installs no handler of it`() async throws {
        let telemetry = try start()
        offer(7, #""off": ["health"]"#)
        await exchange(telemetry)
        await telemetry.shutdown()
        let next = try start(recordsHealth: true)
        #expect(PrivateFiles.names(in: folder.path + "/astrolabe-telemetry").contains("remote-policy"))
        #expect(!PrivateFiles.names(in: folder.path + "/astrolabe-telemetry").contains("health"))
        await next.shutdown()
    }

    @Test func `all off records nothing, goes on asking, and is lifted`() async throws {
        let telemetry = try start { $0.sampling = .everything }
        offer(7, #""off": ["all"]"#)
        await exchange(telemetry)
        telemetry.tracer("shop").withSpan("browse") { _ in }
        telemetry.meter("shop").counter("demo.pages").add(1)
        await telemetry.flush()
        let exports = server.exports.count
        await exchange(telemetry)
        #expect(server.exports.count == exports)
        #expect(try spans.isEmpty)
        offer(8, "")
        await exchange(telemetry)
        #expect(telemetry.remotePolicyReport?.version == 8)
        telemetry.tracer("shop").withSpan("browse again") { _ in }
        await telemetry.flush()
        #expect(try spans == ["browse again"])
        await telemetry.shutdown()
    }

    /// The sums of a counter, in the order of their requests.
    private func sums(of name: String) throws -> [Double] {
        try server.exports.filter { $0.path == "/v1/metrics" }.flatMap { request in
            try OTLPDecoder.metrics(protobuf: request.body).flatMap { $0.scopes.flatMap(\.records) }
        }
        .filter { $0.name == name }
        .flatMap { metric -> [Double] in
            if case .sum(let points, _, _) = metric.data { points.map(\.value.doubleValue) } else { [] }
        }
    }

    @Test(arguments: ["all", "metrics"])
    func `what is measured while metrics are off is not sent later`(
        instrument: String
    ) async throws {
        let telemetry = try start()
        let counter = telemetry.meter("shop").counter("demo.pages")
        offer(7, #""off": ["\#(instrument)"]"#)
        counter.add(1)
        await exchange(telemetry)
        counter.add(10)
        await exchange(telemetry)
        offer(8, "")
        await exchange(telemetry)
        #expect(telemetry.remotePolicyReport?.version == 8)
        counter.add(100)
        await telemetry.flush()
        #expect(try sums(of: "demo.pages") == [1, 100])
        await telemetry.shutdown()
    }

    @Test func `a start with all off records nothing, also before its first decision`() async throws {
        let telemetry = try start()
        offer(7, #""off": ["all"]"#)
        await exchange(telemetry)
        await telemetry.shutdown()
        let exports = server.exports.count
        // So that the next start begins a session.
        PrivateFiles.removeFile(folder.path + "/astrolabe-telemetry/session")
        let next = try start()
        await next.flush()
        await next.shutdown()
        #expect(server.exports.count == exports)
    }

    @Test func `a promotion sends what the flight recorder has, and a rule is a trigger`() async throws {
        let telemetry = try start { $0.policy.samplingRates = ModeTable(full: 0, normal: 0, reduced: 0, minimal: 0) }
        telemetry.tracer("shop").withSpan("browse") { _ in }
        let promotion =
            #""requests": [{"id": "p", "kind": "promote", "installation": "\#(telemetry.installationID)"}]"#
        offer(7, promotion)
        await exchange(telemetry, after: 0)
        await telemetry.flush()
        #expect(try spans == ["browse"])
        telemetry.session.reset()
        offer(8, #""triggers": {"rules": [{"span": "pay", "longerThan": 0.001}]}"#)
        await exchange(telemetry)
        let tracer = telemetry.tracer("shop")
        let start = try #require(telemetry.core?.clock.now)
        for name in ["open", "pay"] {
            let span = tracer.spanBuilder(name).setStartTime(timeUnixNano: start - 5_000_000).startSpan()
            span.end()
        }
        await telemetry.flush()
        #expect(try spans == ["browse", "open", "pay"])
        #expect(try triggers == ["remote", "rule", "rule"])
        await telemetry.shutdown()
    }

    private var triggers: [String] {
        get throws {
            try server.exports.filter { $0.path == "/v1/traces" }.flatMap { request in
                try OTLPDecoder.traces(protobuf: request.body).flatMap { $0.scopes.flatMap(\.records) }
            }
            .map { $0.attributes["astrolabe.recorder.trigger"]?.stringValue ?? "" }
        }
    }

    @Test func `without consent nothing is asked, and a refusal deletes the stored document`() async throws {
        let telemetry = try start { $0.consent = .pending }
        offer(7, #""off": ["replay"]"#)
        await exchange(telemetry)
        #expect(server.messages.isEmpty)
        await telemetry.setConsent(.granted)
        await exchange(telemetry)
        #expect(telemetry.remotePolicyReport?.version == 7)
        let file = folder.appendingPathComponent("astrolabe-telemetry/remote-policy").path
        #expect(FileManager.default.fileExists(atPath: file))
        await telemetry.setConsent(.denied)
        #expect(!FileManager.default.fileExists(atPath: file))
        let asked = server.messages.count
        await exchange(telemetry)
        #expect(server.messages.count == asked)
        #expect(telemetry.remotePolicyReport == nil)
        await telemetry.shutdown()
    }

    @Test func `a server that never answers well stops no delivery`() async throws {
        server.answer(.nothing)
        let telemetry = try start { $0.sampling = .everything }
        telemetry.tracer("shop").withSpan("browse") { _ in }
        await exchange(telemetry)
        let ledger = await telemetry.flush().ledger
        #expect(try spans == ["browse"])
        #expect(ledger.pending == 0 && ledger.isBalanced)
        #expect(telemetry.remotePolicyReport?.lastFailure != nil)
        await telemetry.shutdown()
    }
}
