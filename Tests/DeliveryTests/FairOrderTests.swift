import AstrolabeDelivery
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

/// A server that takes some time for each request, while the app goes on.
private final class SlowServer: OTLPTransport {
    private let clock: Locked<Double>
    private let seconds: Double
    private let app: @Sendable (_ from: Double, _ through: Double) -> Void
    /// The paths of all requests, with the time of their end.
    let requests = Locked<[(path: String, time: Double)]>([])

    init(
        _ clock: Locked<Double>, seconds: Double, app: @escaping @Sendable (_ from: Double, _ through: Double) -> Void,
    ) {
        self.clock = clock
        self.seconds = seconds
        self.app = app
    }

    func send(_ request: OTLPRequest) async -> SendResult {
        let (start, end) = clock.withLock { clock in
            let start = clock
            clock += seconds
            return (start, clock)
        }
        app(start, end)
        requests.withLock { $0.append((request.url.lastPathComponent, end)) }
        await Task.yield()
        return TestNetwork.taken
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The order of requests` {
    /// Records an error a second, a span and an ordinary event each half second, and a metric each ten.
    private static func app(_ run: TestRun) -> @Sendable (Double, Double) -> Void {
        let scope = run.sink.register(InstrumentationScope(name: "app"))
        @Sendable func record(_ kind: RecordKind, _ priority: Priority) {
            let header = RecordHeader(
                kind: kind, priority: priority, scope: scope, timeUnixNano: 1_790_001_000_000_000_000)
            SpanBytes.span(named: "any").withUnsafeBytes { run.sink.append($0, header: header) }
        }
        return { start, end in
            for half in Int(start * 2)..<Int(end * 2) {
                record(.span, .normal)
                record(.event, .normal)
                if half % 2 == 0 { record(.event, .critical) }
                if half % 20 == 0 { record(.metric, .normal) }
            }
        }
    }

    @Test(arguments: [0.5, 2, 8], [FlushCause.critical, .scheduled])
    func `gives each kind its share while errors come faster than a request takes`(
        seconds: Double, cause: FlushCause,
    ) async throws {
        let device = TestDevice()
        let run = try device.run()
        let app = Self.app(run)
        let server = SlowServer(device.clock, seconds: seconds) { start, end in
            // The app rests after 20 minutes, so that the flush has an end.
            if end < 2_200 { app(start, end) }
        }
        let delivery = try run.delivery(by: server)
        app(990, 1_000)
        async let first = delivery.flush(cause)
        async let second = delivery.flush(.scheduled)
        _ = await (first, second)
        let requests = server.requests.withLock { $0 }.filter { $0.time < 2_200 }
        for path in ["traces", "logs", "metrics"] {
            var last = 1_000.0
            for request in requests where request.path == path {
                #expect(request.time - last <= 10 + 4 * seconds, "\(path)")
                last = request.time
            }
            #expect(2_200 - last <= 10 + 4 * seconds, "\(path)")
        }
        #expect(await delivery.currentReport.ledger.pending == 0)
    }

    @Test func `collects metrics on time while a flush goes on`() async throws {
        let device = TestDevice()
        let run = try device.run()
        let app = Self.app(run)
        let server = SlowServer(device.clock, seconds: 8) { start, end in
            if end < 2_200 { app(start, end) }
        }
        let last = Locked(1_000.0)
        let collections = Locked(0)
        var hooks = DeliveryHooks()
        hooks.isCollectionDue = { [clock = device.clock] _ in
            let now = clock.withLock { $0 }
            return last.withLock { last in
                guard now - last >= 60 else { return false }
                last = now
                return true
            }
        }
        hooks.collect = { _ in collections.withLock { $0 += 1 } }
        let delivery = try run.delivery(by: server, hooks: hooks)
        app(990, 1_000)
        await delivery.flush(.scheduled)
        #expect((17...20).contains(collections.withLock { $0 }))
    }
}
