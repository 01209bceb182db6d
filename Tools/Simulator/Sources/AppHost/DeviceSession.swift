import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeSessionReplay
import DeviceLink
import Foundation
import ViewTree

/// Runs the app on a device at the other end of a link, and changes its state as iOS does.
@MainActor
final class DeviceSession {
    private let link: AppLink
    private let conditions: SimulatedConditions
    private let status = StatusReporter()
    private let app: any HostedScreen
    private let sender: ScreenSender
    private let screen: ScreenSource
    private let ending: AppEnding
    /// The SDK that records the screen; `nil` until the app has started it.
    private var replayed: Telemetry?
    /// The received events that the main thread has not handled yet.
    private let waitingEvents = Locked(0)

    /// The limit of pending events, so that a hanging main thread does not fill the memory. More events are rejected.
    private nonisolated static let eventLimit = 1_024

    /// Connects to the device and runs the app until it ends.
    ///
    /// - Throws: If the connection or the launch fails.
    static func begin(_ settings: HostSettings, name: String, _ launch: HostedApp.Launch) async throws {
        let link = try AppLink.connect(path: settings.link)
        let version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "1.0.0"
        let processID = Int(ProcessInfo.processInfo.processIdentifier)
        link.send(.hello(AppHello(name: name, appVersion: version, processID: processID)))
        let begin = try await begin(over: link, timeout: settings.beginTimeout)
        var initial = begin.conditions
        let lifecycle = initial.lifecycle == .launching ? .active : initial.lifecycle
        initial.lifecycle = .launching
        let conditions = SimulatedConditions(initial)
        let device = SimulatedHost(
            conditions: conditions, resourceAttributes: settings.device, endpoint: settings.endpoint,
            sampling: settings.sampling, screenRecorder: ReplayRecorder.factory)
        SimulatedHost.current.withLock { $0 = device }
        try ProcessTimeZone.set(begin.settings.timeZone)
        let app = try launch(begin.settings, lifecycle)
        let session = DeviceSession(
            app, link: link, conditions: conditions, device: .of(begin.settings),
            sendTimeout: settings.sendTimeout)
        conditions.moveLifecycle(to: lifecycle)
        // The first frame has no scheduled time, and is shown now that the app is in the foreground.
        Telemetry.shared.frames.record(began: .zero, promised: app.firstFrame, ended: app.firstFrame)
        await session.run()
    }

    private init(
        _ app: any HostedScreen, link: AppLink, conditions: SimulatedConditions, device: DeviceProfile,
        sendTimeout: Duration,
    ) {
        self.app = app
        self.link = link
        self.conditions = conditions
        screen = ScreenSource(device)
        ending = AppEnding(conditions, link: link, status: status, sendTimeout: sendTimeout)
        ending.listenForSignals()
        sender = ScreenSender(link)
        app.onFrame = { [weak self] frame in self?.presented(frame) }
        sender.show(app.tree)
        screen.show(app.tree)
        attachReplay()
    }

    private func presented(_ frame: HostedFrame) {
        sender.show(app.tree)
        screen.show(app.tree)
        sender.count(frame.duration, missed: frame.missed)
        attachReplay()
        Telemetry.shared.frames.record(began: frame.began, promised: frame.promised, ended: frame.ended)
    }

    /// Gives the screen to the SDK as soon as the app has started it.
    private func attachReplay() {
        let telemetry = Telemetry.shared
        guard telemetry.isEnabled, telemetry !== replayed else { return }
        replayed = telemetry
        telemetry.replay.attach(screen)
    }

    /// The response of the device to hello.
    private static func begin(over link: AppLink, timeout: Duration) async throws -> DeviceBegin {
        let alarm = Task {
            try await Task.sleep(for: timeout)
            link.close()
        }
        defer { alarm.cancel() }
        for await message in link.messages {
            guard case .begin(let begin) = message else { continue }
            guard begin.version == LinkVersion.current else {
                throw HostError(
                    "expected version \(LinkVersion.current) of the device link; found version "
                        + "\(begin.version). Build the app and the device from the same sources.")
            }
            return begin
        }
        throw HostError(
            "timed out after \(timeout) waiting for the device's begin message. See Docs/Internals/DeviceLink.md.")
    }

    private func run() async {
        let (sender, status, link) = (sender, status, link)
        Task.detached(priority: .userInitiated) { await sender.run() }
        Task.detached(priority: .utility) { await status.run(to: link) }
        let (orders, order) = AsyncStream.makeStream(of: Order.self)
        Task.detached(priority: .userInitiated) { await self.listen(order) }
        for await order in orders { carryOut(order) }
    }

    /// The messages that only the main thread can handle.
    private enum Order: Sendable {
        case phase(LifecycleState)
        case settings(DeviceSettings)
        case event(NumberedEvent)
        case open(URL)
        case resource(String)
    }

    /// Handles the device's messages on another thread, so that conditions and the end also arrive while the main
    /// thread hangs.
    private nonisolated func listen(_ order: AsyncStream<Order>.Continuation) async {
        for await message in link.messages {
            switch message {
            case .begin, .clock: break
            case .conditions(let update):
                conditions.apply(update)
                if let lifecycle = update.lifecycle { order.yield(.phase(lifecycle)) }
            case .settings(let settings): order.yield(.settings(settings))
            case .event(let event):
                let hasRoom = waitingEvents.withLock { count in
                    guard count < Self.eventLimit else { return false }
                    count += 1
                    return true
                }
                if hasRoom {
                    order.yield(.event(event))
                } else {
                    sender.post(.outcome(EventReply(number: event.number, outcome: .notOffered)))
                }
            case .open(let url): order.yield(.open(url))
            case .resource(let name): order.yield(.resource(name))
            case .screen: sender.showAgain()
            case .keepRecording: Telemetry.shared.keepRecording(reason: "phone")
            case .terminate: ending.begin()
            }
        }
        // The device has closed the link.
        ending.begin()
    }

    private func carryOut(_ order: Order) {
        switch order {
        case .phase(let lifecycle): app.move(to: lifecycle)
        case .settings(let settings):
            // It could be set at the launch, so it can be set again.
            try? ProcessTimeZone.set(settings.timeZone)
            screen.device = .of(settings)
            app.apply(settings)
        case .event(let event):
            waitingEvents.withLock { $0 -= 1 }
            let outcome = app.send(event.event)
            sender.post(.outcome(EventReply(number: event.number, outcome: outcome)))
        case .open(let url): app.open(url)
        case .resource(let name):
            sender.post(.resource(app.image(name) ?? ResourceReply(name: name)))
        }
    }
}
