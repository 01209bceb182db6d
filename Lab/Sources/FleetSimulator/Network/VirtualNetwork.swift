import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeTelemetryModel

/// A device's network, with the quality of its timeline: requests take time, and requests and responses get lost.
///
/// The path at each virtual time counts, even if it changes during a request.
final class VirtualNetwork: OTLPTransport {
    /// The events of a request, which the device adds to its record book.
    struct Events: Sendable {
        /// The collector received these records. If the reason is set, the device gets no acknowledgement.
        var arrived: @Sendable ([ReceivedRecord], Double, RecordBook.UnacknowledgedReason?) -> Void
        /// A request had content that no device should send.
        var fault: @Sendable (String) -> Void
        /// The process is killed now.
        var died: @Sendable () -> Void
    }

    struct Traffic: Sendable {
        var requests = 0
        /// The requests without a response, and those with an error response.
        var failures = 0
        var refusals = 0
        /// The bytes of bodies, including retries.
        var bytes: [NetworkPath.Medium: Int] = [:]
    }

    private let device: Int
    private let clock: VirtualClock
    private let paths: [(time: Double, path: NetworkPath, link: LinkQuality)]
    private let outages: CollectorOutages
    private let receiver: FleetReceiver?
    private let state: Locked<State>

    private struct State {
        var chance: SeededRandom
        var events: Events?
        var traffic = Traffic()
        /// True if the process is killed during the next request.
        var killsOnNextRequest = false
        var isOff = false
    }

    init(
        device: Int, clock: VirtualClock, timeline: DeviceTimeline, outages: CollectorOutages, seed: UInt64,
        receiver: FleetReceiver? = nil,
    ) {
        self.receiver = receiver
        self.device = device
        self.clock = clock
        paths = timeline.paths
        self.outages = outages
        state = Locked(State(chance: SeededRandom(seed: seed, stream: .requests, device: device)))
    }

    func connect(_ events: Events) { state.withLock { $0.events = events } }

    /// Sets whether the process is killed during its next request.
    func scheduleKill(_ killsOnNextRequest: Bool = true) {
        state.withLock { $0.killsOnNextRequest = killsOnNextRequest }
    }

    /// Makes the network accept nothing more.
    func turnOff() { state.withLock { $0.isOff = true } }

    var traffic: Traffic { state.withLock { $0.traffic } }

    private func path(at time: Double) -> (path: NetworkPath, link: LinkQuality) {
        var (low, high) = (0, paths.count)
        while low < high {
            let middle = (low + high) / 2
            if paths[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? (.offline, .dead) : (paths[low - 1].path, paths[low - 1].link)
    }

    func send(_ request: OTLPRequest) async -> SendResult {
        let start = clock.now
        let (path, link) = path(at: start)
        let (events, killsOnNextRequest, isOff, chances) = state.withLock { state in
            let killsOnNextRequest = state.killsOnNextRequest
            state.killsOnNextRequest = false
            if !state.isOff { state.traffic.requests += 1 }
            return (state.events, killsOnNextRequest, state.isOff, Chances(link, &state.chance))
        }
        if isOff { return .unreachable("the simulation has ended") }
        guard let events, path.isOnline else {
            state.withLock { $0.traffic.failures += 1 }
            clock.advance(to: start + 0.05)
            return .unreachable("no network path")
        }
        let duration = chances.latency + Double(request.body.count) / link.bytesPerSecond
        let arrival = start + duration * 0.8
        let end = self.path(at: start + duration)
        let isLost = chances.isLost || !end.path.isOnline || end.link == .dead
        state.withLock { $0.traffic.bytes[path.medium, default: 0] += request.body.count }

        if killsOnNextRequest {
            if !isLost, chances.isKillLate, outages.refusal(at: arrival) == nil {
                _ = await take(request, at: arrival, unacknowledged: .kill, events)
            }
            clock.advance(to: start + duration / 2)
            events.died()
            return .unreachable("the process was killed")
        }
        if isLost {
            let wasTaken = chances.isResponseLost && self.path(at: arrival).path.isOnline && link != .dead
            if wasTaken, outages.refusal(at: arrival) == nil {
                _ = await take(request, at: arrival, unacknowledged: .lostResponse, events)
            }
            state.withLock { $0.traffic.failures += 1 }
            clock.advance(to: start + min(max(duration, 2), request.timeout / .seconds(1)))
            return .timedOut
        }
        clock.advance(to: start + duration)
        if let refusal = outages.refusal(at: arrival) {
            state.withLock { $0.traffic.refusals += 1 }
            return refusal
        }
        if let refusal = await take(request, at: arrival, unacknowledged: nil, events) {
            state.withLock { $0.traffic.refusals += 1 }
            return refusal
        }
        return .response(status: 200, retryAfter: nil, body: [])
    }

    /// Takes a request that arrives. If there is a receiver, the records have arrived if it has taken them.
    ///
    /// - Returns: The receiver's answer if that is an error.
    private func take(
        _ request: OTLPRequest, at time: Double, unacknowledged: RecordBook.UnacknowledgedReason?, _ events: Events,
    ) async -> SendResult? {
        if let receiver {
            switch await receiver.send(request) {
            case .response(200, _, let body) where body.isEmpty: break
            case .response(200, _, let body):
                events.fault("the receiver rejected records: " + String(decoding: body.prefix(200), as: UTF8.self))
            case let failure: return failure
            }
        }
        do {
            events.arrived(try FleetCollector.read(request, from: device), time, unacknowledged)
        } catch {
            events.fault("\(error)")
        }
        return nil
    }

    /// The random numbers of one request. They are drawn together, so that every request draws the same number.
    private struct Chances {
        let latency: Double
        let isLost: Bool
        /// True if a lost request loses its response instead of the request.
        let isResponseLost: Bool
        /// True if the process is killed after the request has arrived.
        let isKillLate: Bool

        init(_ link: LinkQuality, _ chance: inout SeededRandom) {
            latency = chance.within(link.latency)
            isLost = chance.happens(link.loss)
            isResponseLost = chance.happens(0.3)
            isKillLate = chance.happens(0.5)
        }
    }
}
