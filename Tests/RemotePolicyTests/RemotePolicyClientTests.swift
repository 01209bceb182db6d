import AstrolabeDelivery
import AstrolabeOpAMP
import AstrolabePolicy
import AstrolabePolicyDocument
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabePlatform
@testable import AstrolabeRemotePolicy

@Suite(.timeLimit(.minutes(2))) struct `A phone and its policy server` {
    private let server: PolicyServer

    init() throws { server = try PolicyServer() }

    private static let promotion =
        #""requests": [{"id": "a b", "kind": "promote", "installation": "\#(PolicyPhone.installation)"}, "#
        + #"{"id": "c", "kind": "promote", "installation": "another"}]"#
    private static let recording =
        #""requests": [{"id": "r", "kind": "record", "installation": "\#(PolicyPhone.installation)", "seconds": 7200}]"#

    @Test func `a good document is applied, stored and reported`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        let offer = PolicyOffer.of(version: 7, #""rates": {"normal": 0.05}"#)
        server.offer(offer.configuration)
        await phone.flush()
        #expect(phone.changes.map { $0?.samplingRates.normal } == [0.05])
        #expect(phone.client.policy?.version == 7)
        let report = phone.client.report
        #expect((report.version, report.requests, report.refused) == (7, 2, [:]))
        #expect(report.hash == PolicyDocument.hash(of: offer.document))
        let messages = server.messages
        #expect(messages.map(\.sequenceNumber) == [1, 2])
        let description = try #require(messages.first?.description)
        #expect(description.identifying["app.installation.id"]?.stringValue == PolicyPhone.installation)
        #expect(description.others == ["os.name": "iOS"])
        #expect(messages[0].instanceUID.hex == PolicyPhone.installation.replacing("-", with: "").lowercased())
        #expect(messages[0].capabilities.isSuperset(of: [.reportsStatus, .acceptsRemoteConfig, .reportsRemoteConfig]))
        #expect(messages[0].health?.isHealthy == true)
        let applied = RemoteConfigStatus(lastHash: offer.configuration.hash, state: .applied)
        #expect(messages[1].remoteConfigStatus == applied)
        #expect(messages[1].description == nil)
    }

    /// Each bad document, and the reason for which it is refused.
    private static let bad: [(String, AgentRemoteConfig, String)] = {
        let good = PolicyOffer.of(version: 8)
        let large = PolicyOffer.signed(String(repeating: " ", count: PolicyDocument.sizeLimit + 1))
        let wrong = "wrong_signature"
        var other = good
        other.document.append(0x20)
        func of(_ rest: String, version: Int = 8) -> AgentRemoteConfig {
            PolicyOffer.of(version: version, rest).configuration
        }
        return [
            ("no entries", AgentRemoteConfig(entries: [:], hash: [1]), "unsigned"),
            ("no signature", good.with(signature: []).configuration, "unsigned"),
            ("a short signature", good.with(signature: [UInt8](repeating: 1, count: 63)).configuration, wrong),
            ("another signature", good.with(signature: [UInt8](repeating: 1, count: 64)).configuration, wrong),
            ("changed after the signature", other.configuration, wrong),
            ("over 64 KiB", large.configuration, "too_large"),
            ("expired", PolicyOffer.of(version: 8, expires: "2026-11-01T00:00:00Z").configuration, "expired"),
            ("an older version", of("", version: 6), "replayed"),
            ("the same version with other content", of(#""off": ["replay"]"#, version: 7), "replayed"),
            ("another app's", PolicyOffer.of(version: 8, app: "mail").configuration, "other_app"),
            ("no JSON", PolicyOffer.signed("rates = 1").configuration, "invalid"),
            ("a list", PolicyOffer.signed("[]").configuration, "invalid"),
            ("another schema", PolicyOffer.signed(#"{"schema": 2}"#).configuration, "invalid"),
            ("an unknown key", of(#""rate": 1"#), "invalid"),
            ("a key twice", of(#""app": "shop""#), "invalid"),
            ("a rate over 1", of(#""rates": {"normal": 1.5}"#), "invalid"),
            ("a lower mode that collects more", of(#""rates": {"normal": 0.01, "reduced": 0.02}"#), "invalid"),
            ("a request while all is off", of(#""off": ["all"], \#(promotion)"#), "invalid"),
            ("a higher rate", of(#""rates": {"full": 1, "normal": 0.2}"#), "beyond_bounds"),
            ("shorter intervals", of(#""flushIntervals": {"full": 1}"#), "beyond_bounds"),
            ("a larger budget", of(#""triggers": {"dailyBytes": 9999999}"#), "beyond_bounds"),
            ("a recording that the app does not allow", of(recording), "beyond_bounds"),
        ]
    }()

    @Test func `bad documents change nothing, are reported, and do not stop the next good one`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        server.offer(PolicyOffer.of(version: 7, #""rates": {"normal": 0.05}"#).configuration)
        await phone.flush()
        for (name, configuration, reason) in Self.bad {
            let before = phone.client.report.refused[reason] ?? 0
            server.offer(configuration)
            await phone.flush()
            let status = try #require(server.messages.last?.remoteConfigStatus)
            #expect(status.state == .failed, "\(name)")
            #expect(status.lastHash == configuration.hash, "\(name)")
            #expect(status.errorMessage == phone.client.report.lastRefusal, "\(name)")
            #expect(phone.client.report.refused[reason] == before + 1, "\(name)")
            #expect(phone.client.report.version == 7, "\(name)")
        }
        #expect(phone.changes.count == 1)
        #expect(phone.promotions == [])
        #expect(phone.client.report.refused.values.reduce(0, +) == Self.bad.count)
        #expect(phone.lines.withLock { $0.count } == Self.bad.count)
        let next = try phone.restarted()
        #expect(next.client.policy?.version == 7)
        server.offer(PolicyOffer.of(version: 8).configuration)
        await next.flush()
        #expect(next.client.policy?.version == 8)
    }

    @Test func `the stored document holds at the next start until it expires, and its version stays`() async throws {
        let first = try PolicyPhone(server.endpoint)
        let offer = PolicyOffer.of(version: 7, #""off": ["replay"]"#)
        server.offer(offer.configuration)
        await first.flush()
        let second = try first.restarted()
        #expect(second.client.policy?.off == [.replay])
        await second.flush()
        #expect(second.client.report.requests == 1)
        #expect(server.messages.last?.remoteConfigStatus?.lastHash == offer.configuration.hash)

        let late = try second.restarted(after: 40 * 86_400)
        #expect(late.client.policy == nil)
        server.offer(PolicyOffer.of(version: 6, expires: "2027-12-31T00:00:00Z").configuration)
        await late.flush()
        #expect(late.client.report.refused == ["replayed": 1])
        #expect(late.client.policy == nil)
    }

    @Test func `a document that expires while the app runs ends at the next flush`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        server.offer(PolicyOffer.of(version: 7, expires: "2026-11-29T00:00:00Z").configuration)
        await phone.flush(after: 0)
        server.offer(nil)
        await phone.flush(delivering: false, after: 86_400)
        #expect(phone.changes.map { $0?.version } == [7, nil])
        #expect(phone.client.report.version == nil)
    }

    @Test func `a damaged or foreign file is ignored, and so is one beyond the bounds of an update`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        server.offer(PolicyOffer.of(version: 7, #""triggers": {"dailyBytes": 1000}"#).configuration)
        await phone.flush()
        var tight = RemotePolicyBounds()
        tight.dailyBytes = 100
        #expect(try phone.restarted(bounds: tight).client.policy == nil)
        let file = phone.folder.appendingPathComponent("remote-policy")
        let whole = Array(try Data(contentsOf: file))
        for length in [0, 1, 64, whole.count - 1] {
            try PrivateFiles.replace(file.path, with: Array(whole.prefix(length)))
            #expect(try phone.restarted().client.policy == nil)
        }
        for index in stride(from: 33, to: whole.count, by: 7) {
            var damaged = whole
            damaged[index] ^= 1
            try PrivateFiles.replace(file.path, with: damaged)
            #expect(try phone.restarted().client.policy == nil)
        }
        try PrivateFiles.replace(file.path, with: whole)
        #expect(try phone.restarted().client.policy?.version == 7)
    }

    @Test func `a request runs once, on the installation that it names`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        server.offer(PolicyOffer.of(version: 7, Self.promotion).configuration)
        await phone.flush()
        #expect(phone.promotions == ["a b"])
        server.offer(PolicyOffer.of(version: 8, Self.promotion).configuration)
        await phone.flush()
        #expect(phone.promotions == ["a b"])
        let next = try phone.restarted()
        server.offer(PolicyOffer.of(version: 9, Self.promotion).configuration)
        await next.flush()
        #expect(next.client.policy?.version == 9)
        #expect(next.promotions == [])
    }

    @Test(arguments: [Int64.min, -1]) func `a time of a carried out request that cannot be is none`(
        time: Int64
    ) async throws {
        var bounds = RemotePolicyBounds()
        bounds.allowsFullRecording = true
        let phone = try PolicyPhone(server.endpoint, bounds: bounds)
        server.offer(PolicyOffer.of(version: 7, Self.recording).configuration)
        await phone.flush()
        let key = PolicyDocument.hash(of: Array("r".utf8))
        let file = phone.folder.appendingPathComponent("remote-policy-requests").path
        try PrivateFiles.replace(file, with: Array("\(time) \(key)\n".utf8))
        #expect(try phone.restarted(bounds: bounds).client.policy?.recordsInFull == false)
    }

    @Test func `a recording in full begins with its document, survives a start, and ends by itself`() async throws {
        var bounds = RemotePolicyBounds()
        bounds.allowsFullRecording = true
        let phone = try PolicyPhone(server.endpoint, bounds: bounds)
        server.offer(PolicyOffer.of(version: 7, Self.recording).configuration)
        await phone.flush()
        #expect(phone.changes.map { $0?.recordsInFull } == [true])
        let next = try phone.restarted(after: 3_600, bounds: bounds)
        #expect(next.client.policy?.recordsInFull == true)
        await next.flush(delivering: false, after: 3_599)
        #expect(next.changes.count == 0)
        await next.flush(delivering: false, after: 1)
        #expect(next.changes.map { $0?.recordsInFull } == [false])
    }

    @Test(arguments: [#""off": ["all"]"#, #""off": ["events", "spans"]"#, #""offScopes": ["astrolabe.sessions"]"#])
    func `a document that may leave nothing to deliver is lifted by a flush that delivers nothing`(
        rest: String
    ) async throws {
        let phone = try PolicyPhone(server.endpoint)
        server.offer(PolicyOffer.of(version: 7, rest).configuration)
        await phone.flush()
        #expect(phone.client.policy?.version == 7)
        let next = try phone.restarted()
        #expect(next.client.policy?.version == 7)
        server.offer(PolicyOffer.of(version: 8).configuration)
        await next.flush(delivering: false, after: 0)
        #expect(next.changes.map { $0?.version } == [8])
    }

    @Test func `nothing is asked in the background, without a delivery, too early, or after the end`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        await phone.flush(delivering: false)
        phone.isInForeground.withLock { $0 = false }
        await phone.flush()
        #expect(server.messages.isEmpty)
        phone.isInForeground.withLock { $0 = true }
        await phone.flush(delivering: false)
        #expect(server.messages.count == 1)
        await phone.flush(after: 14_399)
        #expect(server.messages.count == 1)
        await phone.flush(after: 1)
        #expect(server.messages.count == 2)
        phone.client.stop()
        await phone.flush()
        #expect(server.messages.count == 2)
    }

    @Test func `a server that fails or is busy is asked again when it says so`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        server.answer(.status(503, headers: ["Retry-After": "5000"]))
        await phone.flush(after: 0)
        await phone.flush(after: 4_999)
        #expect(server.messages.count == 1)
        var busy = ServerToAgent(instanceUID: [])
        busy.errorResponse = ServerErrorResponse(
            .unavailable, message: "busy", retryAfterNanoseconds: 8_000_000_000_000)
        server.answer(.status(200, body: busy.bytes))
        await phone.flush(after: 1)
        await phone.flush(after: 7_999)
        #expect(server.messages.count == 2)
        #expect(phone.client.report.lastFailure?.contains("busy") == true)
        server.answer(.status(200, body: Array("<html>".utf8)))
        await phone.flush(after: 1)
        await phone.flush(after: 899)
        #expect(server.messages.count == 3)
        server.answer(nil)
        await phone.flush(after: 14_400)
        #expect(server.messages.count == 4)
        #expect(phone.client.report.lastFailure == nil)
        #expect(phone.lines.withLock { $0.count } == 1)
    }

    @Test func `no server puts off the next request for over a day, or asks for one with each flush`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        func answer(retryAfterNanoseconds: UInt64) {
            var busy = ServerToAgent(instanceUID: [])
            busy.errorResponse = ServerErrorResponse(.unavailable, retryAfterNanoseconds: retryAfterNanoseconds)
            server.answer(.status(200, body: busy.bytes))
        }
        answer(retryAfterNanoseconds: .max)
        await phone.flush(after: 0)
        await phone.flush(after: 86_399)
        #expect(server.messages.count == 1)
        answer(retryAfterNanoseconds: 1)
        await phone.flush(after: 1)
        await phone.flush(after: 59)
        #expect(server.messages.count == 2)
        await phone.flush(after: 1)
        #expect(server.messages.count == 3)
    }

    @Test func `the app's function for signatures is called without a lock`() async throws {
        let breaches = Locked<[HeldLock.Breach]>([])
        let phone = try PolicyPhone(server.endpoint)
        server.offer(PolicyOffer.of(version: 7).configuration)
        await HeldLock.$onBreach.withValue({ breach in breaches.withLock { $0.append(breach) } }) {
            await phone.flush()
        }
        #expect(phone.client.policy?.version == 7)
        #expect(breaches.withLock { $0.map(\.door) } == [])
    }

    @Test func `a server that has forgotten the phone gets its full state, and may give it another id`() async throws {
        let phone = try PolicyPhone(server.endpoint)
        await phone.flush()
        var forgetful = ServerToAgent(instanceUID: [])
        forgetful.flags = .reportFullState
        forgetful.newInstanceUID = [UInt8](repeating: 9, count: 16)
        server.answer(.status(200, body: forgetful.bytes))
        await phone.flush()
        let messages = server.messages
        // The flag comes each time, and a poll ends after three requests.
        #expect(messages.count == 4)
        #expect(messages[1].description == nil)
        #expect(messages[2].description != nil)
        #expect(messages[2].instanceUID == [UInt8](repeating: 9, count: 16))
    }
}

@Suite struct `The times of requests for a document` {
    private var schedule = PollSchedule(interval: .seconds(1_000))

    private mutating func isDue(at now: Double, delivers: Bool = true, inForeground: Bool = true) -> Bool {
        schedule.isDue(isInForeground: inForeground, hasDelivered: delivers, at: now)
    }

    @Test(arguments: [(0.0, 800.0), (0.5, 1_000.0), (0.999_999, 1_199.99)])
    mutating func `the interval is up to a fifth shorter or longer`(random: Double, interval: Double) {
        schedule.succeeded(at: 50, random: random)
        #expect(!isDue(at: 50 + interval - 0.02))
        #expect(isDue(at: 50 + interval + 0.02))
    }

    @Test mutating func `a return asks once, and not within 15 minutes of a request`() {
        #expect(!isDue(at: 0, delivers: false, inForeground: false))
        // Again until there is a way to the server.
        #expect(isDue(at: 0, delivers: false))
        #expect(isDue(at: 1, delivers: false))
        schedule.succeeded(at: 1, random: 1)
        #expect(!isDue(at: 2, delivers: false, inForeground: false))
        #expect(!isDue(at: 900, delivers: false))
        #expect(!isDue(at: 901, delivers: false, inForeground: false))
        #expect(isDue(at: 901, delivers: false))
        schedule.succeeded(at: 901, random: 1)
        #expect(!isDue(at: 902, delivers: false))
    }

    @Test mutating func `each failure doubles the wait, up to the interval, and a return does not pass it`() {
        schedule = PollSchedule(interval: .seconds(2_000))
        for (start, wait) in [(0.0, 900.0), (10_000, 1_800), (20_000, 2_000), (30_000, 2_000)] {
            schedule.failed(at: start, retryAfter: nil)
            #expect(!isDue(at: start, inForeground: false))
            #expect(!isDue(at: start + wait - 1))
            #expect(isDue(at: start + wait))
        }
    }
}
