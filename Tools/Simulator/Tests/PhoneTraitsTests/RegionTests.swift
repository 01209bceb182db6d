import Foundation
import Testing

@testable import DeviceSimulator

/// The locale, the calendar and the time zone of an app's process are those of the phone.
@Suite(.serialized, .timeLimit(.minutes(2))) struct `The region of a phone` {
    @Test func `is that of all formatters of the app`() async throws {
        try await PhoneWithTraits.run {
            $0.locale = "de_DE"
            $0.timeZone = "Europe/Berlin"
        } _: { subject in
            let facts = try await subject.facts()
            #expect(facts["environment"] == "de_DE gregorian Europe/Berlin")
            #expect(facts["calendar-zone"] == "Europe/Berlin de_DE")
            #expect(facts["current"] == "de_DE gregorian Europe/Berlin")
            #expect(facts["autoupdating"] == "de_DE Europe/Berlin")
            #expect(facts["hours"] == "24")
            #expect(facts["style"] == "25. November 2026 um 21:30")
            #expect(facts["number"] == "1.234.567,5")
            #expect(facts["date-formatter"] == "25.11.2026, 21:30")
            #expect(facts["number-formatter"] == "1.234,50\u{A0}€")
            #expect(facts["interpolated"] == "1.234,50\u{A0}€, 25\u{A0}%")
            #expect(facts["key"] == "21:30")
        }
    }

    @Test func `changes with its settings, and the app starts again in it`() async throws {
        try await PhoneWithTraits.run {
            $0.timeZone = "UTC"
        } _: { subject in
            let english = try await subject.facts()
            #expect(english["current"]?.hasPrefix("en_US gregorian") == true)
            #expect(english["style"] == "November 25, 2026 at 8:30\u{202F}PM")
            try await subject.phone.set {
                $0.locale = "ja_JP"
                $0.calendar = .japanese
            }
            let japanese = try await subject.facts { $0["current"]?.hasPrefix("ja_JP") == true }
            #expect(japanese["environment"]?.hasPrefix("ja_JP@calendar=japanese japanese") == true)
            #expect(japanese["current"]?.hasPrefix("ja_JP@calendar=japanese japanese") == true)
            #expect(japanese["style"] == "令和8年11月25日 20:30")
            try await subject.phone.set {
                $0.locale = "en_US"
                $0.calendar = .buddhist
                $0.hourCycle = .twentyFourHours
            }
            let buddhist = try await subject.facts { $0["current"]?.contains("buddhist") == true }
            #expect(buddhist["hours"] == "24")
            #expect(buddhist["style"]?.contains("2569") == true && buddhist["style"]?.hasSuffix("20:30") == true)
            #expect(await subject.phone.app.launches == 3)
        }
    }

    @Test func `moves to another time zone while the app runs`() async throws {
        try await PhoneWithTraits.run {
            $0.timeZone = "Europe/Berlin"
        } _: { subject in
            let before = try await subject.facts()
            #expect(before["date-formatter"]?.contains("9:30") == true)
            try await subject.phone.set { $0.timeZone = "America/New_York" }
            let after = try await subject.facts { $0["zone-changes"] == "1" }
            #expect(after["environment"] == "en_US gregorian America/New_York")
            #expect(after["calendar-zone"] == "America/New_York en_US")
            #expect(after["current"] == "en_US gregorian America/New_York")
            #expect(after["style"]?.contains("3:30") == true)
            #expect(after["date-formatter"]?.contains("3:30") == true)
            #expect(await subject.phone.app.launches == 1)
        }
    }
}
