import AstrolabeSwiftUI
import SwiftUI

/// A list of the app's OpenTelemetry features, and how to trigger them.
struct AboutView: View {
    let shop: ShopModel

    var body: some View {
        TracedView("About", id: "about") { content }
            .navigationTitle("About")
            .inlineTitle()
    }

    private var content: some View {
        List {
            Section("What is recorded") {
                ForEach(Self.features, id: \.title) { feature in
                    FeatureRow(feature: feature)
                }
            }
            Section {
                ForEach(Self.demonstrations, id: \.title) { feature in
                    FeatureRow(feature: feature)
                }
            } header: {
                Text("Demonstrations")
            } footer: {
                Text("The app asks before each demonstration, and records what triggered it.")
            }
            Section("This installation") {
                IdentifierRow(name: "Version", identifier: shop.telemetry.appVersion)
                IdentifierRow(name: "Session", identifier: shop.session.sessionID)
                    .accessibilityIdentifier("session-id")
            }
        }
    }

    private struct Feature: Hashable {
        let title: String
        let text: String
        let symbol: String
    }

    private struct FeatureRow: View {
        let feature: Feature

        var body: some View {
            HStack(alignment: .top, spacing: 12) {
                Image(systemName: feature.symbol)
                    .foregroundColor(.accentColor)
                    .frame(width: 28)
                    .accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 2) {
                    Text(feature.title)
                        .font(.headline)
                    Text(feature.text)
                        .font(.subheadline)
                        .foregroundStyle(.secondary)
                }
            }
            .accessibilityElement(children: .combine)
        }
    }

    private static let features = [
        Feature(
            title: String(localized: "Traces"),
            text: String(localized: "One trace contains a tap, its requests, and the work of the backend."),
            symbol: "point.3.connected.trianglepath.dotted"),
        Feature(
            title: String(localized: "Sessions"),
            text: String(localized: "A session lasts from the first screen to the order."),
            symbol: "person.crop.circle"),
        Feature(
            title: String(localized: "Screens and taps"),
            text: String(localized: "Every record contains the name of its screen."), symbol: "hand.tap"),
        Feature(
            title: String(localized: "Offline"),
            text: String(localized: "Records made without a network stay on the phone and are sent later."),
            symbol: "wifi.slash"),
    ]

    private static let demonstrations = DemoTrigger.allCases.map { trigger in
        Feature(
            title: trigger.title, text: String(localized: "\(trigger.instruction) \(trigger.evidence)"),
            symbol: trigger.symbol)
    }
}

extension DemoTrigger {
    fileprivate var title: String {
        switch self {
        case .crash: String(localized: "Crash")
        case .hang: String(localized: "Hang")
        case .metricsPayload: String(localized: "Metrics payload")
        case .cpuBurn: String(localized: "Busy processor")
        case .slowAnimation: String(localized: "Slow animation")
        }
    }

    /// The steps that trigger it.
    fileprivate var instruction: String {
        switch self {
        case .crash: String(localized: "Put ten National Park Foundation Explorascopes into the cart.")
        case .hang: String(localized: "Put nine of them into the cart.")
        case .metricsPayload: String(localized: "Put eight of them into the cart.")
        case .cpuBurn: String(localized: "Add the Optical Tube Assembly.")
        case .slowAnimation: String(localized: "Add The Comet Book.")
        }
    }

    /// The telemetry that it leaves.
    fileprivate var evidence: String {
        switch self {
        case .crash:
            String(
                localized: """
                    The app crashes. After the next launch the crash arrives, with the failing line and the taps before \
                    it.
                    """
            )
        case .hang:
            String(localized: "The app freezes for ten seconds. The hang arrives with the stack of the main thread.")
        case .metricsPayload: String(localized: "Simulated values, marked as such, appear among the metrics.")
        case .cpuBurn:
            String(localized: "The main thread computes for 3.5 seconds. The hang's flame graph names the function.")
        case .slowAnimation: String(localized: "Each frame is late, and is counted for the comet's screen.")
        }
    }

    fileprivate var symbol: String {
        switch self {
        case .crash: "bolt.trianglebadge.exclamationmark"
        case .hang: "hourglass"
        case .metricsPayload: "chart.bar"
        case .cpuBurn: "cpu"
        case .slowAnimation: "sparkles"
        }
    }
}
