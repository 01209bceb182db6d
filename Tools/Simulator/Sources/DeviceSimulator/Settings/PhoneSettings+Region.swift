import Foundation

/// A calendar that a phone offers in its settings. The raw values are those of Unicode locale identifiers.
package enum PhoneCalendar: String, Codable, Hashable, Sendable, CaseIterable {
    case gregorian, japanese, buddhist
}

/// The way in which a phone writes hours. The page and scenarios use the raw values.
package enum HourCycle: String, Codable, Hashable, Sendable, CaseIterable {
    /// As is usual in the region.
    case automatic
    case twelveHours = "12h"
    case twentyFourHours = "24h"
}

extension PhoneSettings {
    /// The time zone of the machine.
    package static let automatic = "automatic"

    /// The locale with what differs from the region's usual calendar and hours, such as `en_US@hours=h23`.
    var fullLocale: String {
        var keywords: [String] = []
        if calendar != .gregorian { keywords.append("calendar=\(calendar.rawValue)") }
        switch hourCycle {
        case .automatic: break
        case .twelveHours: keywords.append("hours=h12")
        case .twentyFourHours: keywords.append("hours=h23")
        }
        return keywords.isEmpty ? locale : "\(locale)@\(keywords.joined(separator: ";"))"
    }

    var resolvedTimeZone: String { timeZone == Self.automatic ? TimeZone.current.identifier : timeZone }

    /// - Throws: ``PhoneError/badSetting(_:)`` if the time zone database does not have the identifier.
    static func checkedTimeZone(_ identifier: String) throws(PhoneError) -> String {
        if identifier == automatic { return identifier }
        let hasForm = identifier.wholeMatch(of: /[A-Za-z0-9_+-]+(\/[A-Za-z0-9_+-]+)*/) != nil
        let isNamed = identifier == "UTC" || identifier == "GMT" || identifier.contains("/")
        guard hasForm, isNamed, TimeZone(identifier: identifier) != nil else {
            throw .badSetting(
                "timeZone: expected \(automatic), UTC, or an identifier such as Europe/Berlin; found \(identifier)")
        }
        return identifier
    }
}
