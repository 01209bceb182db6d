import Astrolabe
import AstrolabeHTTP
import AstrolabePlatform
import AstrolabeTesting
import Foundation
import Testing

@Suite struct `Allowed hosts` {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(arguments: [
        ("https://shop.example/api", true), ("https://SHOP.example:8443/", true), ("https://a.shop.example/", false),
        ("https://notshop.example/", false), ("https://api.inner.example/", true),
        ("https://a.b.inner.example/", true),
        ("https://inner.example/", false), ("https://evilinner.example/", false),
        ("https://shop.example.evil.example/", false),
    ])
    func `are whole names, or everything below a domain`(address: String, isAllowed: Bool) throws {
        #expect(AllowedHosts(["Shop.example", "*.inner.example"]).contains(try url(address)) == isAllowed)
    }

    @Test(arguments: [
        "*", "*.", "", ".", ".example.com", "api..example.com", "*.*.example.com", "api.*", "api*.example.com",
        "https://api.example.com", "//api.example.com", "api.example.com/v1", "localhost:8080", "[::1]", "[::1]:8080",
        "api.example.com:443", "user@api.example.com", "api example.com", "münchen.example", "%61pi.example.com",
        "*.api.example.com:443",
    ])
    func `are rejected if no host can match them`(pattern: String) throws {
        let hosts = AllowedHosts(["shop.example", pattern])
        #expect(hosts.rejectedPatterns == [pattern])
        #expect(hosts.contains(try url("https://shop.example/")))
        for address in ["https://api.example.com/", "http://localhost:8080/", "http://[::1]:8080/"] {
            #expect(!hosts.contains(try url(address)), "\(address)")
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "http://127.0.0.1:4318/"), ("::1", "http://[::1]:4318/"), ("localhost", "http://LOCALHOST/"),
        ("a_b.example", "https://a_b.example/"), ("xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example/"),
        ("shop.example.", "https://shop.example./"), ("*.example.com", "https://a.b.example.com:1/"),
    ])
    func `are names and addresses of every port`(pattern: String, address: String) throws {
        let hosts = AllowedHosts([pattern])
        #expect(hosts.rejectedPatterns == [])
        #expect(hosts.contains(try url(address)))
        #expect(AllowedHosts(hostOf: try url(address)).contains(try url(address)))
    }

    @Test func `that can match nothing are told of`() async {
        let lines = Locked<[String]>([])
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        let telemetry = TelemetryCollector().start(configuration)
        var tracing = HTTPTracing(telemetry, allowedHosts: ["api.example.com"])
        #expect(lines.withLock { $0 }.filter { $0.contains("allowed hosts") } == [])
        tracing.allowedHosts = ["localhost:8080"]
        let told = lines.withLock { $0 }.filter { $0.contains("allowed hosts") }
        #expect(told.count == 1 && told.first?.contains("localhost:8080") == true)
        await telemetry.shutdown()
    }

    @Test func `are none where the list is empty or a pattern is a lone star`() throws {
        #expect(!AllowedHosts([]).contains(try url("https://shop.example")))
        #expect(!AllowedHosts(["*."]).contains(try url("https://shop.example")))
        #expect(!AllowedHosts(["shop.example"]).contains(try url("mailto:a@shop.example")))
    }
}
