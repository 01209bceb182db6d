import Astrolabe
import AstrolabePlatform
import DeviceLink
import Foundation

/// Sends requests over a real socket, and lets them take as long as the device's network takes, in virtual time.
final class Modem: OTLPTransport {
    private struct State {
        var inTransit = 0
        var held = 0
        /// True if the app starts. Time cannot pass then, because the start may wait for a request, so requests take
        /// none.
        var isStarting = true
    }

    private let time: VirtualTime
    private let socket = URLSessionTransport()
    private let state = Locked(State())

    /// Real time for a request, after which this machine is broken.
    private static let realTimeout = Duration.seconds(60)

    init(_ time: VirtualTime) {
        self.time = time
    }

    /// The number of requests that are on the socket, so that time must not pass.
    var inTransit: Int { state.withLock { $0.inTransit } }

    /// The number of requests that wait for time to pass.
    var held: Int { state.withLock { $0.held } }

    /// The app has started: from now on requests take virtual time.
    func endStart() { state.withLock { $0.isStarting = false } }

    func send(_ request: OTLPRequest) async -> SendResult {
        let network = time.device
        let timeout = request.timeout.seconds
        let transfer = network.bytesPerSecond.map { Double(request.body.count) / $0 } ?? 0
        let response = transfer + network.responseDelay
        guard await hold(min(transfer, timeout)) else { return .unreachable("cancelled") }
        if transfer > timeout { return .timedOut }
        let result = await transmit(request)
        if case .unreachable = result { return result }
        guard await hold(min(response, timeout) - transfer) else { return .unreachable("cancelled") }
        return response > timeout ? .timedOut : result
    }

    private func transmit(_ request: OTLPRequest) async -> SendResult {
        state.withLock { $0.inTransit += 1 }
        defer { state.withLock { $0.inTransit -= 1 } }
        var request = request
        request.timeout = Self.realTimeout
        request.headers[AppHello.processHeader] = "\(ProcessInfo.processInfo.processIdentifier)"
        request.headers[AppHello.uptimeHeader] = "\(time.uptime)"
        return await socket.send(request)
    }

    /// Returns false if the task is cancelled before.
    private func hold(_ seconds: Double) async -> Bool {
        let isHeld = state.withLock { state in
            guard seconds > 0, !state.isStarting else { return false }
            state.held += 1
            return true
        }
        guard isHeld else { return !Task.isCancelled }
        defer { state.withLock { $0.held -= 1 } }
        return (try? await time.sleep(seconds)) != nil
    }
}
