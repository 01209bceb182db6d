import AstronomyShop
import Foundation

/// The phones that the shopper simulates, so that the console shows several devices.
enum ShopperPhone {
    static let all = [
        SimulatedPhone(identifier: "iPhone16,1", name: "iPhone 15 Pro", system: "18.7"),
        SimulatedPhone(identifier: "iPhone14,6", name: "iPhone SE (3rd generation)", system: "17.6"),
        SimulatedPhone.standard,
    ]
}

extension SimulatedPhone {
    /// The phone's storage folder, which holds its own session and installation.
    var storage: URL {
        URL(fileURLWithPath: ".astrolabe/phones/\(identifier)", isDirectory: true)
    }
}
