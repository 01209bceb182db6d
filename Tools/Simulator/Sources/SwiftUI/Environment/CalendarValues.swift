public import Foundation

extension EnvironmentValues {
    private enum CalendarKey: EnvironmentKey {
        static var defaultValue: Calendar { .current }
    }

    private enum TimeZoneKey: EnvironmentKey {
        static var defaultValue: TimeZone { .current }
    }

    /// The user's calendar, in the locale and the time zone of the phone.
    public var calendar: Calendar {
        get { self[CalendarKey.self] }
        set { self[CalendarKey.self] = newValue }
    }

    public var timeZone: TimeZone {
        get { self[TimeZoneKey.self] }
        set { self[TimeZoneKey.self] = newValue }
    }
}

extension DeviceTraits {
    /// The calendar that the locale names.
    var calendar: Calendar {
        var calendar = locale.calendar
        calendar.locale = locale
        calendar.timeZone = timeZone
        return calendar
    }
}
