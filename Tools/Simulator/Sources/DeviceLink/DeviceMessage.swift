package import AstrolabeDeviceConditions
package import ViewTree

/// A message from the device to the app, as an operating system would send it.
package enum DeviceMessage: Hashable, Sendable {
    /// The response to hello, with the state of the device. The app builds its screen after it.
    case begin(DeviceBegin)
    /// Changed conditions: network, battery, temperature, memory or lifecycle.
    case conditions(ConditionsUpdate)
    /// Changed settings.
    case settings(DeviceSettings)
    case event(NumberedEvent)
    /// Requests the image of this name.
    case resource(String)
    /// Requests the whole screen.
    case screen
    /// Asks the app to exit, as a system that shuts down does. The app has five seconds.
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

/// The settings of the device that affect how apps look.
package struct DeviceSettings: Codable, Hashable, Sendable {
    package var isDark: Bool
    /// Apple's name of the content size category, such as "large" or "accessibility3".
    package var textSize: String
    /// The locale's identifier, such as "en_US".
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

/// A user's event, with a number that the app's outcome repeats.
package struct NumberedEvent: Codable, Hashable, Sendable {
    package var number: Int
    package var event: ViewEvent

    package init(number: Int, event: ViewEvent) {
        self.number = number
        self.event = event
    }
}
