import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import Astrolabe

@Suite struct `A configuration on a simulated device` {
    private static let collector = URL(string: "http://127.0.0.1:9").map { OTLPEndpoint(url: $0, headers: ["k": "v"]) }
    private static let conditions = SimulatedConditions()
    private static let device = SimulatedHost(
        conditions: conditions, resourceAttributes: ["os.name": "iOS", "device.model.name": "iPhone 16"],
        endpoint: collector)

    @Test func `has the device's conditions, attributes and collector`() {
        let hosted = TelemetryConfiguration(serviceName: "a").hosted(on: Self.device)
        #expect(hosted.conditions as? SimulatedConditions === Self.conditions)
        #expect(hosted.resourceAttributes == Self.device.resourceAttributes)
        #expect(hosted.endpoint == Self.collector)
        #expect(!hosted.treatsLoopbackAsReachable)
    }

    @Test func `samples the sessions that the device says, and else those that the app says`() {
        var configuration = TelemetryConfiguration(serviceName: "a")
        configuration.sampling = .policy
        #expect(configuration.hosted(on: Self.device).sampling == .policy)
        var device = Self.device
        device.sampling = .ratio(0)
        #expect(configuration.hosted(on: device).sampling == .ratio(0))
    }

    @Test func `keeps what the app itself has set, and sends nothing if the app sends nothing`() {
        let own = SimulatedConditions()
        var configuration = TelemetryConfiguration(serviceName: "a")
        configuration.conditions = own
        configuration.resourceAttributes = ["device.model.name": "My phone"]
        configuration.endpoint = nil
        let hosted = configuration.hosted(on: Self.device)
        #expect(hosted.conditions as? SimulatedConditions === own)
        #expect(hosted.resourceAttributes["device.model.name"] == "My phone")
        #expect(hosted.resourceAttributes["os.name"] == "iOS")
        #expect(hosted.endpoint == nil)
    }
}
