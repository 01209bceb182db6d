import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeTestSupport
import DeviceLink
import Foundation
import Testing
import ViewTree

#if canImport(Glibc)
import Glibc
#endif

/// A device without a screen: it starts the real app, tells it what a test wants, and keeps what the app says.
///
/// Storage, socket and collector stay over launches.
@MainActor
final class TestDevice {
    let folder = TemporaryDirectory()
    let collector: LoopbackServer
    var begin = DeviceBegin(
        conditions: Conditions(network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .active),
        settings: DeviceSettings(),
    )

    /// Additions to the app's environment beside what every test needs.
    var settings: [String: String] = [:]
    /// The bodies that the collector was sent, as far as they are text.
    let received: Locked<[String]>

    private let shop: URL
    private let listener: LinkListener
    private var running: (process: AppProcess, link: DeviceLinkEnd)?
    private var lastEvent = 0

    private(set) var hello: AppHello?
    private(set) var tree: RenderedTree?
    /// The last whole tree that was sent.
    private(set) var whole: RenderedTree?
    private(set) var wholeCount = 0
    private(set) var outcomes: [EventReply] = []
    private(set) var status: AppStatus?
    private(set) var resources: [String: ResourceReply] = [:]
    private(set) var frames = FrameSummary()
    /// Of the messages, in order.
    private(set) var kinds: [String] = []

    init(_ shop: URL) throws {
        self.shop = shop
        try PrivateFiles.makeDirectory(folder.path)
        let received = Locked<[String]>([])
        self.received = received
        collector = try LoopbackServer { request in
            received.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return .status(200)
        }
        listener = try LinkListener(path: folder.path + "/link")
    }

    var environment: [String: String] {
        [
            "ASTROLABE_DEVICE_LINK": folder.path + "/link", "ASTROLABE_BACKEND_URL": shop.absoluteString,
            "ASTROLABE_APP_STORAGE": folder.path + "/app",
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:\(collector.port)",
            "ASTROLABE_DEVICE_SAMPLING": "everything",
            // A busy machine is no device that says nothing, and no reason to end with records unsent.
            "ASTROLABE_DEVICE_TIMEOUT": "60",
        ].merging(settings) { _, new in new }
    }

    /// Starts the app and waits for its first screen.
    func launch() async throws {
        try await connect()
        send(.begin(begin))
        try await wait("the first screen") { tree != nil }
    }

    /// Starts the app and waits for its hello.
    func connect() async throws {
        (hello, tree, status) = (nil, nil, nil)
        let process = try AppProcess(environment: environment, folder: folder)
        for await link in listener.connections {
            running = (process, link)
            break
        }
        try await wait("the hello") { hello != nil }
    }

    var process: AppProcess {
        get throws { try #require(running).process }
    }

    func send(_ message: DeviceMessage) { running?.link.send(message) }

    func closeLink() { running?.link.close() }

    /// Takes what the app says until it is as a test wants it.
    func wait(_ what: String, until isDone: () -> Bool) async throws {
        if isDone() { return }
        guard let running else { throw NotSeen(what: what, details: "the app does not run") }
        for await message in running.link.messages {
            note(message)
            if isDone() { return }
        }
        throw NotSeen(what: what, details: "\(tree?.root.outline ?? "no screen")\n\(running.process.output)")
    }

    /// Takes what the app says until it has ended.
    func waitForEnd() async throws -> AppProcess.End? {
        let process = try process
        if let running { for await message in running.link.messages { note(message) } }
        running = nil
        return await process.end()
    }

    private func note(_ message: AppMessage) {
        switch message {
        case .hello(let hello):
            kinds.append("hello")
            self.hello = hello
        case .screen(let screen):
            kinds.append("screen")
            wholeCount += 1
            whole = screen
            if tree == nil { tree = screen }
        case .patch(let patch):
            kinds.append("patch")
            // A whole screen may have come since.
            let patched = tree.flatMap { patch.applied(to: $0) } ?? whole.flatMap { patch.applied(to: $0) }
            if patched == nil { Issue.record("a patch from \(patch.base) for a screen of \(tree?.revision ?? 0)") }
            tree = patched ?? tree
        case .outcome(let reply):
            kinds.append("outcome")
            outcomes.append(reply)
        case .resource(let reply):
            kinds.append("resource")
            resources[reply.name] = reply
        case .frames(let summary):
            kinds.append("frames")
            frames.frames += summary.frames
            frames.slow += summary.slow
            frames.frozen += summary.frozen
            frames.missed += summary.missed
            frames.longest = max(frames.longest, summary.longest)
        case .clock: kinds.append("clock")
        case .status(let status):
            kinds.append("status")
            self.status = status
        }
    }
}

/// The app ended, or the time was up, before it said what a test waits for.
struct NotSeen: Error, CustomStringConvertible {
    let what: String
    let details: String

    var description: String { "timed out waiting for \(what):\n\(details)" }
}

// What a person does.
extension TestDevice {
    /// Sends an event without waiting; gives its number.
    @discardableResult
    func send(_ action: ViewAction, to node: Int, _ value: NodeValue? = nil) -> Int {
        lastEvent += 1
        send(.event(NumberedEvent(number: lastEvent, event: ViewEvent(node: node, action: action, value: value))))
        return lastEvent
    }

    func outcome(of number: Int) async throws -> EventOutcome? {
        try await wait("the outcome of event \(number)") { outcomes.contains { $0.number == number } }
        return outcomes.first { $0.number == number }?.outcome
    }

    /// The node that takes the action where a person means the one with the identifier.
    func node(_ identifier: String, _ action: ViewAction = .tap) throws -> Int {
        try #require(tree?.root.target(of: action, identifier), "\(identifier) in \(tree?.root.outline ?? "")").id
    }

    func perform(_ action: ViewAction = .tap, on identifier: String) async throws {
        #expect(try await outcome(of: send(action, to: node(identifier, action))) == .handled)
    }

    func wait(for identifier: String) async throws {
        try await wait(identifier) { tree?.contains(identifier) == true }
    }

    func openShop() async throws {
        try await perform(on: "go-shopping")
        try await wait(for: "product-LS4PSXUNUM")
    }

    func openProduct(_ id: String) async throws {
        try await perform(on: "product-\(id)")
        try await wait("the product") {
            tree?.contains("add-to-cart") == true && tree?.contains("advertisements") == true
        }
    }
}
