import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import AstrolabeViewTracing
import Foundation
import Testing

@testable import Astrolabe

/// An app that does everything that can be recorded, with a text in it that is different in each state of consent.
final class WallApp: Sendable {
    let folder = temporaryFolder()
    /// All bytes of each request: the address, the headers and the body.
    private let requests = Locked<[[UInt8]]>([])
    private let diagnostics = Locked<[String]>([])
    /// The text of the state that holds, for closures that the SDK calls.
    private let text = Locked("none")
    /// Called for the headers of each request.
    let headers = Locked<(@Sendable () async -> Void)?>(nil)

    deinit { try? FileManager.default.removeItem(at: folder) }

    func configuration(_ consent: TelemetryConsent) -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration.quiet("wall", in: folder)
        configuration.health.isEnabled = false
        configuration.exemplars = .alwaysOn
        configuration.consent = consent
        configuration.onDiagnostic = { [diagnostics] line in diagnostics.withLock { $0.append(line) } }
        configuration.requestHeaders = { [headers] _ in
            await headers.withLock { $0 }?()
            return [:]
        }
        return configuration
    }

    func start(_ consent: TelemetryConsent, temporality: AggregationTemporality = .delta) -> Telemetry {
        var configuration = configuration(consent)
        configuration.metricTemporality = temporality
        return Telemetry.start(configuration, transport: self)
    }

    /// The bytes of the requests so far.
    var sent: [[UInt8]] { requests.withLock { $0 } }
    var lines: [String] { diagnostics.withLock { $0 } }

    /// The paths of all files in the folder that the app names.
    var files: [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { !PrivateFiles.isDirectory(folder.path + "/" + $0) }.sorted()
    }

    func files(with text: String) -> [String] {
        files.filter { path in
            (try? Data(contentsOf: folder.appendingPathComponent(path)))?.firstRange(of: Data(text.utf8)) != nil
        }
    }

    /// Observes a total and a level once, as an app does when it launches.
    func observe(_ telemetry: Telemetry) {
        let total = Locked(0)
        telemetry.meter("app").observableCounter("observed.total") { [text] observer in
            let value = total.withLock { total in
                total += 1
                return total
            }
            observer.observe(value, attributes: ["demo.canary": text.withLock { $0 }])
        }
        telemetry.meter("app").observableGauge("observed.level") { [text] observer in
            observer.observe(1.5, attributes: ["demo.canary": text.withLock { $0 }])
        }
    }

    /// Does everything that can be recorded, with this text. Returns what goes on: a span and a view.
    func use(_ telemetry: Telemetry, _ canary: String) -> (span: Tracer.Span, view: ViewTrace, part: NSObject) {
        text.withLock { $0 = canary }
        let attributes: Attributes = ["demo.canary": canary]
        telemetry.setUser(id: canary)
        telemetry.setAttribute("demo.everywhere", canary)
        telemetry.setScreen(canary, id: canary)
        telemetry.addBreadcrumb(canary, attributes: attributes)
        telemetry.views.recordTap(canary, name: canary)
        let part = NSObject()
        let view = telemetry.views.trace(ViewIdentity("Cart"), attributes: attributes)
        view.evaluate(attributes) {}
        view.appeared(ObjectIdentifier(part))
        telemetry.recordNavigation(to: canary, from: canary, trigger: canary)
        telemetry.recordNotificationOpen(identifier: "1", category: canary)
        telemetry.recordFeatureFlag(canary, variant: canary, addsToSpan: true)
        telemetry.logger("app").emit(canary, severity: .error, body: .string(canary), attributes: attributes)
        let meter = telemetry.meter("app")
        meter.counter("kept").add(1, attributes: attributes)
        meter.counter("named " + canary).add(1)
        meter.upDownCounter("kept.updown").add(3, attributes: attributes)
        meter.histogram("kept.histogram").record(2, attributes: attributes)
        meter.gauge("kept.gauge").record(7, attributes: attributes)
        let tracer = telemetry.tracer("app")
        tracer.withSpan(canary, attributes: attributes) { span in
            span.addEvent(canary, attributes: attributes)
            span.recordException(CancellationError(), attributes: attributes)
            span.setStatus(.error(canary))
        }
        let span = tracer.spanBuilder("open " + canary).startSpan()
        span.setAttributes(attributes)
        telemetry.session.recordUserActivity()
        return (span, view, part)
    }
}

