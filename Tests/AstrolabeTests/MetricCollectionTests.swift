import Astrolabe
import AstrolabeDelivery
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

/// Metrics are in memory until they are collected: whatever may end the process, or their collection, comes after.
@Suite(.timeLimit(.minutes(5))) struct `What was measured` {
    private let device = SimulatedDevice()

    private func start(_ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> (Telemetry, MetricsReceiver) {
        let receiver = MetricsReceiver()
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.storageDirectory = temporaryFolder()
        configuration.conditions = device
        configuration.endpoint?.isCompressed = false
        configuration.flushInterval = .seconds(3_600)
        configuration.metricInterval = .seconds(3_600)
        change(&configuration)
        return (Telemetry.start(configuration, transport: receiver), receiver)
    }

    @Test func `is sent when the app enters the background`() async {
        let (telemetry, receiver) = start()
        telemetry.meter("shop").counter("demo.items").add(3)
        device.enterBackground()
        #expect(await receiver.total(of: "demo.items") == 3)
    }

    @Test func `is sent when the app ends`() async {
        let (telemetry, receiver) = start()
        telemetry.meter("shop").counter("demo.items").add(4)
        device.terminate()
        #expect(await receiver.total(of: "demo.items") == 4)
    }

    @Test func `in a mode of little telemetry is sent too`() async {
        let (telemetry, receiver) = start()
        device.setLowPowerMode(true)
        telemetry.meter("shop").counter("demo.items").add(5)
        device.enterBackground()
        #expect(await receiver.total(of: "demo.items") == 5)
    }

    @Test func `is recorded before a strict mode stops its collection`() async {
        let (telemetry, receiver) = start { $0.policy.admission = .strict }
        telemetry.meter("shop").counter("demo.items").add(6)
        device.drainBattery(to: 0.15)
        telemetry.meter("shop").counter("demo.items").add(1)
        await telemetry.shutdown()
        #expect(await receiver.total(of: "demo.items") == 6)
    }

    @Test func `follows the views, the exemplars and the aggregation of the configuration`() throws {
        let sink = MemorySink()
        let telemetry = telemetry(into: sink) { configuration in
            configuration.histogramAggregation = .base2Exponential
            configuration.exemplars = .alwaysOn
            configuration.metricViews = [MetricView(instrument: "demo.items", name: "demo.renamed", attributeKeys: [])]
        }
        telemetry.meter("shop").counter("demo.items").add(3, attributes: ["demo.product.id": "1"])
        telemetry.meter("shop").histogram("demo.latency").record(3)
        telemetry.collectMetrics()
        let renamed = try #require(try sink.metrics.first { $0.name == "demo.renamed" })
        guard case .sum(let points, _, _) = renamed.data else { throw CancellationError() }
        #expect(points.map(\.attributes) == [[:]])
        #expect(points.flatMap(\.exemplars).map(\.filteredAttributes) == [["demo.product.id": "1"]])
        let latency = try #require(try sink.metrics.first { $0.name == "demo.latency" })
        guard case .exponentialHistogram = latency.data else { throw CancellationError() }
    }

    @Test func `of frames is counted by screen, and anew after each collection`() throws {
        let sink = MemorySink()
        let telemetry = telemetry(into: sink)
        func record(_ count: Int, on screen: String) {
            telemetry.setScreen(screen)
            for _ in 0..<count {
                telemetry.frames.record(began: .zero, promised: .milliseconds(16), ended: .milliseconds(9))
            }
        }
        func collect() throws -> [String?: UInt64]? {
            telemetry.collectMetrics()
            let metric = try sink.metrics.last { $0.name == "astrolabe.frame.duration" }
            guard case .histogram(let points, _) = metric?.data else { return nil }
            return Dictionary(
                uniqueKeysWithValues: points.map { ($0.attributes["app.screen.name"]?.stringValue, $0.count) })
        }
        record(3, on: "Home")
        record(2, on: "Cart")
        record(1, on: "Home")
        #expect(try collect() == ["Home": 4, "Cart": 2])
        record(5, on: "Home")
        #expect(try collect() == ["Home": 5])
    }

    @Test func `by a gauge that is removed is no longer asked for`() async {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let asked = Locked(0)
        let gauge = telemetry.meter("shop").observableGauge("demo.stock") {
            asked.withLock { $0 += 1 }
            return 7
        }
        await telemetry.flush()
        #expect(collector.metrics(named: "demo.stock").count == 1)
        gauge.cancel()
        gauge.cancel()
        await telemetry.shutdown()
        #expect(asked.withLock { $0 } == 1)
        #expect(collector.metrics(named: "demo.stock").count == 1)
    }
}

/// Takes every request, and hands over the metrics in them.
private final class MetricsReceiver: OTLPTransport {
    private let metrics = AsyncStream.makeStream(of: MetricData.self)

    func send(_ request: OTLPRequest) async -> SendResult {
        if request.url.path.hasSuffix("/v1/metrics"), let groups = try? OTLPDecoder.metrics(protobuf: request.body) {
            for metric in groups.flatMap({ $0.scopes.flatMap(\.records) }) { metrics.continuation.yield(metric) }
        }
        return .response(status: 200, retryAfter: nil, body: [])
    }

    /// The first value of a counter that comes.
    func total(of name: String) async -> Double? {
        for await metric in metrics.stream where metric.name == name {
            guard case .sum(let points, _, _) = metric.data else { continue }
            return points.reduce(0) { $0 + $1.value.doubleValue }
        }
        return nil
    }
}
