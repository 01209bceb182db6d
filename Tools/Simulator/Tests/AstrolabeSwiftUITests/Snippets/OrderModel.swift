import Astrolabe
import Combine

struct CardDeclined: Error {}

@MainActor
final class OrderModel: ObservableObject {
    @Published private(set) var message = ""
    private let telemetry: Telemetry
    private let charge: (Double) async throws -> Void

    init(telemetry: Telemetry = .shared, charge: @escaping (Double) async throws -> Void) {
        self.telemetry = telemetry
        self.charge = charge
    }

    func placeOrder(total: Double) async {
        do {
            try await telemetry.tracer("orders").withSpan("place order") { span in
                span.setAttribute("demo.order.amount", total)
                try await charge(total)
            }
            message = "Thank you."
        } catch {
            message = "The card was declined."
        }
    }
}
