/// The settings of the device that affect how apps look.
package struct DeviceSettings: Codable, Hashable, Sendable {
    package var isDark = false
    /// Apple's name of the content size category, such as "large" or "accessibility3".
    package var textSize = "large"
    /// The locale's identifier, such as "en_US", "ja_JP@calendar=japanese" or "en_US@hours=h23".
    package var locale = "en_US"
    package var reducesMotion = false
    /// The identifier of the time zone, such as "Europe/Berlin"; `nil` for the machine's.
    package var timeZone: String?

    package init(
        isDark: Bool = false, textSize: String = "large", locale: String = "en_US", reducesMotion: Bool = false,
        timeZone: String? = nil,
    ) {
        self.isDark = isDark
        self.textSize = textSize
        self.locale = locale
        self.reducesMotion = reducesMotion
        self.timeZone = timeZone
    }
}
