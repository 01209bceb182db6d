import Astrolabe
import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@testable import AstrolabeDeclarative

/// Takes every request, and keeps it.
private final class RequestList: OTLPTransport {
    private let requests = Locked<[OTLPRequest]>([])

    /// The last request of each address.
    var byAddress: [String: OTLPRequest] {
        requests.withLock { Dictionary($0.map { ($0.url.absoluteString, $0) }, uniquingKeysWith: { $1 }) }
    }

    func send(_ request: OTLPRequest) async -> SendResult {
        requests.withLock { $0.append(request) }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

/// A file with an exporter for each signal, each in a line of its own from the second.
private func file(traces: String, logs: String, metrics: String) -> Data {
    let text = """
        {"file_format": "1.1", "tracer_provider": {"processors": [{"batch": {"exporter": {"otlp_http":
        \(traces)}}}]}, "logger_provider": {"processors": [{"batch": {"exporter": {"otlp_http":
        \(logs)}}}]}, "meter_provider": {"readers": [{"periodic": {"exporter": {"otlp_http":
        \(metrics)}}}]}}
        """
    return Data(text.utf8)
}

private func read(_ data: Data) throws -> (configuration: TelemetryConfiguration, notes: [String]) {
    var file = try DeclarativeConfiguration(data, name: "otel.json", environment: [:])
    var configuration = TelemetryConfiguration(serviceName: "shop")
    try file.apply(to: &configuration)
    return (configuration, file.notes)
}

@Suite(.timeLimit(.minutes(5))) struct `Declarative endpoints` {
    @Test func `sends each signal as its exporter says`() async throws {
        var (configuration, notes) = try read(
            file(
                traces: """
                    {"endpoint": "https://a.example/v1/traces", "headers": [{"name": "Key", "value": "a"}], "timeout": 2000}
                    """,
                logs: #"{"endpoint": "https://b.example/own?x=1", "headers_list": "key=b", "compression": "none"}"#,
                metrics: "null"))
        #expect(notes == [])
        configuration.storageDirectory = TestFolders.folder("declarative")
        configuration.conditions = SimulatedDevice()
        configuration.sampler = AlwaysOnSampler()
        let transport = RequestList()
        let telemetry = Telemetry.start(configuration, transport: transport)
        telemetry.tracer("shop").withSpan("work") { _ in }
        telemetry.logger("shop").info("done")
        telemetry.meter("shop").counter("count").add(1)
        await telemetry.flush()
        await telemetry.shutdown()
        let requests = transport.byAddress
        let addresses = [
            "https://a.example/v1/traces", "https://b.example/own?x=1", "http://localhost:4318/v1/metrics",
        ]
        #expect(Set(requests.keys) == Set(addresses))
        #expect(addresses.map { requests[$0]?.headers["key"] } == ["a", "b", nil])
        #expect(addresses.map { requests[$0]?.headers["Content-Encoding"] } == ["gzip", nil, "gzip"])
        let endpoint = try #require(configuration.endpoint)
        #expect(endpoint.timeout == .seconds(2))
        #expect(endpoint.logs.timeout == .seconds(10) && endpoint.metrics.timeout == .seconds(10))
    }

    @Test func `of one server is one endpoint`() throws {
        let exporters = ["traces", "logs", "metrics"].map {
            #"{"endpoint": "https://a.example:1/base/v1/\#($0)", "headers_list": "key=a", "timeout": 10000}"#
        }
        let (configuration, notes) = try read(file(traces: exporters[0], logs: exporters[1], metrics: exporters[2]))
        #expect(notes == [])
        let url = try #require(URL(string: "https://a.example:1/base"))
        #expect(configuration.endpoint == OTLPEndpoint(url: url, headers: ["key": "a"]))
    }

    @Test func `of the first signal receives signals without an exporter`() throws {
        let text = """
            {"file_format": "1.1", "tracer_provider": {"processors": [{"simple": {"exporter": {"otlp_http":
            {"endpoint": "https://a.example:1/own/path?key=secret", "headers_list": "key=a"}}}}]}}
            """
        let endpoint = try #require(try read(Data(text.utf8)).configuration.endpoint)
        #expect(endpoint.url(for: .span).absoluteString == "https://a.example:1/own/path?key=secret")
        #expect(endpoint.url(for: .event).absoluteString == "https://a.example:1/v1/logs")
        #expect(endpoint.logs.headers == nil)
    }

    @Test(arguments: ["https://a.example", "a.example/v1/logs", "https://a.example/v1/traces"])
    func `that are wrong are refused with the line and the key`(address: String) throws {
        let data = file(traces: "null", logs: #"{"endpoint": "\#(address)"}"#, metrics: "null")
        let error = #expect(throws: ConfigurationError.self) { try read(data) }
        #expect(
            error?.description == "otel.json:3:14: logger_provider.processors[0].batch.exporter.otlp_http.endpoint: "
                + "expected an address such as https://collector.example:4318/v1/logs")
    }
}
