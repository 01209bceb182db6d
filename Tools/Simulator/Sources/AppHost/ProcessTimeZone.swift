import Foundation

/// The time zone of the app's process.
enum ProcessTimeZone {
    /// Makes `TimeZone.current` the time zone of the device, and notifies the app of a change as iOS does.
    ///
    /// A default time zone that the app has set itself stays.
    /// - Throws: ``HostError`` if the locale of the process, which Foundation resets too, cannot be set again.
    @MainActor
    static func set(_ identifier: String?) throws {
        guard let identifier, let zone = TimeZone(identifier: identifier) else { return }
        let old = TimeZone.current
        guard old.identifier != zone.identifier else { return }
        let locale = Locale.current.identifier
        let isDefault = NSTimeZone.default.identifier == old.identifier
        // The device sets the variable at the launch, so this replaces a value that readers may still hold.
        setenv("TZ", zone.identifier, 1)
        NSTimeZone.resetSystemTimeZone()
        if isDefault { NSTimeZone.default = zone }
        try ProcessLocale.install(locale)
        NotificationCenter.default.post(name: .NSSystemTimeZoneDidChange, object: nil)
    }
}
