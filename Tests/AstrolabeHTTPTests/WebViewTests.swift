import Astrolabe
import AstrolabeHTTP
import AstrolabeTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `A page in a web view` {
    private let collector = TelemetryCollector()

    @Test func `gets the headers with its request, if its host is allowed`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let tracing = HTTPTracing(telemetry, allowedHosts: ["shop.example"])
        for (host, isAllowed) in [("shop.example", true), ("other.example", false)] {
            let request = URLRequest(url: try #require(URL(string: "https://\(host)/terms")))
            let (header, parent) = telemetry.tracer("shop").withSpan("terms") { span in
                (tracing.webRequest(request).value(forHTTPHeaderField: "traceparent"), span.context)
            }
            #expect((header?.contains(parent.traceID.hex) ?? false) == isAllowed)
            #expect(isAllowed || header == nil)
        }
        await telemetry.shutdown()
    }

    @Test func `gets the context of the current span from a script, which names the allowed hosts`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let tracing = HTTPTracing(telemetry, allowedHosts: ["Shop.example", "*.Internal.example"])
        let (script, parent) = telemetry.tracer("shop").withSpan("terms") { span in
            (tracing.webScript(), span.context)
        }
        let text = try #require(script)
        #expect(text.contains(#"["traceparent","00-\#(parent.traceID.hex)-\#(parent.spanID.hex)-0"#))
        #expect(text.contains(#"names = [["shop.example"]][0]"#))
        #expect(text.contains(#"suffixes = [[".internal.example"]][0]"#))
        #expect(text.contains("session.id"))
        await telemetry.shutdown()
    }

    @Test func `gets no script without a context or an allowed host`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let script = telemetry.tracer("shop").withSpan("terms") { _ in
            HTTPTracing(telemetry, allowedHosts: []).webScript()
        }
        #expect(script == nil)
        let identity = HTTPIdentity()
        let tracing = HTTPTracing(tracer: telemetry.tracer("shop"), allowedHosts: ["shop.example"], identity: identity)
        #expect(tracing.webScript() == nil)
        await telemetry.shutdown()
    }

    private struct AwkwardPropagator: TextMapPropagator {
        let fields = ["x-awkward"]

        func inject(_ context: TelemetryContext, set: (String, String) -> Void) {
            set("x-awkward", #"shop.example"]; alert(1); [</script>"#)
        }

        func extract(into context: TelemetryContext, get: (String) -> String?) -> TelemetryContext { context }
    }

    @Test func `cannot be broken by what a value holds`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        var tracing = HTTPTracing(telemetry, allowedHosts: ["shop.example"])
        tracing.propagator = AwkwardPropagator()
        let script = telemetry.tracer("shop").withSpan("terms") { _ in tracing.webScript() }
        let text = try #require(script)
        #expect(text.contains(#"shop.example\"]; alert(1); ["#))
        #expect(!text.contains("</script>"))
        await telemetry.shutdown()
    }
}
