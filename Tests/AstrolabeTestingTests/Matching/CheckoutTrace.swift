import Astrolabe
import AstrolabeTesting

/// A checkout that fails at the card, recorded by a clock that the test moves.
struct CheckoutTrace {
    let clock = TestClock()
    let collector: TelemetryCollector
    let telemetry: Telemetry

    init() {
        collector = TelemetryCollector(clock: clock)
        telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
    }

    /// Records one checkout and flushes.
    func record() async {
        let tracer = telemetry.tracer("shop")
        tracer.withSpan("checkout") { checkout in
            checkout.setAttribute("demo.order.amount", 57.08)
            checkout.setAttribute("demo.order.items", 3)
            tracer.withSpan("charge card", kind: .client) { charge in
                clock.advance(by: .seconds(2))
                charge.setStatus(.error("declined"))
            }
            clock.advance(by: .milliseconds(1))
            tracer.withSpan("ship order") { ship in ship.addEvent("label printed", attributes: ["demo.copies": 2]) }
            telemetry.logger("shop").emit("demo.order.placed", attributes: ["demo.order.amount": 57.08])
        }
        await telemetry.flush()
    }
}
