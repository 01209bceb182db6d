import Astrolabe
import Foundation

/// A phone that the shopper pretends to carry, so that the console has several devices to show.
struct ShopperPhone {
    let identifier: String
    let name: String
    let system: String

    static let all = [
        ShopperPhone(identifier: "iPhone16,1", name: "iPhone 15 Pro", system: "18.7"),
        ShopperPhone(identifier: "iPhone14,6", name: "iPhone SE", system: "17.6"),
        ShopperPhone(identifier: "iPhone17,3", name: "iPhone 16", system: "26.1"),
    ]

    /// What a device of this model would say of itself; `astrolabe.simulated` says that it is none.
    var attributes: Attributes {
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

    /// Each phone keeps its own session and installation.
    var storage: URL {
        URL(fileURLWithPath: ".astrolabe/phones/\(identifier)", isDirectory: true)
    }
}
