package import AstrolabeDeviceConditions
package import Foundation
package import ViewTree

/// A message from the device to the app, as an operating system would send it.
package enum DeviceMessage: Equatable, Sendable {
    /// The response to hello, with the state of the device. The app builds its screen after it.
    case begin(DeviceBegin)
    /// Changed conditions: network, battery, temperature, memory or lifecycle.
    case conditions(ConditionsUpdate)
    /// Changed settings.
    case settings(DeviceSettings)
    case event(NumberedEvent)
    /// A URL that the system opens in the app. The device first brings the app to the foreground.
    case open(URL)
    /// Requests the image of this name.
    case resource(String)
    /// Requests the whole screen.
    case screen
    /// The device's virtual time. The app moves its own time there and responds with the same message.
    case clock(DeviceClock)
    /// Asks the app to send what its flight recorder has, as a person's report of a problem does.
    case keepRecording
    /// Asks the app to exit, as a system that shuts down does. The app has five seconds.
    case terminate
}

package struct DeviceBegin: Codable, Equatable, Sendable {
    package var version: Int
    package var conditions: Conditions
    package var settings: DeviceSettings
    /// The virtual time; `nil` if the device's time is real.
    package var clock: DeviceClock?

    package init(
        version: Int = LinkVersion.current, conditions: Conditions, settings: DeviceSettings,
        clock: DeviceClock? = nil,
    ) {
        self.version = version
        self.conditions = conditions
        self.settings = settings
        self.clock = clock
    }
}

/// The virtual time of a device, and the time that its network takes.
package struct DeviceClock: Codable, Hashable, Sendable {
    /// Seconds since the device was switched on.
    package var uptime: Double
    /// The wall clock, in seconds since 1970.
    package var wall: Double
    /// Seconds from a request's last byte to its response.
    package var responseDelay: Double
    /// Bytes of requests a second; `nil` for no limit.
    package var bytesPerSecond: Double?
    /// True if the app was suspended until now: whatever was due meanwhile happens now.
    package var isLeap: Bool

    package init(
        uptime: Double, wall: Double, responseDelay: Double = 0, bytesPerSecond: Double? = nil, isLeap: Bool = false,
    ) {
        self.uptime = uptime
        self.wall = wall
        self.responseDelay = responseDelay
        self.bytesPerSecond = bytesPerSecond
        self.isLeap = isLeap
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
