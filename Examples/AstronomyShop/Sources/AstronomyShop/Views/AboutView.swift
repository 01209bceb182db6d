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
                Text("Each is asked about before it happens, and says in its records what set it off.")
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
            text: "A tap, the requests that it causes, and what the backend does for them, in one trace.",
            symbol: "point.3.connected.trianglepath.dotted", ),
        Feature(
            title: "Sessions", text: "One from the first screen to the order; the next begins after it.",
            symbol: "person.crop.circle", ),
        Feature(
            title: "Screens and taps", text: "Every record says on which screen it was made.", symbol: "hand.tap", ),
        Feature(
            title: "Offline", text: "What is recorded without a network waits on the phone, and is sent later.",
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
            "The app dies. At its next start the crash arrives, with the line that failed and the taps before it."
        case .hang: "Nothing moves for ten seconds. The hang arrives with the stack of the main thread while it waited."
        case .metricsPayload: "Values that are made up, and marked so, appear among the metrics."
        case .cpuBurn: "For 3.5 seconds the main thread computes. The hang's flame view names the function."
        case .slowAnimation: "Each frame comes late, which is counted for the comet's screen."
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
