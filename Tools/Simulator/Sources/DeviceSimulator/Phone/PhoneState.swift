package import DeviceLink

/// The state of the phone that its page shows.
package struct PhoneState: Codable, Hashable, Sendable {
    package enum Phase: String, Codable, Hashable, Sendable {
        case notRunning, launching, active, background, suspended, ended
    }

    package struct App: Codable, Hashable, Sendable {
        package var phase = Phase.notRunning
        package var pid: Int?
        /// The number of launches since the phone was switched on.
        package var launches = 0
        package var end: AppEnd?
    }

    package struct Device: Codable, Hashable, Sendable {
        package var name: String
        /// The name of the installed app.
        package var app: String
        package var system: String
        /// Its screen and the rest of its front.
        package var profile: DeviceProfile

        init(_ profile: DeviceProfile, app: String, system: String) {
            name = profile.name
            self.app = app
            self.system = "\(profile.system) \(system)"
            self.profile = profile
        }
    }

    package struct Links: Codable, Hashable, Sendable {
        package var console: String?
    }

    /// A scenario that is written from what a person does.
    package struct Recording: Codable, Hashable, Sendable {
        /// False if the recording has ended.
        package var isOn: Bool
        package var steps: Int
    }

    package var app = App()
    package var settings: PhoneSettings
    package var device: Device
    package var links: Links
    package var recording: Recording?
}

/// An action on the app or the system, as opposed to a touch or a setting.
package enum PhoneAction: String, Codable, Hashable, Sendable, CaseIterable {
    case launch, terminate, kill, suspend, resume, background, foreground, reinstall
    case memoryWarning, memoryCritical, memoryNormal
    /// Has the app send what its flight recorder has of the session.
    case keepRecording
}
