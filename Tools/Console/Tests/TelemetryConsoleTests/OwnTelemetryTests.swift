import Astrolabe
import AstrolabeBridges
import AstrolabeRecording
import AstrolabeTestSupport
import BrowserKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import TelemetryConsole

/// The console's records about itself, sent to another console with the SDK.
@Suite(.timeLimit(.minutes(5))) struct `A console's own telemetry` {
    @Test func `counts what it stores and has a span for each request of a page, but none for telemetry`() async throws
    {
        let folder = TemporaryDirectory()
        try await ConsoleUnderTest.run { observer in
            var settings = TelemetryConfiguration(serviceName: "astrolabe-console")
            settings.isServer = true
            settings.sampler = AlwaysOnSampler()
            settings.endpoint = OTLPEndpoint(url: try #require(URL(string: observer.address)))
            settings.storageDirectory = URL(fileURLWithPath: folder.path)
            let telemetry = Telemetry.start(settings)
            let bridge = TelemetryBridge(
                telemetry, instruments: ConsoleInstruments.units.mapValues { .init(unit: $0) })
            try await ConsoleInProcess.run {
                $0.instruments = ConsoleInstruments(metrics: bridge.metricsFactory, tracer: bridge.tracer)
            } _: { console in
                try await console.send(ShopVisit.purchase().phoneTraceBody, to: .traces)
                _ = try await console.get("/api/v1/traces?q=secret")
                _ = try? await console.get("/api/v1/traces/0123456789abcdef0123456789abcdef")
            }
            await telemetry.shutdown(timeout: .seconds(60))
            let spans = try await HTTP.request("GET", observer.address + "/api/v1/traces?limit=50").text
            #expect(spans.contains("GET /api/v1/traces/{trace}"))
            #expect(!spans.contains("POST"), "no span for telemetry")
            #expect(!spans.contains("secret"))
            let metrics = try await HTTP.request("GET", observer.address + "/api/v1/metrics").text
            for name in [
                "astrolabe.console.records", "astrolabe.console.ingest.duration", "http.server.request.duration",
            ] {
                #expect(metrics.contains(name))
            }
            #expect(metrics.contains("{record}"))
            for (metric, dimension, value) in [
                ("http.server.request.duration", "url.scheme", "http"),
                ("astrolabe.console.records", "astrolabe.console.signal", "traces"),
                ("astrolabe.console.ingest.duration", "astrolabe.console.outcome", "stored"),
            ] {
                let series = observer.address + "/api/v1/metrics/\(metric)?by=\(dimension)"
                #expect(try await HTTP.request("GET", series).text.contains(#""\#(value)""#))
            }
        }
    }

    @Test(arguments: [
        ("/api/v1/sessions/a%20b/timeline", "/api/v1/sessions/{session}/timeline"), ("/v1/logs", "/v1/logs"),
        ("/v1development/profiles", "/v1development/profiles"), ("/assets/lib/api.js", "/assets/{folder}/{asset}"),
        ("/traces/12", "/traces/{trace}"), ("/", "/"), ("/mcp", "/mcp"), ("/nothing", nil), ("/api/v1/nothing", nil),
    ])
    func `names a request by its route, without ids`(path: String, template: String?) {
        #expect(ConsoleRoute.match(path)?.path.text == template)
    }
}
