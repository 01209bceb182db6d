import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeTelemetryModel

/// A device's way to the collector, as bad as its timeline says: requests take time, get lost, and lose their answers.
///
/// The path that counts is that of the moment in virtual time, also where it changes while a request is on its way.
final class VirtualNetwork: OTLPTransport {
    /// What the network tells of a request; the device keeps its books by it.
    struct Events: Sendable {
        /// The collector has got these records, at a time; the device will not be told where there is a silence.
        var arrived: @Sendable ([ReceivedRecord], Double, RecordBook.UnacknowledgedReason?) -> Void
        /// A request held something that no device should send.
        var fault: @Sendable (String) -> Void
        /// The process dies now.
        var died: @Sendable () -> Void
    }

    struct Traffic: Sendable {
        var requests = 0
        /// Requests that got no answer, and those that were refused.
        var failures = 0
        var refusals = 0
        /// Bytes of bodies, retries included.
        var bytes: [NetworkPath.Medium: Int] = [:]
    }

    private let device: Int
    private let clock: VirtualClock
    private let paths: [(time: Double, path: NetworkPath, link: LinkQuality)]
    private let weather: CollectorOutages
    private let state: Locked<State>

    private struct State {
        var chance: SeededRandom
        var events: Events?
        var traffic = Traffic()
        /// The next request is the last.
        var isDoomed = false
        var isOff = false
    }

    init(device: Int, clock: VirtualClock, timeline: DeviceTimeline, weather: CollectorOutages, seed: UInt64) {
        self.device = device
        self.clock = clock
        paths = timeline.paths
        self.weather = weather
        state = Locked(State(chance: SeededRandom(seed: seed, stream: .requests, device: device)))
    }

    func connect(_ events: Events) { state.withLock { $0.events = events } }

    /// Lets the process die with its next request.
    func scheduleKill(_ isDoomed: Bool = true) { state.withLock { $0.isDoomed = isDoomed } }

    /// Takes nothing any more.
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
        let (events, isDoomed, isOff, chances) = state.withLock { state in
            let isDoomed = state.isDoomed
            state.isDoomed = false
            if !state.isOff { state.traffic.requests += 1 }
            return (state.events, isDoomed, state.isOff, Chances(link, &state.chance))
        }
        if isOff { return .unreachable("the simulation is over") }
        guard let events, path.isOnline else {
            state.withLock { $0.traffic.failures += 1 }
            clock.advance(to: start + 0.05)
            return .unreachable("there is no path to the network")
        }
        let duration = chances.latency + Double(request.body.count) / link.bytesPerSecond
        let arrival = start + duration * 0.8
        let end = self.path(at: start + duration)
        let isLost = chances.isLost || !end.path.isOnline || end.link == .dead
        state.withLock { $0.traffic.bytes[path.medium, default: 0] += request.body.count }

        if isDoomed {
            if !isLost, chances.isDeathLate, weather.refusal(at: arrival) == nil {
                take(request, at: arrival, silence: .kill, events)
            }
            clock.advance(to: start + duration / 2)
            events.died()
            return .unreachable("the process is dead")
        }
        if isLost {
            let wasTaken = chances.isAnswerLost && self.path(at: arrival).path.isOnline && link != .dead
            if wasTaken, weather.refusal(at: arrival) == nil {
                take(request, at: arrival, silence: .lostAnswer, events)
            }
            state.withLock { $0.traffic.failures += 1 }
            clock.advance(to: start + min(max(duration, 2), request.timeout))
            return .unreachable("the request timed out")
        }
        clock.advance(to: start + duration)
        if let refusal = weather.refusal(at: arrival) {
            state.withLock { $0.traffic.refusals += 1 }
            return refusal
        }
        take(request, at: arrival, silence: nil, events)
        return .response(status: 200, retryAfter: nil, body: [])
    }

    private func take(
        _ request: OTLPRequest, at time: Double, silence: RecordBook.UnacknowledgedReason?, _ events: Events,
    ) {
        do {
            events.arrived(try FleetCollector.read(request, from: device), time, silence)
        } catch {
            events.fault("\(error)")
        }
    }

    /// All that chance says of one request: drawn together, so that one request takes the same number of draws as any.
    private struct Chances {
        let latency: Double
        let isLost: Bool
        /// Of what is lost, it is the answer and not the request.
        let isAnswerLost: Bool
        /// Where the process dies, it is after the request has arrived.
        let isDeathLate: Bool

        init(_ link: LinkQuality, _ chance: inout SeededRandom) {
            latency = chance.within(link.latency)
            isLost = chance.happens(link.loss)
            isAnswerLost = chance.happens(0.3)
            isDeathLate = chance.happens(0.5)
        }
    }
}
