import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabePolicy
import Foundation

@testable import FleetSimulator

/// A device that lives what a test writes down.
struct ScriptedDevice {
    var conditions: [DeviceTimeline.Step] = [
        DeviceTimeline.Step(at: 0, .network(.wifi, .good)),
        DeviceTimeline.Step(at: 0, .power(Power(level: 0.8, source: .unplugged))),
        DeviceTimeline.Step(at: 1, .launch),
        DeviceTimeline.Step(at: 1, .lifecycle(.active)),
    ]
    var hours = 1.0
    var isUsed = false
    var outages = CollectorOutages.noOutages

    mutating func at(_ time: Double, _ event: DeviceTimeline.Event) {
        conditions.append(DeviceTimeline.Step(at: time, event))
    }

    func live() async throws -> FleetResults {
        let folder = FileManager.default.temporaryDirectory.path + "/fleet-test-" + IDGenerator().nextUUID()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let device = try VirtualDevice(
            1, timeline: DeviceTimeline(steps: conditions, duration: hours * 3_600, isUsed: isUsed),
            context: Person(seed: 1, device: 1).context, policy: CollectionPolicy(), outages: outages, seed: 1,
            root: folder,
        )
        return try await device.live()
    }
}

extension FleetSettings {
    init(devices: Int, hours: Int = 24, seed: UInt64 = 7, jobs: Int = 2) {
        self.init()
        self.devices = devices
        self.hours = hours
        self.seed = seed
        self.jobs = jobs
    }
}
