public import Astrolabe

/// A phone that this process simulates, so that telemetry looks as if it came from one.
public struct SimulatedPhone: Hashable, Sendable {
    /// "iPhone16,1".
    public let identifier: String
    /// The version of iOS.
    public let system: String

    public init(identifier: String, system: String = "26.1") {
        self.identifier = identifier
        self.system = system
    }

    /// The marketing name, such as "iPhone 15 Pro", or the identifier if the name is unknown.
    public var name: String { DeviceModelTable.name(of: identifier) }

    /// An iPhone 16.
    public static let standard = SimulatedPhone(identifier: "iPhone17,3")

    /// The resource attributes of a device of this model. `astrolabe.simulated` marks it as simulated.
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
