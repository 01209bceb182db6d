package import AstrolabeDeviceConditions
import DeviceLink

/// All that a person can set about the phone and its surroundings.
package struct PhoneSettings: Codable, Hashable, Sendable {
    package var network = NetworkProfile.wifi
    /// 0...1
    package var batteryLevel = 0.8
    package var isCharging = false
    package var isLowPower = false
    package var thermal = ThermalState.nominal
    package var memory = MemoryPressure.normal
    package var isDark = false
    /// Apple's name of the content size category: "large", "accessibility3".
    package var textSize = "large"
    package var locale = "en_US"
    package var reducesMotion = false

    package init() {}

    /// Apple's content size categories, from the smallest on.
    package static let textSizes = [
        "xSmall", "small", "medium", "large", "xLarge", "xxLarge", "xxxLarge", "accessibility1", "accessibility2",
        "accessibility3", "accessibility4", "accessibility5",
    ]

    /// What the operating system tells an app in this state.
    func conditions(_ lifecycle: LifecycleState) -> Conditions {
        Conditions(network: network.path, power: power, thermal: thermal, memory: memory, lifecycle: lifecycle)
    }

    /// What has changed since, as the operating system tells it.
    func update(since old: PhoneSettings) -> ConditionsUpdate? {
        var update = ConditionsUpdate()
        if network != old.network { update.network = network.path }
        if power != old.power { update.power = power }
        if thermal != old.thermal { update.thermal = thermal }
        if memory != old.memory { update.memory = memory }
        return update == ConditionsUpdate() ? nil : update
    }

    var look: DeviceSettings {
        DeviceSettings(isDark: isDark, textSize: textSize, locale: locale, reducesMotion: reducesMotion)
    }

    private var power: Power {
        Power(
            level: batteryLevel, source: isCharging ? (batteryLevel >= 1 ? .full : .charging) : .unplugged,
            isLowPowerMode: isLowPower,
        )
    }
}

/// New values for some settings; one that is nil stays as it is.
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
    package var reducesMotion: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case network, batteryLevel, isCharging, isLowPower, thermal, memory, isDark, textSize, locale, reducesMotion
    }

    /// What can be set, as it is written.
    static var names: [String] { CodingKeys.allCases.map(\.rawValue) }

    /// What a setting may be set to, as it is written or in words.
    static func values(of name: String) -> [String] {
        switch CodingKeys(rawValue: name) {
        case .network: NetworkProfile.allCases.map(\.rawValue)
        case .thermal: ThermalState.allCases.map(\.rawValue)
        case .memory: MemoryPressure.allCases.map(\.rawValue)
        case .textSize: PhoneSettings.textSizes
        case .batteryLevel: ["a number from 0 to 1"]
        case .locale: ["an identifier such as en_US"]
        case .isCharging, .isLowPower, .isDark, .reducesMotion: ["true", "false"]
        case nil: []
        }
    }

    package init() {}

    /// - Throws: ``PhoneError`` for a value that no phone has.
    func applied(to old: PhoneSettings) throws(PhoneError) -> PhoneSettings {
        var new = old
        if let batteryLevel {
            guard (0...1).contains(batteryLevel) else {
                throw .badSetting("batteryLevel: expected 0 to 1, found \(batteryLevel)")
            }
            new.batteryLevel = batteryLevel
        }
        if let textSize {
            guard PhoneSettings.textSizes.contains(textSize) else {
                throw .badSetting(
                    "textSize: expected one of \(PhoneSettings.textSizes.joined(separator: ", ")), found \(textSize)"
                )
            }
            new.textSize = textSize
        }
        if let locale {
            let isLocale = locale.wholeMatch(of: /[a-z]{2,3}([_-][A-Z][a-z]{3})?([_-]([A-Z]{2}|[0-9]{3}))?/) != nil
            guard isLocale else { throw .badSetting("locale: expected an identifier such as en_US, found \(locale)") }
            new.locale = locale
        }
        new.network = network ?? old.network
        new.isCharging = isCharging ?? old.isCharging
        new.isLowPower = isLowPower ?? old.isLowPower
        new.thermal = thermal ?? old.thermal
        new.memory = memory ?? old.memory
        new.isDark = isDark ?? old.isDark
        new.reducesMotion = reducesMotion ?? old.reducesMotion
        return new
    }
}
