#if os(Linux)
import Astrolabe
import AstronomyShop
import AstrolabeDeviceConditions
import DeviceLink
import Foundation
import AstrolabePlatform
import ViewTree
import SwiftUI

/// Runs the app on a device at the other end of a link, and changes its state as iOS does.
@MainActor
final class DeviceSession {
    private let link: AppLink
    private let conditions: SimulatedConditions
    private let status: StatusReporter
    private let host: ViewHost
    private let sender: ScreenSender
    private let screen = ScreenSource()
    private let ending: AppEnding
    /// The received events that the main thread has not handled yet.
    private let waitingEvents = Locked(0)

    /// The limit of pending events, so that a hanging main thread does not fill the memory. More events are rejected.
    private nonisolated static let eventLimit = 1_024
    private static let beginTimeout = Duration.seconds(5)
    /// The frame of the first screen.
    private let firstFrame: Duration

    /// Connects to the device and runs the app until it ends. Throws if the connection fails.
    static func begin(_ settings: AppSettings, path: String) async throws {
        let link = try AppLink.connect(path: path)
        link.send(
            .hello(
                AppHello(
                    name: ShopLaunch.name, appVersion: ShopLaunch.version,
                    processID: Int(ProcessInfo.processInfo.processIdentifier),
                )))
        let begin = try await begin(over: link)
        Translations.install(try .ofShop(locale: begin.settings.locale))
        var initial = begin.conditions
        let lifecycle = initial.lifecycle == .launching ? .active : initial.lifecycle
        initial.lifecycle = .launching
        let conditions = SimulatedConditions(initial)
        var sampling = Sampling.automatic
        let telemetry = try ShopLaunch.prepare(
            shop: settings.shop, storage: settings.storage, phone: settings.phone,
        ) { configuration in
            sampling = configuration.sampling
            configuration.conditions = conditions
            configuration.treatsLoopbackAsReachable = false
        }
        let session = DeviceSession(
            link: link, conditions: conditions, status: StatusReporter(telemetry: telemetry, sampling: sampling),
            traits: DeviceTraits(begin.settings, phase: ScenePhase(lifecycle)),
        )
        conditions.moveLifecycle(to: lifecycle)
        // The first frame has no scheduled time, and is shown now that the app is in the foreground.
        telemetry.frames.record(began: .zero, promised: session.firstFrame, ended: session.firstFrame)
        await session.run()
    }

    private init(link: AppLink, conditions: SimulatedConditions, status: StatusReporter, traits: DeviceTraits) {
        let telemetry = status.telemetry
        self.link = link
        self.conditions = conditions
        self.status = status
        ending = AppEnding(telemetry, link: link, status: status)
        ending.listenForSignals()
        sender = ScreenSender(link)
        let clock = ContinuousClock()
        let began = clock.now
        host = ViewHost(app: AstronomyShopApp(), traits: traits)
        firstFrame = clock.now - began
        host.onFrame = { [weak self] frame in
            guard let self else { return }
            sender.show(host.tree)
            screen.show(host.tree)
            sender.count(frame.duration, missed: frame.missed)
            telemetry.frames.record(began: frame.began, promised: frame.promised, ended: frame.ended)
        }
        sender.show(host.tree)
        screen.show(host.tree)
        telemetry.replay.attach(screen)
    }

    /// The response of the device to hello.
    private static func begin(over link: AppLink) async throws -> DeviceBegin {
        let alarm = Task {
            try await Task.sleep(for: beginTimeout)
            link.close()
        }
        defer { alarm.cancel() }
        for await message in link.messages {
            guard case .begin(let begin) = message else { continue }
            guard begin.version == LinkVersion.current else {
                throw SettingsError(
                    "expected version \(LinkVersion.current) of the device link; found version "
                        + "\(begin.version). Build the app and the device from the same sources.")
            }
            return begin
        }
        throw SettingsError(
            "timed out after \(beginTimeout) waiting for the device's begin message. See Docs/Internals/DeviceLink.md.")
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
            case .resource(let name): order.yield(.resource(name))
            case .screen: sender.showAgain()
            case .terminate: ending.begin()
            }
        }
        // The device has closed the link.
        ending.begin()
    }

    private func carryOut(_ order: Order) {
        switch order {
        case .phase(let lifecycle): host.traits.scenePhase = ScenePhase(lifecycle)
        case .settings(let settings): host.traits = DeviceTraits(settings, phase: host.traits.scenePhase)
        case .event(let event):
            waitingEvents.withLock { $0 -= 1 }
            let outcome = host.send(event.event)
            sender.post(.outcome(EventReply(number: event.number, outcome: outcome)))
        case .resource(let name):
            let resource = host.resource(name)
            sender.post(.resource(ResourceReply(name: name, type: resource?.type, data: resource?.data)))
        }
    }
}

extension Translations {
    /// The translations in this program's `Resources`, which are those of the app in Xcode.
    static func ofShop(locale: String) throws -> Translations {
        try Translations(.module, locale: Locale(identifier: locale))
    }
}

extension ScenePhase {
    init(_ lifecycle: LifecycleState) {
        switch lifecycle {
        case .active: self = .active
        case .launching, .inactive: self = .inactive
        case .background, .suspended, .terminated: self = .background
        }
    }
}

extension DeviceTraits {
    /// An unknown text size counts as the default.
    init(_ settings: DeviceSettings, phase: ScenePhase) {
        self.init()
        colorScheme = settings.isDark ? .dark : .light
        dynamicTypeSize = DynamicTypeSize(name: settings.textSize) ?? .large
        locale = Locale(identifier: settings.locale)
        reduceMotion = settings.reducesMotion
        scenePhase = phase
    }
}
#endif
