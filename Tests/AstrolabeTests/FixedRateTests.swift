import AstrolabeDeviceConditions
import AstrolabePolicy
import AstrolabeRecording
import Testing

@testable import Astrolabe

@Suite struct `The rate of an app that leaves none to the policy` {
    private let sampler = SessionSampler(rate: 0.25, session: "any")

    private func rate(under remote: RemotePolicy?, fixed: Double?) -> Double {
        let device = DeviceContext(
            platform: "ios", osName: "iOS", osVersion: "18.1", manufacturer: "Apple", deviceModelRaw: "iPhone16,1",
            processorCount: 6, physicalMemoryGB: 5.5, locale: "en_US", timezone: "Europe/Berlin", appVersion: "1",
            buildNumber: "1")
        let policy = CollectionPolicy(PolicyConfiguration(), remote: remote)
        var decision = policy.decision(for: Conditions(network: .wifi, lifecycle: .active), on: device)
        // As with a factor of the device's conditions.
        decision.samplingRate = 0.75
        sampler.follow(decision, fixedRate: fixed)
        return sampler.rate
    }

    @Test func `is its own, or a document's without the factors of the device's conditions`() {
        #expect(rate(under: nil, fixed: 0.25) == 0.25)
        #expect(rate(under: nil, fixed: nil) == 0.75)
        var remote = RemotePolicy(version: 1)
        #expect(rate(under: remote, fixed: 0.25) == 0.25)
        remote.samplingRates = ModeTable(full: 0.5, normal: 0.5, reduced: 0.5, minimal: 0.5)
        #expect(rate(under: remote, fixed: 0.25) == 0.5)
        #expect(rate(under: remote, fixed: nil) == 0.75)
        remote.recordsInFull = true
        #expect(rate(under: remote, fixed: 0.25) == 1)
    }
}
