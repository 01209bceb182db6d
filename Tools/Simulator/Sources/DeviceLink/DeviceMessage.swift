package import AstrolabeDeviceConditions
package import ViewTree

/// What the device tells the app, as an operating system would.
package enum DeviceMessage: Hashable, Sendable {
    /// Answers the hello: how things are as the app starts. The app builds its screen after it.
    case begin(DeviceBegin)
    /// What has changed about network, battery, heat, memory or the app's life.
    case conditions(ConditionsUpdate)
    /// How the device is set to look.
    case settings(DeviceSettings)
    case event(NumberedEvent)
    /// Asks for a picture.
    case resource(String)
    /// Asks for the whole screen again.
    case screen
    /// Asks the app to end by itself, as a system that is shut down does; it has five seconds.
    case terminate
}

package struct DeviceBegin: Codable, Hashable, Sendable {
    package var version: Int
    package var conditions: Conditions
    package var settings: DeviceSettings

    package init(version: Int = LinkVersion.current, conditions: Conditions, settings: DeviceSettings) {
        self.version = version
        self.conditions = conditions
        self.settings = settings
    }
}

/// How the person has set the device.
package struct DeviceSettings: Codable, Hashable, Sendable {
    package var isDark: Bool
    /// Apple's name of the content size category: "large", "accessibility3".
    package var textSize: String
    /// "en_US".
    package var locale: String
    package var reducesMotion: Bool

    package init(
        isDark: Bool = false, textSize: String = "large", locale: String = "en_US", reducesMotion: Bool = false,
    ) {
        self.isDark = isDark
        self.textSize = textSize
        self.locale = locale
        self.reducesMotion = reducesMotion
    }
}

/// One act of the person's, with a number that the app's answer names.
package struct NumberedEvent: Codable, Hashable, Sendable {
    package var number: Int
    package var event: ViewEvent

    package init(number: Int, event: ViewEvent) {
        self.number = number
        self.event = event
    }
}
