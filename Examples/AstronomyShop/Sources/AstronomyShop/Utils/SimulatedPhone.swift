public import Astrolabe

/// A phone that this process pretends to be, so that telemetry reads as if it came from one.
public struct SimulatedPhone: Hashable, Sendable {
    /// "iPhone16,1".
    public let identifier: String
    /// The version of iOS.
    public let system: String

    public init(identifier: String, system: String = "26.1") {
        self.identifier = identifier
        self.system = system
    }

    /// What it is sold as: "iPhone 15 Pro"; the identifier where that is not known.
    public var name: String { DeviceModelTable.name(of: identifier) }

    /// An iPhone 16.
    public static let standard = SimulatedPhone(identifier: "iPhone17,3")

    /// What a device of this model would say of itself; `astrolabe.simulated` says that it is none.
    public var attributes: Attributes {
        [
            AttributeKey.deviceManufacturer: "Apple",
            AttributeKey.deviceModelIdentifier: .string(identifier),
            AttributeKey.deviceModelName: .string(name),
            AttributeKey.osName: "iOS",
            AttributeKey.osType: "darwin",
            AttributeKey.osVersion: .string(system),
            "astrolabe.simulated": true,
        ]
    }
}
