package import Foundation
package import ViewTree

/// What the app tells the device. `Docs/Internals/DeviceLink.md` shows each as it goes over the wire.
package enum AppMessage: Sendable {
    /// The first message of every connection.
    case hello(AppHello)
    /// All that is shown, for a device that has not seen it yet.
    case screen(RenderedTree)
    /// What has changed of it since.
    case patch(TreePatch)
    /// What became of an event.
    case outcome(EventReply)
    case resource(ResourceReply)
    case frames(FrameSummary)
    case status(AppStatus)
}

package struct AppHello: Codable, Hashable, Sendable {
    /// The version of the link's language; see ``LinkVersion``.
    package var version: Int
    package var name: String
    package var appVersion: String
    package var processID: Int

    package init(version: Int = LinkVersion.current, name: String, appVersion: String, processID: Int) {
        self.version = version
        self.name = name
        self.appVersion = appVersion
        self.processID = processID
    }
}

/// The version of the link's language that both sides must speak.
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

/// A picture that the screen names.
package struct ResourceReply: Codable, Hashable, Sendable {
    package var name: String
    /// After the first bytes: "image/png"; nil where the app has no such picture any more.
    package var type: String?
    package var data: Data?

    package init(name: String, type: String? = nil, data: Data? = nil) {
        self.name = name
        self.type = type
        self.data = data
    }
}

/// The frames since the last summary; sent at most four times a second, and only where there were any.
package struct FrameSummary: Codable, Hashable, Sendable {
    package var frames: Int
    /// That took longer than 16.7 ms.
    package var slow: Int
    /// That took longer than 700 ms.
    package var frozen: Int
    /// Ticks of the display that a slow frame ran over.
    package var missed: Int
    /// Milliseconds.
    package var longest: Double

    package init(frames: Int = 0, slow: Int = 0, frozen: Int = 0, missed: Int = 0, longest: Double = 0) {
        self.frames = frames
        self.slow = slow
        self.frozen = frozen
        self.missed = missed
        self.longest = longest
    }
}
