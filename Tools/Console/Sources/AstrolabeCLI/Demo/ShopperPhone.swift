import AstronomyShop
import Foundation

/// The phones that the shopper pretends to carry, so that the console has several devices to show.
enum ShopperPhone {
    static let all = [
        SimulatedPhone(identifier: "iPhone16,1", system: "18.7"),
        SimulatedPhone(identifier: "iPhone14,6", system: "17.6"),
        SimulatedPhone.standard,
    ]
}

extension SimulatedPhone {
    /// Each phone keeps its own session and installation.
    var storage: URL {
        URL(fileURLWithPath: ".astrolabe/phones/\(identifier)", isDirectory: true)
    }
}
