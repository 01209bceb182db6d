import AstrolabeSwiftUI
import SwiftUI

/// What the app shows of OpenTelemetry, and how to set it off.
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
                Text("Each is asked about before it happens.")
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

    private static let demonstrations = [
        Feature(
            title: "Crash", text: "Put ten National Park Foundation Explorascopes into the cart.",
            symbol: "bolt.trianglebadge.exclamationmark", ),
        Feature(title: "Hang", text: "Put nine of them into the cart.", symbol: "hourglass"),
        Feature(title: "Metrics payload", text: "Put eight of them into the cart.", symbol: "chart.bar"),
        Feature(title: "Busy processor", text: "Add the Optical Tube Assembly.", symbol: "cpu"),
        Feature(title: "Slow animation", text: "Add The Comet Book.", symbol: "sparkles"),
    ]
}
