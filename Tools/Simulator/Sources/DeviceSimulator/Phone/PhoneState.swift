/// The phone as its page shows it.
package struct PhoneState: Codable, Hashable, Sendable {
    package enum Phase: String, Codable, Hashable, Sendable {
        case notRunning, launching, active, background, suspended, ended
    }

    package struct App: Codable, Hashable, Sendable {
        package var phase = Phase.notRunning
        package var pid: Int?
        /// Since the phone was switched on.
        package var launches = 0
        package var end: AppEnd?
    }

    package struct Device: Codable, Hashable, Sendable {
        package var name: String
        package var system: String
    }

    package struct Links: Codable, Hashable, Sendable {
        package var console: String?
    }

    package var app = App()
    package var settings: PhoneSettings
    package var device: Device
    package var links: Links
}

/// What a person can do to the phone, besides touching its screen and setting it.
package enum PhoneAction: String, Codable, Hashable, Sendable, CaseIterable {
    case launch, terminate, kill, suspend, resume, background, foreground, reinstall
    case memoryWarning, memoryCritical, memoryNormal
}
