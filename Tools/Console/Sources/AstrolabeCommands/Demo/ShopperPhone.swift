import AstronomyShop
import Foundation

/// The phones that the shopper simulates, so that the console shows several devices.
enum ShopperPhone {
    static let all = [
        SimulatedPhone(identifier: "iPhone16,1", name: "iPhone 15 Pro", system: "18.7", memory: 8),
        SimulatedPhone(identifier: "iPhone14,6", name: "iPhone SE (3rd generation)", system: "17.6", memory: 4),
        SimulatedPhone(identifier: "iPhone17,3", name: "iPhone 16", memory: 8),
    ]
}

extension SimulatedPhone {
    /// The phone's storage folder, which holds its own session and installation.
    var storage: URL {
        URL(fileURLWithPath: ".astrolabe/phones/\(identifier)", isDirectory: true)
    }
}
