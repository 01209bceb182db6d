#if os(Linux)
import Astrolabe
import AstrolabeSwiftUI
import Combine
import Foundation
import SwiftUI
import Testing

/// A file with the imports of an app: every name below is one module's alone.
private struct Cart: View {
    @State private var quantity = 0
    let tint: Color
    let started: Tracer.Span
    let items: Meter.Gauge

    var body: some View {
        TracedView("Cart") {
            TracedButton("Add", id: "add") { quantity += 1 }
            Text("\(quantity)")
        }
    }
}

@Suite struct `A file that imports SwiftUI, Combine, Foundation and Astrolabe` {
    private func first(_ bytes: Span<UInt8>) -> UInt8? { bytes.isEmpty ? nil : bytes[0] }

    @Test func `uses the names of each without ambiguity`() {
        let bytes: [UInt8] = [7]
        #expect(first(bytes.span) == 7)
        let telemetry = Telemetry.disabled
        let cart = Cart(
            tint: Color.red, started: telemetry.tracer("shop").spanBuilder("cart").startSpan(),
            items: telemetry.meter("shop").gauge("demo.cart.items.count"),
        )
        #expect(!cart.started.isRecording)
        let changes = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let subscription: AnyCancellable = changes.sink { seen.append($0) }
        changes.send(3)
        subscription.cancel()
        #expect(seen == [3])
    }
}
#endif
