import AstrolabeTestSupport
import DeviceLink
import Foundation
import Testing

@testable import DeviceSimulator

/// A phone is one of several devices, and the app sees which.
@Suite(.serialized, .timeLimit(.minutes(2))) struct `The device of a phone` {
    @Test(arguments: [
        (DeviceName.iPhone15Pro, "393 852 1179", "compact regular 3", "iPhone iOS", "phone"),
        (.iPhoneSE, "375 667 750", "compact regular 2", "iPhone iOS", "phone"),
        (.iPadPro11, "834 1210 1668", "regular regular 2", "iPad iPadOS", "pad"),
    ])
    func `is what the app sees of it`(
        device: DeviceName, screen: String, classes: String, model: String, idiom: String,
    ) async throws {
        try await PhoneWithTraits.run {
            $0.device = device
        } _: { subject in
            let facts = try await subject.facts()
            #expect(facts["screen"] == screen)
            #expect(facts["size-classes"] == classes)
            #expect(facts["device"] == model)
            #expect(facts["is-pad"] == idiom)
        }
    }

    @Test func `can be exchanged, and the app starts again on it`() async throws {
        try await PhoneWithTraits.run { subject in
            #expect(try await subject.facts()["screen"] == "393 852 1179")
            try await subject.phone.set { $0.device = .iPhone16ProMax }
            try await subject.facts { $0["screen"] == "440 956 1320" }
            let state = await subject.phone.state
            #expect(state.app.launches == 2)
            #expect(state.device.name == "iPhone 16 Pro Max")
            #expect(state.device.profile.safeTop == 62)
        }
    }

    @Test(arguments: [
        (DeviceName.iPhone15Pro, "852 393 1179", "compact compact 3", 59, 21),
        (.iPhone16ProMax, "956 440 1320", "regular compact 3", 62, 21),
        (.iPhoneSE, "667 375 750", "compact compact 2", 0, 0),
    ])
    func `turns with the running app, and back`(
        device: DeviceName, screen: String, classes: String, side: Int, bottom: Int,
    ) async throws {
        try await PhoneWithTraits.run {
            $0.device = device
        } _: { subject in
            let upright = try await subject.facts()["screen"]
            try await subject.phone.set { $0.isLandscape = true }
            try await subject.facts { $0["screen"] == screen && $0["size-classes"] == classes }
            let profile = await subject.phone.state.device.profile
            #expect(profile.safeSide == side && profile.safeBottom == bottom && profile.isLandscape)
            try await subject.phone.set { $0.isLandscape = false }
            try await subject.facts { $0["screen"] == upright }
            #expect(await subject.phone.app.launches == 1)
        }
    }

    @Test func `tells the running app of more contrast`() async throws {
        try await PhoneWithTraits.run { subject in
            #expect(try await subject.facts()["contrast"] == "standard false")
            try await subject.phone.set { $0.increasesContrast = true }
            try await subject.facts { $0["contrast"] == "increased false" }
            try await subject.phone.set { $0.differentiatesWithoutColor = true }
            try await subject.facts { $0["contrast"] == "increased true" }
            #expect(await subject.phone.app.launches == 1)
        }
    }

    @Test func `can be chosen on the page by its name`() throws {
        let page = try String(
            contentsOf: Repository.file("Tools/Simulator/Sources/DeviceSimulator/Assets/panels/device.js"),
            encoding: .utf8)
        for name in DeviceName.allCases { #expect(page.contains("[\"\(name.rawValue)\", \"\(name.profile.name)\"]")) }
    }

    @Test func `has a model that telemetry knows by name`() {
        for name in DeviceName.allCases {
            #expect(name.profile.name != name.profile.model, "\(name)")
            #expect(DeviceProfile.of(model: name.profile.model) == name.profile)
        }
        #expect(DeviceProfile.of(model: "iPhone99,9") == .standard)
        #expect(DeviceProfile.standard.model == "iPhone16,1")
    }
}
