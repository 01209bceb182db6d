import Astrolabe
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstronomyShop

/// The files of `Examples/AstronomyShop/iOS`, as far as they can be tried without Xcode.
@Suite struct `The app for the iPhone` {
    private func file(_ name: String) -> URL {
        Repository.file("Examples/AstronomyShop/iOS/AstronomyShop/\(name)")
    }

    @Test func `has a honeycomb.plist that the SDK reads, with everything on this machine`() throws {
        let configuration = try TelemetryConfiguration.load(propertyList: file("honeycomb.plist"), environment: [:])
        #expect(configuration.serviceName == "astronomy-shop")
        let backend = ShopLaunch.backend(inPropertyList: file("honeycomb.plist"))
        #expect(backend?.absoluteString == "http://localhost:8080/api")
        #expect(configuration.endpoint?.url.absoluteString == "http://localhost:4318")
        #expect(configuration.endpoint?.headers == ["x-honeycomb-team": "your_api_key_here"])
    }

    @Test func `may talk to servers without TLS on the local network alone, and says why`() throws {
        let data = try Data(contentsOf: file("Info.plist"))
        let list = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(list["NSAppTransportSecurity"] as? [String: Bool] == ["NSAllowsLocalNetworking": true])
        #expect((list["NSLocalNetworkUsageDescription"] as? String)?.isEmpty == false)
    }
}
