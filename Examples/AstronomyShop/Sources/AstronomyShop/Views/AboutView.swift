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
                AmountRow(name: "Version", amount: shop.telemetry.appVersion)
                AmountRow(name: "Session", amount: shop.session.sessionID)
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
            title: "Traces",
            text: "One trace contains a tap, its requests, and the work of the backend.",
            symbol: "point.3.connected.trianglepath.dotted", ),
        Feature(
            title: "Sessions", text: "A session lasts from the first screen to the order.",
            symbol: "person.crop.circle", ),
        Feature(
            title: "Screens and taps", text: "Every record contains the name of its screen.", symbol: "hand.tap", ),
        Feature(
            title: "Offline", text: "Records made without a network stay on the phone and are sent later.",
            symbol: "wifi.slash", ),
    ]

    private static let demonstrations = DemoTrigger.allCases.map { trigger in
        Feature(
            title: trigger.title, text: "\(trigger.instruction) \(trigger.evidence)", symbol: trigger.symbol, )
    }
}

extension DemoTrigger {
    fileprivate var title: String {
        switch self {
        case .crash: "Crash"
        case .hang: "Hang"
        case .metricsPayload: "Metrics payload"
        case .cpuBurn: "Busy processor"
        case .slowAnimation: "Slow animation"
        }
    }

    /// How to trigger it.
    fileprivate var instruction: String {
        switch self {
        case .crash: "Put ten National Park Foundation Explorascopes into the cart."
        case .hang: "Put nine of them into the cart."
        case .metricsPayload: "Put eight of them into the cart."
        case .cpuBurn: "Add the Optical Tube Assembly."
        case .slowAnimation: "Add The Comet Book."
        }
    }

    /// What telemetry shows afterwards.
    fileprivate var evidence: String {
        switch self {
        case .crash:
            "The app crashes. After the next launch the crash arrives, with the failing line and the taps before it."
        case .hang: "The app freezes for ten seconds. The hang arrives with the stack of the main thread."
        case .metricsPayload: "Simulated values, marked as such, appear among the metrics."
        case .cpuBurn: "The main thread computes for 3.5 seconds. The hang's flame graph names the function."
        case .slowAnimation: "Each frame is late, and is counted for the comet's screen."
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
