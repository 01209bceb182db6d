import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTestSupport
import Dispatch
import Foundation
import Testing

@testable import Astrolabe

@Suite(.serialized, .timeLimit(.minutes(10))) struct `A flood of spans` {
    private static let count = Thoroughness.count(40_000, thorough: 200_000)

    /// With default settings, except for the timeout of requests: this machine may be too busy to keep the default.
    @Test(arguments: Thoroughness.isThorough ? [1, 4] : [4])
    func `loses less than 1 %, though the collector answers only after its end`(threads: Int) async throws {
        let isOver = DispatchSemaphore(value: 0)
        let collector = try LoopbackServer { _ in
            isOver.wait()
            isOver.signal()
            return .status(200)
        }
        defer { collector.kill() }
        let folder = TemporaryDirectory()
        var configuration = TelemetryConfiguration(serviceName: "flood")
        configuration.storageDirectory = URL(fileURLWithPath: folder.path)
        var endpoint = OTLPEndpoint(url: try #require(URL(string: "http://127.0.0.1:\(collector.port)")))
        endpoint.timeout = .seconds(300)
        configuration.endpoint = endpoint
        configuration.sampler = AlwaysOnSampler()
        configuration.conditions = SimulatedConditions(Conditions(network: .wifi, lifecycle: .active))
        let telemetry = Telemetry.start(configuration, transport: configuration.transport)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<threads {
                group.addTask { Self.record(Self.count / threads, with: telemetry.tracer("flood")) }
            }
        }
        isOver.signal()
        let ledger = await telemetry.shutdown(timeout: .seconds(300)).ledger
        #expect(ledger.created >= Self.count)
        #expect(ledger.isBalanced)
        #expect(ledger.pending == 0)
        #expect(ledger.droppedTotal * 100 < ledger.created, "dropped: \(ledger.dropped)")
    }

    /// Spans of 8 attributes.
    private static func record(_ count: Int, with tracer: Tracer) {
        for _ in 0..<count {
            let span = tracer.spanBuilder("GET /api/products/{id}").setSpanKind(.client).startSpan()
            span.setAttribute("http.request.method", "GET")
            span.setAttribute("url.full", "http://shop.example:8080/api/products/OLJCESPC7Z")
            span.setAttribute("server.address", "shop.example")
            span.setAttribute("server.port", 8_080)
            span.setAttribute("http.response.status_code", 200)
            span.setAttribute("demo.product.id", "OLJCESPC7Z")
            span.setAttribute("demo.cached", false)
            span.setAttribute("demo.product.price", 101.96)
            span.end()
        }
    }
}
