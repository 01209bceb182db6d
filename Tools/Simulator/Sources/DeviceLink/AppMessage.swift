package import Foundation
package import ViewTree

/// A message from the app to the device. `Docs/Internals/DeviceLink.md` has an example of each.
package enum AppMessage: Sendable {
    /// The first message of every connection.
    case hello(AppHello)
    /// The whole screen, for a device that does not have it yet.
    case screen(RenderedTree)
    /// The changes since the last screen or patch.
    case patch(TreePatch)
    /// The outcome of an event.
    case outcome(EventReply)
    case resource(ResourceReply)
    case frames(FrameSummary)
    case status(AppStatus)
    /// The uptime that the app has come to, in seconds. It does nothing more before the next `clock`.
    case clock(Double)
}

package struct AppHello: Codable, Hashable, Sendable {
    /// The version of the protocol; see ``LinkVersion``.
    package var version: Int
    package var name: String
    package var appVersion: String
    package var processID: Int
    /// The header by which a request says what process has sent it. An app in virtual time sets it: a request can
    /// arrive when its process has ended, and the next one runs.
    package static let processHeader = "process-id"
    /// The header by which a request of an app in virtual time says at what uptime it is sent, in seconds.
    package static let uptimeHeader = "device-uptime"

    package init(version: Int = LinkVersion.current, name: String, appVersion: String, processID: Int) {
        self.version = version
        self.name = name
        self.appVersion = appVersion
        self.processID = processID
    }
}

/// The version of the protocol, which must be the same on both sides.
package enum LinkVersion {
    package static let current = 1
}

package struct EventReply: Codable, Hashable, Sendable {
    /// The number that the device gave the event.
    package var number: Int
    package var outcome: EventOutcome

    package init(number: Int, outcome: EventOutcome) {
        self.number = number
        self.outcome = outcome
    }
}

/// The image of a name that the screen contains.
package struct ResourceReply: Codable, Hashable, Sendable {
    package var name: String
    /// The media type found in the first bytes, such as "image/png"; `nil` if the app no longer has the image.
    package var type: String?
    package var data: Data?

    package init(name: String, type: String? = nil, data: Data? = nil) {
        self.name = name
        self.type = type
        self.data = data
    }
}

/// The frames since the last summary. Sent at most four times a second, and only if there were frames.
package struct FrameSummary: Codable, Hashable, Sendable {
    package var frames: Int
    /// Frames that took longer than 16.7 ms.
    package var slow: Int
    /// Frames that took longer than 700 ms.
    package var frozen: Int
    /// Display ticks that passed during slow frames.
    package var missed: Int
    /// The duration of the longest frame, in milliseconds.
    package var longest: Double

    package init(frames: Int = 0, slow: Int = 0, frozen: Int = 0, missed: Int = 0, longest: Double = 0) {
        self.frames = frames
        self.slow = slow
        self.frozen = frozen
        self.missed = missed
        self.longest = longest
    }
}
