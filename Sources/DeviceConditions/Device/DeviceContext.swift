/// What the device and the app are, and how the device was when this was taken.
///
/// The parts that change (power, heat, orientation, carrier) are those of the moment, for one record that describes a
/// device; what they are now is in ``Conditions``.
public struct DeviceContext: Codable, Hashable, Sendable {
    public struct ScreenSize: Codable, Hashable, Sendable {
        public var width: Double
        public var height: Double

        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }
    }

    public enum Orientation: String, Codable, Hashable, Sendable, CaseIterable {
        case portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown, unknown
    }

    /// `ios`, `macos`, `linux`, `android`.
    public var platform: String
    /// As people know it: "iOS", "Debian GNU/Linux".
    public var osName: String
    public var osVersion: String
    public var manufacturer: String
    /// As people know it, "iPhone 15 Pro"; the same as `deviceModelRaw` where that is not in the table.
    public var deviceModel: String
    /// As the maker names it, "iPhone16,1".
    public var deviceModelRaw: String
    /// In points; `nil` without a screen.
    public var screenSize: ScreenSize?
    /// Pixels a point; 1 without a screen.
    public var screenScale: Double
    public var isSimulator: Bool
    public var processorCount: Int
    /// Binary gigabytes that the system reports: a little less than what is built in. See ``installedMemoryGB``.
    public var physicalMemoryGB: Double
    public var isLowPowerMode: Bool
    public var thermalState: ThermalState
    /// 0...1, or `nil` where the system does not tell.
    public var batteryLevel: Double?
    public var batteryState: Power.Source
    public var orientation: Orientation
    /// Such as `en_US`.
    public var locale: String
    /// A name of the time zone database, such as `Europe/Berlin`.
    public var timezone: String
    public var carrier: String?
    /// What the user sees: `CFBundleShortVersionString`. Empty where it is not known.
    public var appVersion: String
    /// What the build system counts: `CFBundleVersion`. Empty where it is not known.
    public var buildNumber: String

    public init(
        platform: String,
        osName: String,
        osVersion: String,
        manufacturer: String,
        deviceModelRaw: String,
        screenSize: ScreenSize? = nil,
        screenScale: Double = 1,
        isSimulator: Bool = false,
        processorCount: Int,
        physicalMemoryGB: Double,
        power: Power = .unknown,
        thermalState: ThermalState = .nominal,
        orientation: Orientation = .unknown,
        locale: String,
        timezone: String,
        carrier: String? = nil,
        appVersion: String,
        buildNumber: String,
    ) {
        self.platform = platform
        self.osName = osName
        self.osVersion = osVersion
        self.manufacturer = manufacturer
        self.deviceModel = DeviceModelTable.name(of: deviceModelRaw)
        self.deviceModelRaw = deviceModelRaw
        self.screenSize = screenSize
        self.screenScale = screenScale
        self.isSimulator = isSimulator
        self.processorCount = processorCount
        self.physicalMemoryGB = physicalMemoryGB
        self.isLowPowerMode = power.isLowPowerMode
        self.thermalState = thermalState
        self.batteryLevel = power.level
        self.batteryState = power.source
        self.orientation = orientation
        self.locale = locale
        self.timezone = timezone
        self.carrier = carrier
        self.appVersion = appVersion
        self.buildNumber = buildNumber
    }

    /// What is built in: the reported memory rounded up to whole gigabytes.
    ///
    /// The kernel and the graphics keep some for themselves, so a phone sold with 6 GB reports about 5.5, and "at
    /// least 6 GB" would be true of none of them.
    public var installedMemoryGB: Double { physicalMemoryGB.rounded(.up) }
}
