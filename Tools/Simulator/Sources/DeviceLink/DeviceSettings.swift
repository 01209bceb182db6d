/// The settings of the device that affect how apps look.
package struct DeviceSettings: Codable, Hashable, Sendable {
    package var isDark = false
    /// Apple's name of the content size category, such as "large" or "accessibility3".
    package var textSize = "large"
    /// The locale's identifier, such as "en_US", "ja_JP@calendar=japanese" or "en_US@hours=h23".
    package var locale = "en_US"
    package var reducesMotion = false
    package var increasesContrast = false
    package var differentiatesWithoutColor = false
    /// The identifier of the time zone, such as "Europe/Berlin"; `nil` for the machine's.
    package var timeZone: String?
    /// The identifier of the model, such as "iPhone16,1"; `nil` for the standard phone.
    package var model: String?
    package var isLandscape = false

    package init(
        isDark: Bool = false, textSize: String = "large", locale: String = "en_US", reducesMotion: Bool = false,
        timeZone: String? = nil, model: String? = nil,
    ) {
        self.isDark = isDark
        self.textSize = textSize
        self.locale = locale
        self.reducesMotion = reducesMotion
        self.timeZone = timeZone
        self.model = model
    }

    /// A device may leave out what the first version of the link did not have.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isDark = try container.decode(Bool.self, forKey: .isDark)
        textSize = try container.decode(String.self, forKey: .textSize)
        locale = try container.decode(String.self, forKey: .locale)
        reducesMotion = try container.decode(Bool.self, forKey: .reducesMotion)
        increasesContrast = try container.decodeIfPresent(Bool.self, forKey: .increasesContrast) ?? false
        differentiatesWithoutColor =
            try container.decodeIfPresent(Bool.self, forKey: .differentiatesWithoutColor) ?? false
        timeZone = try container.decodeIfPresent(String.self, forKey: .timeZone)
        model = try container.decodeIfPresent(String.self, forKey: .model)
        isLandscape = try container.decodeIfPresent(Bool.self, forKey: .isLandscape) ?? false
    }
}
