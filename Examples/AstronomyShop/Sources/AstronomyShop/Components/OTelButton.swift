import Astrolabe
import SwiftUI

/// Sends one event of its own, and says so: the smallest piece of telemetry that a person can cause.
struct OTelButton: View {
    @Environment(\.shopTelemetry) private var telemetry
    @State private var sent = 0

    var body: some View {
        VStack(spacing: 6) {
            ActionButton("Send an Event", id: "otel-button") {
                withAnimation(.spring()) { sent += 1 }
                telemetry?.events.emit(
                    "demo.otel_button.tapped", attributes: ["demo.otel_button.count": AttributeValue(sent)], )
            } label: {
                Label("Send an Event", systemImage: "dot.radiowaves.left.and.right")
            }
            .buttonStyle(.bordered)
            .scaleEffect(sent.isMultiple(of: 2) ? 1 : 1.06)
            Text(sent == 0 ? "Nothing sent yet" : "Events sent: \(sent)")
                .font(.caption)
                .foregroundStyle(.secondary)
                .accessibilityIdentifier("otel-button-count")
        }
    }
}
