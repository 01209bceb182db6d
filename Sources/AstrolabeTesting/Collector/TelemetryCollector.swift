public import Astrolabe
import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation

/// A collector in memory, at the end of the real path: what it holds went through the journal and delivery.
///
///     let collector = TelemetryCollector()
///     let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
///     telemetry.tracer("shop").withSpan("add to cart") { _ in }
///     await telemetry.flush()
///     #expect(collector.spans(named: "add to cart").count == 1)
///
/// It holds each span and each event once, however often it comes, as the console does. There is neither a socket nor
/// a device. The conditions are nominal, unless the configuration names others: see ``SimulatedDevice``. The
/// ``network`` does what the test says.
public final class TelemetryCollector: Sendable {
    /// The network between the SDK and this collector.
    public let network: SimulatedNetwork
    private let clock: TestClock?
    private let folder = TemporaryFolder()
    private let store = Locked(CollectorStore())

    /// - Parameter clock: The time of the network's delay, of the flush interval and of every wait before a retry;
    ///   `nil` for real time.
    public init(clock: TestClock? = nil) {
        self.clock = clock
        network = SimulatedNetwork(clock: clock)
    }

    /// Starts the SDK with this collector at the other end, whatever endpoint the configuration names.
    ///
    /// All traces are recorded, so that no test depends on chance. If the configuration sets `sampling` or
    /// `samplesSessions` is true, sessions are sampled at the policy's rate, as they are in an app.
    ///
    /// Files are kept in a folder of this collector's own, unless the configuration names one. So a second start is the
    /// app's next launch: it has the same installation and finds the records that the first has left. Unlike
    /// `Telemetry.start` this does not change `Telemetry.shared`, so that tests may run side by side.
    public func start(_ configuration: TelemetryConfiguration, samplesSessions: Bool = false) -> Telemetry {
        var configuration = configuration
        if configuration.sampling == .automatic, configuration.sampler == nil, !samplesSessions {
            configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        }
        if configuration.storageDirectory == nil { configuration.storageDirectory = folder.url }
        if configuration.conditions == nil { configuration.conditions = SimulatedDevice() }
        // Not this machine's, which the policy takes to be in reach without any network.
        configuration.endpoint = URL(string: "https://collector.invalid").map { url in
            OTLPEndpoint(url: url, headers: configuration.endpoint?.headers ?? [:])
        }
        let transport = CollectorTransport(collector: self)
        return Telemetry.start(configuration, transport: transport, time: clock?.deliveryTime ?? .system)
    }

    /// Forgets what has come.
    public func reset() { store.withLock { $0 = CollectorStore() } }

    /// Spans and events that came more often than once, and were not kept again.
    public var repetitionCount: Int { store.withLock { $0.repetitions } }

    /// The telemetry received so far.
    var contents: CollectorStore { store.withLock { $0 } }

    /// Changes what has come.
    func receive<Failure>(_ body: (inout CollectorStore) throws(Failure) -> Void) throws(Failure) {
        try store.withLock(body)
    }

    /// Takes the records of a request, except the last `count` of them; returns false if it is no OTLP.
    func take(_ body: [UInt8], path: String, isCompressed: Bool, exceptLast count: Int) -> Bool {
        (try? store.withLock { store in
            try store.take(body, path: path, isCompressed: isCompressed, exceptLast: count)
        }) != nil
    }
}

extension TestClock {
    /// This clock's time for delivery, in which it was made at the beginning of 1970. The backoff is the longest that
    /// chance could make it.
    var deliveryTime: DeliveryTime {
        DeliveryTime(
            now: { [self] in now.offset.seconds },
            wall: { [self] in UInt64(max(now.offset.seconds, 0) * 1e9) },
            sleep: { [self] in try await sleep(until: now.advanced(by: .seconds($0))) }, random: { 1 },
        )
    }
}
