import AstrolabeDeviceConditions
package import DeviceLink
import Foundation
package import ViewTree

/// A phone around an app that is a real process: it starts and ends it, tells it what an operating system would, shows
/// its screen, touches it, and is its network.
///
///     let phone = PhoneSimulator(PhoneConfiguration(executable: app, folder: folder))
///     try await phone.connect(shop: ServerAddress(port: 8080), collector: ServerAddress(port: 4318))
///     try await phone.perform(.launch)
///     try await phone.set { $0.network = .airplane }
package actor PhoneSimulator {
    nonisolated package let configuration: PhoneConfiguration
    var settings: PhoneSettings
    var app = PhoneState.App()
    var process: AppProcess?
    var listener: LinkListener?
    var link: DeviceLinkEnd?
    var relays: Relays?
    var lifecycle = LifecycleState.active
    /// The app's screen as it was told last; kept after the app's end.
    package var screen: RenderedTree?
    package var status: AppStatus?
    /// What the app's telemetry has taken of the network, by its last word.
    package var uploads: (bytes: Int, requests: Int) { (status?.bytesSent ?? 0, status?.requests ?? 0) }
    private var watchers: [Int: AsyncStream<PhoneEvent>.Continuation] = [:]
    private var lastNumber = 0
    private var lastEvent = 0
    private var outcomes: [Int: CheckedContinuation<EventOutcome?, Never>] = [:]
    private var pictures: [String: ResourceReply] = [:]
    private var pictureWaiters: [String: [CheckedContinuation<ResourceReply?, Never>]] = [:]

    struct Relays {
        let shop: NetworkRelay
        let collector: NetworkRelay
    }

    private static let newsKept = 512
    /// Outcomes, and pictures, that are waited for at one moment; one more is refused.
    private static let awaited = 1_000
    /// Pictures that are kept, by number; all go when there is one more.
    private static let picturesKept = 200

    /// Where the app finds its link. Short, as the path of a socket may have 104 bytes on some systems.
    nonisolated let linkPath: String

    package init(_ configuration: PhoneConfiguration) {
        self.configuration = configuration
        linkPath =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("phone-\(UUID().uuidString.prefix(8)).link").path
        settings = configuration.settings
    }

    package var state: PhoneState {
        PhoneState(
            app: app, settings: settings,
            device: .init(name: configuration.model.name, system: "iOS \(configuration.model.system)"),
            links: .init(console: configuration.consolePath),
        )
    }

    /// The phone as it is, and what happens to it from now on.
    package func watch() -> PhoneSubscription {
        let (news, continuation) = AsyncStream<PhoneEvent>.makeStream(bufferingPolicy: .bufferingNewest(Self.newsKept))
        lastNumber += 1
        let number = lastNumber
        watchers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.forget(watcher: number) }
        }
        return PhoneSubscription(state: state, screen: screen, status: status, news: news)
    }

    private func forget(watcher number: Int) {
        watchers[number] = nil
    }

    func tell(_ news: PhoneEvent) {
        for watcher in watchers.values { watcher.yield(news) }
    }

    func tellState() { tell(.state(state)) }

    /// Ends every watch, as the phone is switched off.
    func endWatches() {
        for watcher in watchers.values { watcher.finish() }
        watchers = [:]
    }
}

// The screen.
extension PhoneSimulator {
    /// Touches the screen; ``PhoneEvent/outcome(_:)`` of the same number tells what came of it.
    ///
    /// - Throws: ``PhoneError/wrongPhase(_:)`` where no app runs, ``PhoneError/notTaken(_:)`` where it can be told
    ///   nothing more.
    @discardableResult
    package func send(_ event: ViewEvent) throws(PhoneError) -> Int {
        guard let link else { throw .wrongPhase("no app runs on the phone") }
        lastEvent += 1
        guard link.send(.event(NumberedEvent(number: lastEvent, event: event))) else {
            throw .notTaken("the event is too long, or too many wait for an app that takes none")
        }
        return lastEvent
    }

    /// Touches the screen, and returns what came of it: nil where the app ended over it, or the task was cancelled
    /// before the app answered.
    package func touch(_ event: ViewEvent) async throws(PhoneError) -> EventOutcome? {
        guard outcomes.count < Self.awaited else {
            throw .wrongPhase("the app has not answered \(outcomes.count) touches; it hangs, or is suspended")
        }
        let number = try send(event)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                if Task.isCancelled {
                    waiter.resume(returning: nil)
                } else {
                    outcomes[number] = waiter
                }
            }
        } onCancel: {
            Task { await self.giveUp(number) }
        }
    }

    private func giveUp(_ number: Int) { outcomes.removeValue(forKey: number)?.resume(returning: nil) }

    /// A picture that the screen names.
    package func picture(_ name: String) async throws(PhoneError) -> ResourceReply {
        if let picture = pictures[name] { return picture }
        guard let link, pictureWaiters.count < Self.awaited else { throw .noSuchPicture(name) }
        if pictureWaiters[name] == nil { link.send(.resource(name)) }
        let reply = await withCheckedContinuation { pictureWaiters[name, default: []].append($0) }
        guard let reply, reply.data != nil else { throw .noSuchPicture(name) }
        return reply
    }

    func settle(_ reply: EventReply) {
        outcomes.removeValue(forKey: reply.number)?.resume(returning: reply.outcome)
        tell(.outcome(reply))
    }

    func settle(_ reply: ResourceReply) {
        if reply.data != nil {
            if pictures.count >= Self.picturesKept { pictures = [:] }
            pictures[reply.name] = reply
        }
        for waiter in pictureWaiters.removeValue(forKey: reply.name) ?? [] { waiter.resume(returning: reply) }
    }

    /// Whoever waits for an answer of the app's gets none any more.
    func settleAll() {
        for waiter in outcomes.values { waiter.resume(returning: nil) }
        for waiter in pictureWaiters.values.joined() { waiter.resume(returning: nil) }
        outcomes = [:]
        pictureWaiters = [:]
    }
}
