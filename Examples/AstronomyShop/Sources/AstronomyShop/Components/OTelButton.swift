import Astrolabe
import SwiftUI

/// A button that sends one event and shows how many it has sent.
struct OTelButton: View {
    @Environment(\.shopTelemetry) private var telemetry
    @State private var sent = 0

    var body: some View {
        VStack(spacing: 6) {
            ActionButton("Send an Event", id: "otel-button") {
                withAnimation(.spring()) { sent += 1 }
                telemetry?.events.emit(
                    "demo.otel_button.tapped", attributes: ["demo.otel_button.count": AttributeValue(sent)])
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
