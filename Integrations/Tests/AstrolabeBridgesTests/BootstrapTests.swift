import Astrolabe
import Logging
import Metrics
import ServiceContextModule
import Testing
import Tracing

@testable import AstrolabeBridges

/// The global systems, which a process can set up once only: the one test that does it.
@Suite struct BootstrapTests {
    @Test func `after one call libraries record through the SDK`() async throws {
        let recorder = BridgeRecorder()
        recorder.bridge.bootstrap(
            logLevel: .debug, logVersions: ["library": "2.1.0"], mirror: nil,
            metadataProvider: Logging.Logger.MetadataProvider { ["provided": "yes"] })

        await withSpan("request", ofKind: .server) { _ in
            await Task.yield()
            Logging.Logger(label: "library").debug("handled")
            Metrics.Counter(label: "requests", dimensions: [("method", "GET")]).increment()
            Metrics.Timer(label: "duration").recordMilliseconds(20)
            recorder.telemetry.tracer("ours").withSpan("ours") { _ in }
        }

        let request = try recorder.span("request")
        #expect(request.kind == .server)
        #expect(try recorder.span("ours").parentSpanID == request.context.spanID)
        let line = try recorder.logLines.only
        #expect(line.scope == "library" && line.version == "2.1.0" && line.record.body == "handled")
        #expect(line.record.spanID == request.context.spanID)
        #expect(line.record.attributes["provided"] == "yes")
        #expect(Set(try recorder.collectMetrics().map(\.name)) == ["requests", "duration"])
    }
}
