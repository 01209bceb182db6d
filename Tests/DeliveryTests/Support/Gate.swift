import AstrolabeDelivery
import AstrolabePlatform

/// Holds requests until a test lets them pass.
final class Gate: Sendable {
    private struct State {
        var isOpen = true
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    private let arrivals: AsyncStream<Void>
    private let arrive: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
    }

    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until a request is held.
    func arrival() async { _ = await arrivals.first { true } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() } else { arrive.yield() }
        }
    }
}

/// A network that accepts every request that the gate lets pass.
struct GatedNetwork: OTLPTransport {
    let gate: Gate

    func send(_ request: OTLPRequest) async -> SendResult {
        await gate.pass()
        return TestNetwork.taken
    }
}
