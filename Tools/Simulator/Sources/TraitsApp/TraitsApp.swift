import SwiftUI

/// Shows what the phone's settings change for an app. Tests read it off the screen.
@main
struct TraitsApp: App {
    var body: some Scene {
        WindowGroup { TraitsView() }
    }
}

struct TraitsView: View {
    @Environment(\.locale) private var locale
    @Environment(\.calendar) private var calendar
    @Environment(\.timeZone) private var timeZone
    @Environment(\.horizontalSizeClass) private var horizontal
    @Environment(\.verticalSizeClass) private var vertical
    @Environment(\.displayScale) private var scale
    @Environment(\.colorSchemeContrast) private var contrast
    @Environment(\.accessibilityDifferentiateWithoutColor) private var differentiates
    @State private var changes = 0
    @State private var opened: [String] = []
    @Environment(\.scenePhase) private var phase

    /// November 25, 2026 at 20:30 UTC.
    private let date = Date(timeIntervalSince1970: 1_795_638_600)

    var body: some View {
        List {
            fact("environment", "\(locale.identifier) \(calendar.identifier) \(timeZone.identifier)")
            fact("calendar-zone", "\(calendar.timeZone.identifier) \(calendar.locale?.identifier ?? "none")")
            fact("current", current)
            fact("autoupdating", "\(Locale.autoupdatingCurrent.identifier) \(TimeZone.autoupdatingCurrent.identifier)")
            fact("hours", Locale.current.hourCycle == .zeroToTwentyThree ? "24" : "12")
            fact("style", date.formatted(date: .long, time: .shortened))
            fact("number", 1_234_567.5.formatted())
            fact("date-formatter", formatter.string(from: date))
            fact("number-formatter", price.string(from: 1_234.5) ?? "none")
            fact("interpolated", "\(1_234.5.formatted(.currency(code: "EUR"))), \(0.25.formatted(.percent))")
            Text("\(date, format: .dateTime.hour().minute())").accessibilityIdentifier("key")
            fact("zone-changes", "\(changes)")
            fact("screen", screen)
            fact("size-classes", "\(name(horizontal)) \(name(vertical)) \(Int(scale))")
            fact("device", "\(UIDevice.current.model) \(UIDevice.current.systemName)")
            fact("is-pad", UIDevice.current.userInterfaceIdiom == .pad ? "pad" : "phone")
            fact("contrast", "\(contrast == .increased ? "increased" : "standard") \(differentiates)")
            fact("opened", opened.joined(separator: ", "))
        }
        .onOpenURL { opened.append("\($0.absoluteString) \(phase)") }
        .onReceive(NotificationCenter.default.publisher(for: .NSSystemTimeZoneDidChange)) { _ in changes += 1 }
    }

    private func fact(_ name: String, _ text: String) -> some View {
        Text(verbatim: text).accessibilityIdentifier(name)
    }

    private var screen: String {
        let bounds = UIScreen.main.bounds
        return "\(Int(bounds.width)) \(Int(bounds.height)) \(Int(UIScreen.main.nativeBounds.width))"
    }

    private func name(_ size: UserInterfaceSizeClass?) -> String { size == .regular ? "regular" : "compact" }

    private var current: String {
        "\(Locale.current.identifier) \(Calendar.current.identifier) \(TimeZone.current.identifier)"
    }

    private var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.dateStyle = .medium
        formatter.timeStyle = .short
        return formatter
    }

    private var price: NumberFormatter {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        return formatter
    }
}
