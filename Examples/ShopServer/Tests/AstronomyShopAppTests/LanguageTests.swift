import DeviceLink
import Foundation
import Testing
import ViewTree

/// The real executable, on a device with another language.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The app in the phone's language` {
    @Test(arguments: [
        ("de_DE", "de", "leftToRight", "Zum Shop", "57,08\u{A0}$"),
        ("ja_JP", "ja", "leftToRight", "ショップを見る", "$57.08"),
        ("ar_EG", "ar", "rightToLeft", "تسوّق الآن", "\u{200F}٥٧٫٠٨\u{A0}US$"),
        ("fr_FR", "en", "leftToRight", "Go Shopping", "57,08\u{A0}$US"),
    ])
    func `shows its titles, prices and direction`(
        locale: String, language: String, direction: NodeValue, title: String, price: String,
    ) async throws {
        try await withDevice { device in
            device.begin.settings.locale = locale
            try await device.launch()
            #expect(device.tree?.root.properties["language"] == .string(language))
            #expect(device.tree?.root.properties["layoutDirection"] == direction)
            #expect(device.tree?.contains(text: title) == true)
            try await device.openShop()
            #expect(device.tree?.contains(text: price) == true, "\(device.tree?.root.outline ?? "")")
        }
    }
}
