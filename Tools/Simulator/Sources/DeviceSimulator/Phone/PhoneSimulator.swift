import AstrolabeDeviceConditions
package import DeviceLink
import Foundation
package import ViewTree

/// A simulated phone that runs an app as a real process.
///
/// The phone starts and ends the app, reports device conditions to it, shows its screen, sends it touches and relays
/// its network traffic.
///
///     let phone = PhoneSimulator(PhoneConfiguration(executable: app, folder: folder))
///     try await phone.connect(backend: ServerAddress(port: 8080), collector: ServerAddress(port: 4318))
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
    /// True if the running app has said hello over the link.
    var hasHello = false
    /// URLs for the app as soon as it has said hello.
    var waitingURLs: [URL] = []
    /// The virtual time; `nil` if the phone's time is real.
    package var time: PhoneTime?
    /// The continuation of the task that waits until the app has come to the phone's time.
    var clockWaiter: CheckedContinuation<Void, Never>?
    /// Requests that the SDK of earlier launches has sent.
    var earlierRequests = 0
    /// The last screen that the app reported. It stays after the app has ended.
    package var screen: RenderedTree?
    package var status: AppStatus?
    /// The last lines that the app wrote since its launch.
    package var output: [String] = []
    /// The lines that subscribers do not have yet.
    var unpublishedOutput: [String] = []
    /// Writes down what a person does; it has what it wrote when it no longer records.
    var recorder: ScenarioRecorder?
    var isRecording = false
    /// The bytes and requests that the SDK has sent, by its last status.
    package var uploads: (bytes: Int, requests: Int) { (status?.bytesSent ?? 0, status?.requests ?? 0) }
    private var subscribers: [Int: AsyncStream<PhoneEvent>.Continuation] = [:]
    private var lastNumber = 0
    private var lastEvent = 0
    private var outcomes: [Int: CheckedContinuation<EventOutcome?, Never>] = [:]
    private var pictures: [String: ResourceReply] = [:]
    private var pictureWaiters: [String: [CheckedContinuation<ResourceReply?, Never>]] = [:]

    struct Relays {
        /// `nil` if the app has no backend.
        let backend: NetworkRelay?
        /// The path of the backend's address, such as "/api".
        let backendPath: String
        let collector: NetworkRelay
    }

    private static let bufferedEvents = 512
    /// The limit of pending outcomes, and of pending images; one more throws an error.
    private static let pendingLimit = 1_000
    /// The limit of cached images; one more empties the cache.
    private static let cachedPictures = 200

    /// The path of the link's socket. It is short, because some systems limit such paths to 104 bytes.
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
            device: .init(
                settings.device.profile.turned(settings.isLandscape), app: configuration.appName,
                system: configuration.system),
            links: .init(console: configuration.consolePath),
            recording: recorder.map { .init(isOn: isRecording, steps: $0.count) },
        )
    }

    /// Returns the current state and a stream of all later events.
    package func subscribe() -> PhoneSubscription {
        let (events, continuation) = AsyncStream<PhoneEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferedEvents))
        lastNumber += 1
        let number = lastNumber
        subscribers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.removeSubscriber(number) }
        }
        return PhoneSubscription(state: state, screen: screen, status: status, output: output, events: events)
    }

    private func removeSubscriber(_ number: Int) {
        subscribers[number] = nil
    }

    func publish(_ event: PhoneEvent) {
        for subscriber in subscribers.values { subscriber.yield(event) }
    }

    func publishState() { publish(.state(state)) }

    /// Ends all subscriptions, when the phone is switched off.
    func endSubscriptions() {
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
    }
}

// The screen.
extension PhoneSimulator {
    /// Sends a touch to the app without waiting for its response.
    ///
    /// - Returns: The number of the event. ``PhoneEvent/outcome(_:)`` with the same number is its response.
    /// - Throws: ``PhoneError/wrongPhase(_:)`` if no app runs, ``PhoneError/notSent(_:)`` if the link's queue is full.
    @discardableResult
    package func send(_ event: ViewEvent) throws(PhoneError) -> Int {
        guard let link else { throw .wrongPhase("no app is running on the phone") }
        lastEvent += 1
        guard link.send(.event(NumberedEvent(number: lastEvent, event: event))) else {
            throw .notSent("the event is too long, or too many events are pending")
        }
        if isRecording { recorder?.sent(event, number: lastEvent, to: screen) }
        return lastEvent
    }

    /// Sends a touch to the app and waits for its response.
    ///
    /// - Returns: `nil` if the app ends or the task is cancelled before the response.
    package func touch(_ event: ViewEvent) async throws(PhoneError) -> EventOutcome? {
        guard outcomes.count < Self.pendingLimit else {
            throw .wrongPhase("the app has not responded to \(outcomes.count) touches; it hangs or is suspended")
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
            Task { await self.abandon(number) }
        }
    }

    private func abandon(_ number: Int) { outcomes.removeValue(forKey: number)?.resume(returning: nil) }

    /// Returns the image of a name that the screen contains.
    package func picture(_ name: String) async throws(PhoneError) -> ResourceReply {
        if let picture = pictures[name] { return picture }
        guard let link, pictureWaiters.count < Self.pendingLimit else { throw .noSuchPicture(name) }
        if pictureWaiters[name] == nil { link.send(.resource(name)) }
        let reply = await withCheckedContinuation { pictureWaiters[name, default: []].append($0) }
        guard let reply, reply.data != nil else { throw .noSuchPicture(name) }
        return reply
    }

    func settle(_ reply: EventReply) {
        outcomes.removeValue(forKey: reply.number)?.resume(returning: reply.outcome)
        publish(.outcome(reply))
        record { $0.settled(reply.number, reply.outcome) }
    }

    func settle(_ reply: ResourceReply) {
        if reply.data != nil {
            if pictures.count >= Self.cachedPictures { pictures = [:] }
            pictures[reply.name] = reply
        }
        for waiter in pictureWaiters.removeValue(forKey: reply.name) ?? [] { waiter.resume(returning: reply) }
    }

    /// Resumes everything that waits for a response of the app, without a response.
    func cancelPending() {
        for waiter in outcomes.values { waiter.resume(returning: nil) }
        for waiter in pictureWaiters.values.joined() { waiter.resume(returning: nil) }
        outcomes = [:]
        pictureWaiters = [:]
        clockWaiter?.resume()
        clockWaiter = nil
    }
}
