import AstrolabePlatform

/// The way from the SDK to a ``TelemetryCollector``, which fails as the test says.
///
///     collector.network.goOffline()
///     collector.network.answerNext(.refused(status: 503), .answerLost)
///     collector.network.setDelay(.seconds(3))
///
/// It starts as one that works. What the device knows of its network is another matter: a `SimulatedDevice` that goes
/// offline keeps the SDK from trying.
public final class SimulatedNetwork: Sendable {
    private struct State {
        var answer = NetworkResponse.taken
        var next: [NetworkResponse] = []
        var delay = Duration.zero
        var requests: [NetworkRequest] = []
    }

    private let state = Locked(State())
    private let clock: TestClock?

    init(clock: TestClock?) {
        self.clock = clock
    }

    /// Answers every request so from now on, after those that `answerNext` has named.
    public func answer(_ answer: NetworkResponse) { state.withLock { $0.answer = answer } }

    /// Adds responses for the next requests, one each, which come before any other response.
    public func answerNext(_ answers: NetworkResponse...) { state.withLock { $0.next += answers } }

    public func goOffline() { answer(.unreachable) }

    /// Takes every request, from the next on.
    public func goOnline() {
        state.withLock { state in
            state.answer = .taken
            state.next = []
        }
    }

    /// Takes so long for each request from now on, in the collector's time. Longer than the endpoint's time-out is an
    /// answer that never comes.
    public func setDelay(_ delay: Duration) { state.withLock { $0.delay = delay } }

    /// All requests so far, in order.
    public var requests: [NetworkRequest] { state.withLock { $0.requests } }

    /// The answer to a request that is sent now; waits for as long as the network takes.
    func pass(_ request: NetworkRequest, timeout: Duration) async throws -> NetworkResponse {
        let (answer, delay) = state.withLock { state in
            let answer = state.next.isEmpty ? state.answer : state.next.removeFirst()
            var request = request
            request.answer = state.delay > timeout ? .unreachable : answer
            state.requests.append(request)
            return (answer, state.delay)
        }
        guard delay > .zero else { return answer }
        let wait = min(delay, timeout)
        if let clock {
            try await clock.sleep(until: clock.now.advanced(by: wait))
        } else {
            try await Task.sleep(for: wait)
        }
        return delay > timeout ? .timedOut : answer
    }
}

/// A request that the SDK sent, whatever became of it.
public struct NetworkRequest: Hashable, Sendable {
    /// `/v1/traces`, `/v1/logs` or `/v1/metrics`.
    public let path: String
    public let headers: [String: String]
    /// Of the body, as sent.
    public let byteCount: Int
    public internal(set) var answer = NetworkResponse.taken
}

extension NetworkRequest: CustomStringConvertible {
    /// Without the values of headers, which may hold keys.
    public var description: String { "\(path), \(byteCount) bytes: \(answer)" }
}
