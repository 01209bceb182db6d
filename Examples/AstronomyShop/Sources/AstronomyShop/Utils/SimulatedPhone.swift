public import Astrolabe

/// A phone that this process simulates, so that telemetry looks as if it came from one.
public struct SimulatedPhone: Hashable, Sendable {
    /// "iPhone16,1".
    public let identifier: String
    /// The marketing name, such as "iPhone 15 Pro".
    public let name: String
    /// The version of iOS.
    public let system: String
    /// The memory in gigabytes; `nil` for that of the process's device.
    public let memory: Double?

    public init(identifier: String, name: String, system: String = "26.1", memory: Double? = nil) {
        self.identifier = identifier
        self.name = name
        self.system = system
        self.memory = memory
    }

    /// An iPhone 16.
    public static let standard = SimulatedPhone(identifier: "iPhone17,3", name: "iPhone 16")

    /// The resource attributes of a device of this model. `astrolabe.simulated` marks it as simulated.
    public var attributes: Attributes {
        [
            AttributeKey.deviceManufacturer: "Apple",
            AttributeKey.deviceModelIdentifier: identifier,
            AttributeKey.deviceModelName: name,
            AttributeKey.hostArch: "arm64",
            AttributeKey.osName: "iOS",
            AttributeKey.osType: "darwin",
            AttributeKey.osVersion: system,
            AttributeKey.osDescription: "iOS \(system)",
            "astrolabe.device.platform": "ios",
            "astrolabe.device.is_simulator": true,
            "astrolabe.device.physical_memory_gb": memory,
            "astrolabe.simulated": true,
        ]
    }
}
