public import Astrolabe

/// A phone that this process simulates, so that telemetry looks as if it came from one.
public struct SimulatedPhone: Hashable, Sendable {
    /// "iPhone16,1".
    public let identifier: String
    /// The marketing name, such as "iPhone 15 Pro".
    public let name: String
    /// The version of iOS.
    public let system: String

    public init(identifier: String, name: String, system: String = "26.1") {
        self.identifier = identifier
        self.name = name
        self.system = system
    }

    /// An iPhone 16.
    public static let standard = SimulatedPhone(identifier: "iPhone17,3", name: "iPhone 16")

    /// The resource attributes of a device of this model. `astrolabe.simulated` marks it as simulated.
    public var attributes: Attributes {
        [
            AttributeKey.deviceManufacturer: "Apple",
            AttributeKey.deviceModelIdentifier: identifier,
            AttributeKey.deviceModelName: name,
            AttributeKey.osName: "iOS",
            AttributeKey.osType: "darwin",
            AttributeKey.osVersion: system,
            "astrolabe.simulated": true,
        ]
    }
}
