import Astrolabe
import AstrolabeDelivery
import AstrolabeTestSupport
import Foundation
import Testing

/// The way of an app's records if it names no server.
@Suite struct `The default endpoint` {
    private static let local = "http://localhost:4318"

    /// The address that a release build sends to; `nil` if it sends nothing.
    private func address(_ configuration: TelemetryConfiguration, isDevelopment: Bool = false) -> String? {
        configuration.atStart(isDevelopment: isDevelopment).endpoint?.url.absoluteString
    }

    @Test func `is for debug builds and servers, and not for the release build of an app`() throws {
        let bare = TelemetryConfiguration(serviceName: "shop")
        #expect(address(bare) == nil)
        #expect(address(bare, isDevelopment: true) == Self.local)
        var server = bare
        server.isServer = true
        #expect(address(server) == Self.local)
        var given = bare
        given.endpoint = OTLPEndpoint(url: try #require(URL(string: Self.local)))
        #expect(address(given) == Self.local)
        given.endpoint = nil
        #expect(address(given, isDevelopment: true) == nil)
    }

    @Test func `is not named by headers or timeouts of the environment or a file`() throws {
        let headers = ["OTEL_EXPORTER_OTLP_HEADERS": "key=a", "OTEL_EXPORTER_OTLP_TIMEOUT": "100"]
        #expect(address(try TelemetryConfiguration.load(environment: headers)) == nil)
        let named = ["OTEL_EXPORTER_OTLP_ENDPOINT": Self.local]
        #expect(address(try TelemetryConfiguration.load(environment: named)) == Self.local)
        let json = URL(fileURLWithPath: TestFolders.path("configuration") + ".json")
        try Data(#"{"exporter": {"headers": {"key": "a"}, "timeout": 3}}"#.utf8).write(to: json)
        defer { try? FileManager.default.removeItem(at: json) }
        #expect(address(try TelemetryConfiguration.load(json: json, environment: [:])) == nil)
        let both = try TelemetryConfiguration.load(
            json: json, environment: ["OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector.example"])
        #expect(address(both) == "https://collector.example")
        #expect(both.endpoint?.headers == ["key": "a"])
    }
}
