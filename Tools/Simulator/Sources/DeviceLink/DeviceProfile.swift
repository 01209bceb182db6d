import AstrolabeDeviceConditions

/// A device that the simulated phone can be. The page, scenarios and commands use the raw values.
package enum DeviceName: String, Codable, Hashable, Sendable, CaseIterable {
    case iPhoneSE = "iphone-se-3"
    case iPhone16e = "iphone-16e"
    case iPhone15Pro = "iphone-15-pro"
    case iPhone16 = "iphone-16"
    case iPhone16Pro = "iphone-16-pro"
    case iPhone16ProMax = "iphone-16-pro-max"
    case iPadMini = "ipad-mini"
    case iPadPro11 = "ipad-pro-11"

    package static let standard = DeviceName.iPhone15Pro

    /// The facts about the device.
    ///
    /// The sizes and scales are those of "Device screen dimensions" in the section Layout of Apple's Human Interface
    /// Guidelines.
    /// The identifiers are those that the devices report. Apple does not publish the margins of the safe area, nor the
    /// memory of iPhones: they are what the devices report.
    package var profile: DeviceProfile {
        switch self {
        case .iPhoneSE:
            DeviceProfile(
                model: "iPhone14,6", width: 375, height: 667, scale: 2, safeTop: 20, safeBottom: 0, memory: 4,
                front: .homeButton)
        case .iPhone16e:
            DeviceProfile(
                model: "iPhone17,5", width: 390, height: 844, scale: 3, safeTop: 47, safeBottom: 34, front: .notch)
        case .iPhone15Pro: DeviceProfile(model: "iPhone16,1", width: 393, height: 852)
        case .iPhone16: DeviceProfile(model: "iPhone17,3", width: 393, height: 852)
        case .iPhone16Pro: DeviceProfile(model: "iPhone17,1", width: 402, height: 874, safeTop: 62)
        case .iPhone16ProMax: DeviceProfile(model: "iPhone17,2", width: 440, height: 956, safeTop: 62)
        case .iPadMini:
            DeviceProfile(
                model: "iPad16,1", width: 744, height: 1_133, scale: 2, safeTop: 24, safeBottom: 20, front: .plain)
        case .iPadPro11:
            DeviceProfile(
                model: "iPad16,3", width: 834, height: 1_210, scale: 2, safeTop: 24, safeBottom: 20, front: .plain)
        }
    }
}

/// The screen, the memory and the model of a device, upright or turned.
package struct DeviceProfile: Codable, Hashable, Sendable {
    /// The part at the front of the device besides the screen.
    package enum Front: String, Codable, Hashable, Sendable {
        case homeButton, notch, island, plain
    }

    /// The identifier of the model, such as "iPhone16,1".
    package var model: String
    /// The size of the screen in points.
    package var width: Int
    package var height: Int
    /// The pixels of a point.
    package var scale: Int
    /// The margins of the safe area in points.
    package var safeTop: Int
    package var safeBottom: Int
    /// The margin at each side.
    package var safeSide = 0
    package var isLandscape = false
    /// In gigabytes.
    package var memory: Double
    package var front: Front

    init(
        model: String, width: Int, height: Int, scale: Int = 3, safeTop: Int = 59, safeBottom: Int = 34,
        memory: Double = 8, front: Front = .island,
    ) {
        self.model = model
        self.width = width
        self.height = height
        self.scale = scale
        self.safeTop = safeTop
        self.safeBottom = safeBottom
        self.memory = memory
        self.front = front
    }

    package static let standard = DeviceName.standard.profile

    /// Returns the profile of a model, or the standard one for a model without a profile.
    package static func of(model: String?) -> DeviceProfile {
        DeviceName.allCases.lazy.map(\.profile).first { $0.model == model } ?? .standard
    }

    /// Returns the device that the settings name, upright or turned.
    package static func of(_ settings: DeviceSettings) -> DeviceProfile {
        of(model: settings.model).turned(settings.isLandscape)
    }

    /// Returns the device in landscape, or as it is. The margins are those that iPhones report: the front is at a side,
    /// there is no status bar, and the home indicator is closer to the edge. An iPad has the same margins.
    package func turned(_ isLandscape: Bool) -> DeviceProfile {
        guard isLandscape else { return self }
        var turned = self
        turned.isLandscape = true
        (turned.width, turned.height) = (height, width)
        switch front {
        case .island, .notch: (turned.safeTop, turned.safeBottom, turned.safeSide) = (0, 21, safeTop)
        case .homeButton: turned.safeTop = 0
        case .plain: break
        }
        return turned
    }

    /// The marketing name.
    package var name: String { DeviceModelTable.name(of: model) }
    package var isPad: Bool { model.hasPrefix("iPad") }
    /// The name of the operating system.
    package var system: String { isPad ? "iPadOS" : "iOS" }
}
