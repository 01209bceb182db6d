import AstrolabeDeviceConditions
import DeviceLink
import Foundation
import Testing

@testable import DeviceSimulator

@Suite struct `The phone's settings` {
    private func applying(_ json: String) throws -> PhoneSettings {
        let update = try JSONDecoder().decode(PhoneSettingsUpdate.self, from: Data(json.utf8))
        return try update.applied(to: PhoneSettings())
    }

    @Test(arguments: [("astronomy-shop", "Astronomy Shop"), ("Tally", "Tally"), ("field-notes", "Field Notes")])
    func `name the app after its executable`(executable: String, name: String) {
        let folder = URL(fileURLWithPath: "/tmp")
        let url = folder.appendingPathComponent(executable)
        #expect(PhoneConfiguration(executable: url, folder: folder).appName == name)
    }

    @Test func `leave the sampling to the app, and change it by name`() throws {
        #expect(PhoneSettings().sampling == .automatic)
        #expect(try applying(#"{"sampling": "nothing"}"#).sampling == .nothing)
    }

    @Test func `change by what is named, and by no more`() throws {
        let settings = try applying(#"{"network": "weak", "batteryLevel": 0.04}"#)
        #expect(settings.network == .weak)
        #expect(settings.batteryLevel == 0.04)
        #expect(settings.textSize == PhoneSettings().textSize)
    }

    @Test(arguments: [
        (#"{"batteryLevel": 1.5}"#, "batteryLevel: expected 0 to 1; found 1.5"),
        (#"{"textSize": "huge"}"#, "textSize: expected one of xSmall"),
        (#"{"locale": "../../etc"}"#, "locale: expected an identifier such as en_US"),
        (
            #"{"timeZone": "Mars/Olympus"}"#,
            "timeZone: expected automatic, UTC, or an identifier such as Europe/Berlin; found Mars/Olympus",
        ),
        (#"{"timeZone": "../../etc/localtime"}"#, "timeZone: expected automatic"),
    ])
    func `take no value that no phone has`(json: String, message: String) throws {
        let error = #expect(throws: PhoneError.self) { try applying(json) }
        #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(String(describing: error))")
    }

    @Test func `write the calendar and the hours into the app's locale if they are not the region's`() throws {
        #expect(try applying(#"{"locale": "de_DE", "calendar": "gregorian"}"#).appearance.locale == "de_DE")
        let settings = try applying(#"{"calendar": "japanese", "hourCycle": "12h", "timeZone": "Asia/Kolkata"}"#)
        #expect(settings.appearance.locale == "en_US@calendar=japanese;hours=h12")
        #expect(settings.appearance.timeZone == "Asia/Kolkata")
        #expect(PhoneSettings().appearance.timeZone == TimeZone.current.identifier)
    }

    @Test func `tell the app only what its system would, and only what has changed`() throws {
        let old = PhoneSettings()
        var new = old
        new.isDark = true
        #expect(new.update(since: old) == nil)
        new.network = .airplane
        new.isLowPower = true
        let update = try #require(new.update(since: old))
        #expect(update.network == .offline)
        #expect(update.power?.isLowPowerMode == true)
        #expect(update.thermal == nil)
        #expect(update.memory == nil)
    }

    @Test func `have a battery that is full only on a charger`() {
        var settings = PhoneSettings()
        settings.batteryLevel = 1
        #expect(settings.conditions(.active).power.source == .unplugged)
        settings.isCharging = true
        #expect(settings.conditions(.active).power.source == .full)
    }
}
