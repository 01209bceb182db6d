import Astrolabe
import Foundation
import Testing

@testable import AppHost

@Suite struct `The device of a hosted app` {
    @Test func `has the model, the system and the collector of the environment`() throws {
        let settings = try HostSettings(environment: [
            "ASTROLABE_DEVICE_LINK": "/tmp/link", "ASTROLABE_DEVICE_MODEL": "iPhone16,1",
            "ASTROLABE_DEVICE_SYSTEM": "18.7", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
            "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20k",
        ])
        #expect(settings.link == "/tmp/link")
        #expect(settings.device[AttributeKey.deviceModelName] == "iPhone 15 Pro")
        #expect(settings.device[AttributeKey.osVersion] == "18.7")
        #expect(settings.device[AttributeKey.osDescription] == "iOS 18.7")
        #expect(settings.device[AttributeKey.hostArch] == "arm64")
        #expect(settings.device["astrolabe.device.screen.width"] == 393.0)
        #expect(settings.device["astrolabe.device.screen.height"] == 852.0)
        #expect(settings.device["astrolabe.device.screen.scale"] == 3.0)
        #expect(settings.device["astrolabe.device.physical_memory_gb"] == 8.0)
        #expect(settings.device["astrolabe.device.platform"] == "ios")
        #expect(settings.device["astrolabe.device.is_simulator"] == true)
        #expect(settings.device["astrolabe.simulated"] == true)
        #expect(settings.endpoint?.url.absoluteString == "http://127.0.0.1:9")
        #expect(settings.endpoint?.headers == ["authorization": "Bearer k"])
    }

    @Test func `is an iPhone 16 without more, and the app's own collector`() throws {
        let settings = try HostSettings(environment: ["ASTROLABE_DEVICE_LINK": "l"])
        #expect(settings.device[AttributeKey.deviceModelName] == "iPhone 16")
        #expect(settings.endpoint == nil)
        #expect(settings.beginTimeout == .seconds(5) && settings.sendTimeout == .seconds(3.5))
    }

    @Test(arguments: [
        ("0.25", Duration.milliseconds(250)), ("0", .seconds(5)), ("soon", .seconds(5)), ("inf", .seconds(5)),
    ])
    func `waits as long as the environment says, if that is a time`(timeout: String, expected: Duration) throws {
        let settings = try HostSettings(environment: [
            "ASTROLABE_DEVICE_LINK": "l", "ASTROLABE_DEVICE_TIMEOUT": timeout,
        ])
        #expect(settings.beginTimeout == expected)
    }

    private static let samplings: [(String, Sampling?)] = [
        ("", nil), ("automatic", nil), ("policy", .policy), ("everything", .everything), ("nothing", .ratio(0)),
    ]

    @Test(arguments: samplings)
    func `samples the sessions that the environment says`(text: String, expected: Sampling?) throws {
        let settings = try HostSettings(environment: [
            "ASTROLABE_DEVICE_LINK": "l", "ASTROLABE_DEVICE_SAMPLING": text,
        ])
        #expect(settings.sampling == expected)
    }

    @Test func `is an iPad by its model, with the system of one`() throws {
        let settings = try HostSettings(environment: [
            "ASTROLABE_DEVICE_LINK": "l", "ASTROLABE_DEVICE_MODEL": "iPad16,1",
        ])
        #expect(settings.device[AttributeKey.osName] == "iPadOS")
    }

    @Test(arguments: [
        ([:], "./astrolabe demo --app PATH"), (["ASTROLABE_DEVICE_LINK": ""], "found none"),
        (["ASTROLABE_DEVICE_LINK": "l", "ASTROLABE_DEVICE_MODEL": "an iPhone"], "expected an identifier"),
        (
            ["ASTROLABE_DEVICE_LINK": "l", "ASTROLABE_DEVICE_SAMPLING": "half"],
            "ASTROLABE_DEVICE_SAMPLING: expected one of automatic, policy, everything, nothing; found half",
        ),
    ])
    func `is needed, and its model must be an identifier`(environment: [String: String], words: String) {
        let error = #expect(throws: HostError.self) { try HostSettings(environment: environment) }
        #expect(error?.description.contains(words) == true)
    }
}
