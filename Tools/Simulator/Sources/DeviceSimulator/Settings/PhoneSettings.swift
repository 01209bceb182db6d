package import AstrolabeDeviceConditions
package import DeviceLink

/// The settings of the phone and its environment.
package struct PhoneSettings: Codable, Hashable, Sendable {
    package var network = NetworkProfile.wifi
    /// From 0 to 1.
    package var batteryLevel = 0.8
    package var isCharging = false
    package var isLowPower = false
    package var thermal = ThermalState.nominal
    package var memory = MemoryPressure.normal
    package var isDark = false
    /// Apple's name of the content size category, such as "large" or "accessibility3".
    package var textSize = "large"
    package var locale = "en_US"
    package var calendar = PhoneCalendar.gregorian
    package var hourCycle = HourCycle.automatic
    /// An identifier such as "Europe/Berlin", or "automatic" for the machine's.
    package var timeZone = PhoneSettings.automatic
    package var reducesMotion = false
    package var increasesContrast = false
    package var differentiatesWithoutColor = false
    package var device = DeviceName.standard
    package var isLandscape = false
    /// The sessions that the app samples in.
    package var sampling = SessionSampling.automatic

    package init() {}

    /// Apple's content size categories, from the smallest to the largest.
    package static let textSizes = [
        "xSmall", "small", "medium", "large", "xLarge", "xxLarge", "xxxLarge", "accessibility1", "accessibility2",
        "accessibility3", "accessibility4", "accessibility5",
    ]

    /// The device conditions that the operating system reports to the app.
    func conditions(_ lifecycle: LifecycleState) -> Conditions {
        Conditions(network: network.path, power: power, thermal: thermal, memory: memory, lifecycle: lifecycle)
    }

    /// The device conditions that differ from earlier settings; `nil` if none do.
    func update(since old: PhoneSettings) -> ConditionsUpdate? {
        var update = ConditionsUpdate()
        if network != old.network { update.network = network.path }
        if power != old.power { update.power = power }
        if thermal != old.thermal { update.thermal = thermal }
        if memory != old.memory { update.memory = memory }
        return update == ConditionsUpdate() ? nil : update
    }

    /// The settings that change how the app looks.
    var appearance: DeviceSettings {
        var appearance = DeviceSettings(
            isDark: isDark, textSize: textSize, locale: fullLocale, reducesMotion: reducesMotion,
            timeZone: resolvedTimeZone, model: device.profile.model)
        appearance.increasesContrast = increasesContrast
        appearance.differentiatesWithoutColor = differentiatesWithoutColor
        appearance.isLandscape = isLandscape
        return appearance
    }

    private var power: Power {
        Power(
            level: batteryLevel, source: isCharging ? (batteryLevel >= 1 ? .full : .charging) : .unplugged,
            isLowPowerMode: isLowPower,
        )
    }
}

/// New values for some settings. A setting that is `nil` does not change.
package struct PhoneSettingsUpdate: Codable, Hashable, Sendable {
    package var network: NetworkProfile?
    package var batteryLevel: Double?
    package var isCharging: Bool?
    package var isLowPower: Bool?
    package var thermal: ThermalState?
    package var memory: MemoryPressure?
    package var isDark: Bool?
    package var textSize: String?
    package var locale: String?
    package var calendar: PhoneCalendar?
    package var hourCycle: HourCycle?
    package var timeZone: String?
    package var reducesMotion: Bool?
    package var increasesContrast: Bool?
    package var differentiatesWithoutColor: Bool?
    package var device: DeviceName?
    package var isLandscape: Bool?
    package var sampling: SessionSampling?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case network, batteryLevel, isCharging, isLowPower, thermal, memory, isDark, textSize, locale, calendar
        case hourCycle, timeZone, reducesMotion, increasesContrast, differentiatesWithoutColor, device, isLandscape
        case sampling
    }

    /// The names of all settings.
    static var names: [String] { CodingKeys.allCases.map(\.rawValue) }

    /// The values that a setting accepts, or a description of them.
    static func values(of name: String) -> [String] {
        switch CodingKeys(rawValue: name) {
        case .network: NetworkProfile.allCases.map(\.rawValue)
        case .thermal: ThermalState.allCases.map(\.rawValue)
        case .memory: MemoryPressure.allCases.map(\.rawValue)
        case .textSize: PhoneSettings.textSizes
        case .batteryLevel: ["a number from 0 to 1"]
        case .locale: ["an identifier such as en_US"]
        case .calendar: PhoneCalendar.allCases.map(\.rawValue)
        case .hourCycle: HourCycle.allCases.map(\.rawValue)
        case .timeZone: [PhoneSettings.automatic, "an identifier such as Europe/Berlin"]
        case .device: PhoneSettings.deviceNames
        case .sampling: SessionSampling.allCases.map(\.rawValue)
        case .isCharging, .isLowPower, .isDark, .reducesMotion, .increasesContrast, .differentiatesWithoutColor,
            .isLandscape:
            ["true", "false"]
        case nil: []
        }
    }

    package init() {}

    /// - Throws: ``PhoneError/badSetting(_:)`` for a value that is not valid.
    func applied(to old: PhoneSettings) throws(PhoneError) -> PhoneSettings {
        var new = old
        if let batteryLevel {
            guard (0...1).contains(batteryLevel) else {
                throw .badSetting("batteryLevel: expected 0 to 1; found \(batteryLevel)")
            }
            new.batteryLevel = batteryLevel
        }
        if let textSize {
            guard PhoneSettings.textSizes.contains(textSize) else {
                throw .badSetting(
                    "textSize: expected one of \(PhoneSettings.textSizes.joined(separator: ", ")); found \(textSize)"
                )
            }
            new.textSize = textSize
        }
        if let locale {
            let isLocale = locale.wholeMatch(of: /[a-z]{2,3}([_-][A-Z][a-z]{3})?([_-]([A-Z]{2}|[0-9]{3}))?/) != nil
            guard isLocale else { throw .badSetting("locale: expected an identifier such as en_US; found \(locale)") }
            new.locale = locale
        }
        if let timeZone { new.timeZone = try PhoneSettings.checkedTimeZone(timeZone) }
        new.network = network ?? old.network
        new.calendar = calendar ?? old.calendar
        new.hourCycle = hourCycle ?? old.hourCycle
        new.isCharging = isCharging ?? old.isCharging
        new.isLowPower = isLowPower ?? old.isLowPower
        new.thermal = thermal ?? old.thermal
        new.memory = memory ?? old.memory
        new.isDark = isDark ?? old.isDark
        new.reducesMotion = reducesMotion ?? old.reducesMotion
        new.increasesContrast = increasesContrast ?? old.increasesContrast
        new.differentiatesWithoutColor = differentiatesWithoutColor ?? old.differentiatesWithoutColor
        new.device = device ?? old.device
        new.isLandscape = isLandscape ?? old.isLandscape
        new.sampling = sampling ?? old.sampling
        return new
    }
}
