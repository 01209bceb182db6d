import AstrolabeDelivery
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

/// A collector, or the way to it, that fails for a long time, on a virtual clock.
@Suite(.timeLimit(.minutes(5))) struct `An outage` {
    /// By default one status of each kind: `RetryPolicyTests` has the decision for every other one.
    private static let statuses =
        Thoroughness.isThorough ? [500, 502, 503, 504, 429, 401, 403, 404, 407, 408, 302, 511] : [503, 401]
    /// Times after which no one should come back.
    private static let hurry = [1, 0.05, 0, -1e6].map { (seconds: Double) in
        SendResult.response(status: 503, retryAfter: .seconds(seconds), body: [])
    }
    private static let failures: [SendResult] =
        statuses.map { .response(status: $0, retryAfter: nil, body: []) }
        + hurry + [.timedOut, .unreachable("a page of the network's operator")]

    @Test(arguments: failures)
    func `of an hour costs no record, few requests, and ends with what is most urgent`(failure: SendResult) async throws
    {
        let device = TestDevice()
        let run = try device.run()
        let network = TestNetwork { _ in failure }
        let delivery = try run.delivery(by: network)
        let spans = (0..<600).map { "span-\($0)" }
        run.record(spans)
        run.record((0..<20).map { "error-\($0)" }, priority: .high)
        run.record(["crash"], priority: .critical)
        try await Self.live(through: 3_600, device, delivery)
        let hasResponse = if case .response = failure { true } else { false }
        #expect(network.requests <= (hasResponse ? 30 : 80))
        #expect(await delivery.currentReport.ledger.summary == [621, 0, 0, 621, 0])

        network.answer(TestNetwork.taken)
        try await Self.live(through: 600, device, delivery)
        #expect(network.names == ["crash"] + (0..<20).map { "error-\($0)" } + spans)
        #expect(await delivery.currentReport.ledger.summary == [621, 621, 0, 0, 0])
    }

    @Test func `is left with one small request, and only then with large ones`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = TestNetwork { _ in TestNetwork.away }
        let delivery = try run.delivery(by: network)
        run.record((0..<1_000).map { "span-\($0)" })
        await delivery.flush()
        network.answer(TestNetwork.taken)
        await delivery.flush()
        #expect(network.batches == [16, 512, 472])
    }

    @Test func `of a slow uplink ends by itself: requests shrink until they arrive`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = SlowNetwork(bytesPerSecond: 2_000, clock: device.clock)
        var endpoint = OTLPEndpoint(url: try #require(URL(string: "http://127.0.0.1:4318")))
        endpoint.isCompressed = false
        let delivery = try run.delivery(by: network, to: endpoint)
        let names = (0..<2_000).map { "\($0)-" + String(repeating: "x", count: 150) }
        run.record(names)
        run.record(["crash"], priority: .critical)
        try await Self.live(through: 1_800, device, delivery)
        #expect(network.names == ["crash"] + names)
        let report = await delivery.currentReport
        #expect(report.ledger.summary == [2_001, 2_001, 0, 0, 0])
        #expect(report.bytesSent < 5 * names.count * 250, "what timed out is sent again")
    }

    /// Flushes when the schedule says so.
    static func live(through seconds: Double, _ device: TestDevice, _ delivery: DeliveryService) async throws {
        let end = device.clock.withLock { $0 } + seconds
        while device.clock.withLock({ $0 }) < end {
            await delivery.flush(.scheduled)
            let wait = await delivery.untilNextFlush
            device.clock.withLock { $0 += wait }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A record that the server refuses` {
    /// Refuses every request with a record of this name.
    private static func refusing(_ poison: Set<String>, status: Int = 400) -> PickyNetwork {
        PickyNetwork { names in poison.isDisjoint(with: names) ? nil : status }
    }

    @Test(arguments: Thoroughness.isThorough ? [400, 413, 415, 422] : [400, 413])
    func `is found by halving, and all others arrive in the same flush`(status: Int) async throws {
        let run = try TestDevice().run()
        let network = Self.refusing(["span-300"], status: status)
        let delivery = try run.delivery(by: network)
        let names = (0..<1_000).map { "span-\($0)" }
        run.record(names)
        await delivery.flush()
        #expect(network.names == names.filter { $0 != "span-300" })
        #expect(network.requests < 50)
        #expect(await delivery.currentReport.ledger.summary == [1_000, 999, 0, 1, 0])
    }

    @Test func `is dropped after the sixth try, minutes apart, and delays no other`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = Self.refusing(["poison"])
        let delivery = try run.delivery(by: network)
        run.record(["poison", "span"])
        await delivery.flush()
        #expect(network.names == ["span"])
        for minute in 0..<20 {
            run.record(["later-\(minute)"])
            await delivery.flush()
            #expect(network.names.last == "later-\(minute)")
            device.clock.withLock { $0 += 60 }
        }
        #expect(await delivery.currentReport.ledger.inQueue == 1)
        try await `An outage`.live(through: 600, device, delivery)
        #expect(await delivery.currentReport.ledger.dropped == [.retriesSpent: 1])
        #expect(await delivery.currentReport.ledger.inQueue == 0)
    }

    @Test func `waits aside while the queue cannot be opened, and moves there when it can`() async throws {
        let device = TestDevice()
        try PrivateFiles.makeDirectory(device.folder.path + "/queue.db")
        let run = try device.run()
        let network = Self.refusing(["poison"])
        let delivery = try run.delivery(by: network)
        run.record(["poison", "first"])
        await delivery.flush()
        for number in 0..<3 {
            run.record(["later-\(number)"])
            await delivery.flush()
        }
        #expect(network.names == ["first", "later-0", "later-1", "later-2"])
        #expect(network.requests == 6, "the two, each of them, and the later ones")
        #expect(await delivery.currentReport.ledger.summary == [5, 4, 1, 0, 0])
        try FileManager.default.removeItem(atPath: device.folder.path + "/queue.db")
        await delivery.flush(.conditions(.becameActive))
        #expect(network.requests == 6)
        #expect(await delivery.currentReport.ledger.summary == [5, 4, 0, 1, 0])
    }

    @Test func `is kept if it is critical`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = Self.refusing(["crash"])
        let delivery = try run.delivery(by: network)
        run.record(["crash"], priority: .critical)
        try await `An outage`.live(through: 7_200, device, delivery)
        #expect(await delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
        #expect(network.requests < 40)
    }

    @Test func `does not stand for the others where the server refuses everything`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let network = PickyNetwork { _ in 400 }
        let delivery = try run.delivery(by: network)
        run.record((0..<600).map { "span-\($0)" })
        try await `An outage`.live(through: 3_600, device, delivery)
        #expect(network.requests < 200)
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.droppedTotal < 30 && ledger.created == 600)
        network.accept()
        try await `An outage`.live(through: 600, device, delivery)
        #expect(await delivery.currentReport.ledger.delivered == 600 - ledger.droppedTotal)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Headers of requests` {
    @Test func `are asked for, and once more if the server answers 401`() async throws {
        let run = try TestDevice().run()
        let network = TokenNetwork(token: "new")
        let asked = Locked<[Bool]>([])
        let delivery = try run.delivery(
            by: network,
            adjust: {
                $0.requestHeaders = { wereRefused in
                    asked.withLock { $0.append(wereRefused) }
                    return ["authorization": wereRefused ? "new" : "old", "Content-Type": "text/plain"]
                }
            })
        run.record(["a"])
        await delivery.flush()
        #expect(asked.withLock { $0 } == [false, true])
        #expect(network.headers.withLock { $0 }?["Content-Type"] == "application/x-protobuf")
        #expect(await delivery.currentReport.ledger.summary == [1, 1, 0, 0, 0])
    }

    @Test func `that stay refused leave the records on the device`() async throws {
        let run = try TestDevice().run()
        let network = TokenNetwork(token: "none")
        let delivery = try run.delivery(by: network, adjust: { $0.requestHeaders = { _ in ["authorization": "old"] } })
        run.record(["a"])
        #expect(await delivery.flush() == .waiting(seconds: 1, reason: "HTTP 401"))
        #expect(await delivery.currentReport.requests == 2)
        #expect(await delivery.currentReport.ledger.summary == [1, 0, 0, 1, 0])
    }
}

/// A network that takes as long as a body's bytes need.
private struct SlowNetwork: OTLPTransport {
    let bytesPerSecond: Double
    let clock: Locked<Double>
    private let received = Locked<[String]>([])

    init(bytesPerSecond: Double, clock: Locked<Double>) {
        self.bytesPerSecond = bytesPerSecond
        self.clock = clock
    }

    var names: [String] { received.withLock { $0 } }

    func send(_ request: OTLPRequest) async -> SendResult {
        let seconds = Double(request.body.count) / bytesPerSecond
        let limit = request.timeout.seconds
        clock.withLock { $0 += min(seconds, limit) }
        guard seconds <= limit, let names = try? request.spanNames() else { return .timedOut }
        received.withLock { $0 += names }
        return TestNetwork.taken
    }
}

/// A network whose server looks at the records.
private final class PickyNetwork: OTLPTransport {
    private struct State {
        var refusal: @Sendable ([String]) -> Int?
        var names: [String] = []
        var requests = 0
    }

    private let state: Locked<State>

    /// - Parameter refusal: The status for a request with these records; `nil` accepts it.
    init(_ refusal: @escaping @Sendable ([String]) -> Int?) {
        state = Locked(State(refusal: refusal))
    }

    var names: [String] { state.withLock { $0.names } }
    var requests: Int { state.withLock { $0.requests } }

    func accept() { state.withLock { $0.refusal = { _ in nil } } }

    func send(_ request: OTLPRequest) async -> SendResult {
        let names = (try? request.spanNames()) ?? []
        return state.withLock { state in
            state.requests += 1
            if let status = state.refusal(names) { return .response(status: status, retryAfter: nil, body: []) }
            state.names += names
            return TestNetwork.taken
        }
    }
}

/// A network whose server wants a token.
private struct TokenNetwork: OTLPTransport {
    let token: String
    let headers = Locked<[String: String]?>(nil)

    func send(_ request: OTLPRequest) async -> SendResult {
        headers.withLock { $0 = request.headers }
        let isAllowed = request.headers["authorization"] == token
        return isAllowed ? TestNetwork.taken : .response(status: 401, retryAfter: nil, body: [])
    }
}