extension WallApp: OTLPTransport {
    func send(_ request: OTLPRequest) async -> SendResult {
        let head = request.url.absoluteString + request.headers.map { "\($0.key): \($0.value)\n" }.joined()
        requests.withLock { $0.append(Array(head.utf8) + request.body) }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

/// States in their order, and how the metrics are counted.
private struct ConsentPath: CustomTestStringConvertible {
    let states: [TelemetryConsent]
    let temporality: AggregationTemporality
    var testDescription: String { states.map(\.rawValue).joined(separator: ", ") + ", \(temporality)" }

    /// All paths of three and four states, none twice in a row.
    static let all = paths(3) + paths(4)

    private static func paths(_ length: Int) -> [ConsentPath] {
        var paths: [[TelemetryConsent]] = TelemetryConsent.allCases.map { [$0] }
        for _ in 1..<length {
            paths = paths.flatMap { path in
                TelemetryConsent.allCases.filter { $0 != path.last }.map { path + [$0] }
            }
        }
        return paths.flatMap { states in
            [AggregationTemporality.delta, .cumulative].map { ConsentPath(states: states, temporality: $0) }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The wall of consent` {
    private let app = WallApp()

    /// Records of a state are nowhere after a refusal, and those of a refusal are nowhere ever.
    @Test(arguments: ConsentPath.all)
    private func `keeps all that is denied or refused from the disk and the wire`(path: ConsentPath) async {
        var forbidden: [String] = []
        var permitted: [String] = []
        /// Requests before the last refusal.
        var before = 0
        let telemetry = app.start(path.states[0], temporality: path.temporality)
        app.observe(telemetry)
        var open: [(span: Tracer.Span, view: ViewTrace, part: NSObject)] = []
        for (index, state) in path.states.enumerated() {
            if index > 0 { await telemetry.setConsent(state) }
            if state == .denied {
                forbidden += permitted
                permitted = []
                before = app.sent.count
            }
            let canary = "canary-\(index)-\(state.rawValue)"
            let made =
                [canary, telemetry.session.current?.id ?? "", telemetry.installationID].filter { !$0.isEmpty }
            if state == .denied { forbidden += made } else { permitted += made }
            open.append(app.use(telemetry, canary))
            await telemetry.flush()
            for text in forbidden { #expect(app.files(with: text) == []) }
            // The configuration's decision is not stored.
            if state == .denied { #expect(app.files == (index > 0 ? ["astrolabe-telemetry/consent"] : [])) }
        }
        for part in open {
            part.span.end()
            part.view.disappeared(ObjectIdentifier(part.part))
        }
        await telemetry.flush()
        let last = path.states.last
        let canary = "canary-\(path.states.count - 1)-\(last?.rawValue ?? "")"
        #expect(app.sent.dropFirst(before).contains { Self.contains(canary, $0) } == (last == .granted))
        await telemetry.shutdown()
        for text in forbidden {
            #expect(app.files(with: text) == [])
            #expect(!app.sent.dropFirst(before).contains { Self.contains(text, $0) }, "\(text)")
        }
    }

    private static func contains(_ text: String, _ bytes: [UInt8]) -> Bool {
        Data(bytes).firstRange(of: Data(text.utf8)) != nil
    }

    @Test(arguments: TelemetryConsent.allCases)
    func `holds over a start: what is denied at a launch is not sent by a later one`(later: TelemetryConsent) async {
        let first = app.start(.denied)
        _ = app.use(first, "canary-denied")
        await first.flush()
        await first.shutdown()
        let second = app.start(later)
        await second.setConsent(.granted)
        _ = app.use(second, "canary-granted")
        await second.flush()
        await second.shutdown()
        #expect(app.sent.contains { Self.contains("canary-granted", $0) })
        #expect(!app.sent.contains { Self.contains("canary-denied", $0) })
    }

    @Test func `names the screen that is visible when the user agrees`() async {
        let telemetry = app.start(.denied)
        let part = NSObject()
        let view = telemetry.views.trace(ViewIdentity("Cart", role: .screen), attributes: [:])
        view.appeared(ObjectIdentifier(part))
        #expect(telemetry.screenName == nil)
        await telemetry.setConsent(.granted)
        #expect(telemetry.screenName == "Cart")
        await telemetry.shutdown(timeout: .zero)
        withExtendedLifetime((view, part)) {}
    }

    @Test func `deletes nothing of the app in the folder that the app names`() async throws {
        let photos = app.folder.appendingPathComponent("Photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        try Data("novel".utf8).write(to: app.folder.appendingPathComponent("novel.txt"))
        try Data("mine".utf8).write(to: app.folder.appendingPathComponent("session"))
        try Data("mine".utf8).write(to: app.folder.appendingPathComponent("consent"))
        try Data("photo".utf8).write(to: photos.appendingPathComponent("1.jpg"))
        let own = ["Photos/1.jpg", "consent", "novel.txt", "session"]
        let telemetry = app.start(.granted)
        #expect(telemetry.consent == .granted)
        await telemetry.setConsent(.denied)
        await telemetry.shutdown()
        await app.start(.denied).shutdown()
        #expect(Set(app.files) == Set(own + ["astrolabe-telemetry/consent"]))
    }

    @Test func `takes over what an earlier version stored in the folder, a refusal too`() async throws {
        let first = app.start(.pending)
        _ = app.use(first, "canary-early")
        let installation = first.installationID
        await first.shutdown()
        let own = app.folder.appendingPathComponent("astrolabe-telemetry")
        // It had no flight recorder.
        for name in PrivateFiles.names(in: own.path) where name != "recorder" {
            try PrivateFiles.move(own.path + "/" + name, to: app.folder.path + "/" + name)
        }
        let second = app.start(.pending)
        #expect(second.installationID == installation)
        #expect(app.files.allSatisfy { $0.hasPrefix("astrolabe-telemetry/") })
        await second.setConsent(.granted)
        await second.flush()
        #expect(app.sent.contains { Self.contains("canary-early", $0) })
        await second.setConsent(.denied)
        await second.shutdown()
        try PrivateFiles.move(own.path + "/consent", to: app.folder.path + "/consent")
        let third = app.start(.granted)
        #expect(third.consent == .denied)
        #expect(app.files == ["consent"])
        await third.shutdown()
    }

    @Test(arguments: ["", "maybe", "grant", "\u{0}\u{0}\u{0}"])
    func `takes a file without a decision for a refusal, and says so`(content: String) async throws {
        let first = app.start(.granted)
        await first.setConsent(.pending)
        _ = app.use(first, "canary-before")
        await first.shutdown()
        let file = app.folder.appendingPathComponent("astrolabe-telemetry/consent")
        try Data(content.utf8).write(to: file)
        let second = app.start(.granted)
        #expect(second.consent == .denied)
        #expect(app.lines.contains { $0.contains("damaged") })
        #expect(app.files(with: "canary-before") == [])
        await second.setConsent(.granted)
        #expect(second.consent == .granted)
        await second.shutdown(timeout: .zero)
        let third = app.start(.denied)
        #expect(third.consent == .granted)
        await third.shutdown(timeout: .zero)
    }

    @Test func `denies, and deletes nothing, while the decision cannot be read`() async throws {
        let first = app.start(.pending)
        _ = app.use(first, "canary-pending")
        await first.shutdown()
        let file = app.folder.appendingPathComponent("astrolabe-telemetry/consent")
        // No process can open a link to itself, not even the superuser's.
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: file)
        let second = app.start(.granted)
        #expect(second.consent == .denied)
        #expect(app.lines.contains { $0.contains("cannot be read") })
        await second.flush()
        #expect(app.sent.isEmpty)
        await second.shutdown()
        try FileManager.default.removeItem(at: file)
        let third = app.start(.granted)
        await third.flush()
        await third.shutdown()
        #expect(app.sent.contains { Self.contains("canary-pending", $0) })
    }

    @Test func `deletes at once, and sends no more, while a closure of the app does not return`() async throws {
        let telemetry = app.start(.granted)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let (held, release) = AsyncStream.makeStream(of: Never.self)
        app.headers.withLock {
            $0 = {
                ask.yield()
                // Not cancelled with the request: a continuation that nobody resumes.
                await Task.detached { for await _ in held {} }.value
            }
        }
        _ = app.use(telemetry, "canary-held")
        let flush = Task { await telemetry.flush() }
        for await _ in asked.prefix(1) {}
        #expect(!app.files(with: "canary-held").isEmpty)
        await telemetry.setConsent(.denied)
        #expect(app.files == ["astrolabe-telemetry/consent"])
        // A later consent does not wait for it either.
        app.headers.withLock { $0 = nil }
        await telemetry.setConsent(.granted)
        _ = app.use(telemetry, "canary-after")
        await telemetry.flush()
        release.finish()
        _ = await flush.value
        await telemetry.flush()
        await telemetry.shutdown()
        #expect(app.sent.contains { Self.contains("canary-after", $0) })
        #expect(!app.sent.contains { Self.contains("canary-held", $0) })
        #expect(app.files(with: "canary-held") == [])
    }

    @Test func `follows a refusal that another process has stored in a folder of both`() async throws {
        let shared = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: shared) }
        let others = WallApp()
        func start(_ app: WallApp) -> Telemetry {
            var configuration = app.configuration(.granted)
            configuration.consentDirectory = shared
            return Telemetry.start(configuration, transport: app)
        }
        let (telemetry, another) = (start(app), start(others))
        _ = app.use(telemetry, "canary-app")
        _ = others.use(another, "canary-extension")
        await telemetry.setConsent(.denied)
        await another.flush()
        try await eventually("the other one follows") { another.consent == .denied && others.files.isEmpty }
        #expect(others.sent.isEmpty)
        await telemetry.shutdown()
        await another.shutdown()
        let next = start(others)
        #expect(next.consent == .denied)
        await next.shutdown()
        #expect(app.files.isEmpty && others.files.isEmpty)
    }

    @Test func `takes a decision for another's refusal if one lies between it and the last consent`() {
        for refusal in [ConsentStore.Stored.decided(.denied, since: 0), .damaged, .decided(.granted, since: 5)] {
            #expect(refusal.isRefusal(after: 0) && refusal.isRefusal(after: 3))
        }
        let error = SystemError("read", "consent", code: 5)
        for other in [ConsentStore.Stored.decided(.granted, since: 3), .undecided, .unreadable(error)] {
            #expect(!other.isRefusal(after: 3))
        }
        #expect(!ConsentStore.Stored.decided(.pending, since: 0).isRefusal(after: 3))
    }

    @Test func `counts a consent from the moment at which it follows a refusal`() {
        let error = SystemError("read", "consent", code: 5)
        for refusal in [ConsentStore.Stored.decided(.denied, since: 3), .damaged, .unreadable(error)] {
            #expect(refusal.since(agreedAt: 7) == 7)
            #expect(refusal.since(agreedAt: 0) == 1, "0 would mean that the user never refused")
        }
        #expect(ConsentStore.Stored.decided(.granted, since: 3).since(agreedAt: 7) == 3)
        #expect(ConsentStore.Stored.decided(.pending, since: 0).since(agreedAt: 7) == 0)
        #expect(ConsentStore.Stored.undecided.since(agreedAt: 7) == 0)
    }

    @Test func `gives a session handle that is kept the session of the moment`() async {
        let telemetry = app.start(.granted)
        let session = telemetry.session
        let first = session.current?.id
        await telemetry.setConsent(.denied)
        #expect(session.current == nil)
        session.recordUserActivity()
        #expect(session.reset() == nil)
        await telemetry.setConsent(.granted)
        #expect(session.current?.id == telemetry.session.current?.id)
        #expect(session.current?.id != first)
        await telemetry.shutdown(timeout: .zero)
    }
}
