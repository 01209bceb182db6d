/// A description of the device and the app, and a snapshot of the device's state.
///
/// The parts that change (power, heat, orientation, carrier) are those of the snapshot. ``Conditions`` has their
/// current values.
public struct DeviceContext: Equatable, Sendable {
    public struct ScreenSize: Equatable, Sendable {
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

    /// `ios`, `macos`, `linux` or `android`.
    public var platform: String
    /// The marketing name: "iOS", "Debian GNU/Linux".
    public var osName: String
    public var osVersion: String
    public var manufacturer: String
    /// The marketing name, "iPhone 15 Pro"; the same as `deviceModelRaw` if it is not in the table.
    public var deviceModel: String
    /// The manufacturer's identifier, "iPhone16,1".
    public var deviceModelRaw: String
    /// In points; `nil` without a screen.
    public var screenSize: ScreenSize?
    /// Pixels per point; 1 without a screen.
    public var screenScale: Double
    public var isSimulator: Bool
    public var processorCount: Int
    /// Memory that the system reports in binary gigabytes, slightly less than installed. See ``installedMemoryGB``.
    public var physicalMemoryGB: Double
    public var isLowPowerMode: Bool
    public var thermalState: ThermalState
    /// 0...1, or `nil` if the system does not report it.
    public var batteryLevel: Double?
    public var batteryState: Power.Source
    public var orientation: Orientation
    /// A locale identifier, such as `en_US`.
    public var locale: String
    /// A name of the time zone database, such as `Europe/Berlin`.
    public var timezone: String
    public var carrier: String?
    /// The version shown to users: `CFBundleShortVersionString`. Empty if not known.
    public var appVersion: String
    /// The build number: `CFBundleVersion`. Empty if not known.
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

    /// Returns the context with its changing parts as they are in these conditions.
    package func updated(with conditions: Conditions) -> DeviceContext {
        var context = self
        context.isLowPowerMode = conditions.power.isLowPowerMode
        context.batteryLevel = conditions.power.level
        context.batteryState = conditions.power.source
        context.thermalState = conditions.thermal
        context.carrier = conditions.network.carrierName
        context.orientation = conditions.orientation
        return context
    }

    /// The installed memory: the reported memory rounded up to whole gigabytes.
    ///
    /// The kernel and the graphics reserve some memory. A phone sold with 6 GB reports about 5.5, so "at least 6 GB"
    /// would never match it.
    public var installedMemoryGB: Double { physicalMemoryGB.rounded(.up) }
}
