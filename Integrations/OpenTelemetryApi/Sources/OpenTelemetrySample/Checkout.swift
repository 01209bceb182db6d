import Foundation
import OpenTelemetryApi

/// An app's checkout, instrumented with `OpenTelemetryApi` alone.
public struct Checkout {
    /// An error of the app.
    public struct Declined: Error {}

    private let tracer = OpenTelemetry.instance.tracerProvider.get(
        instrumentationName: "shop.checkout", instrumentationVersion: "2.0", schemaUrl: nil,
        attributes: ["team": .string("payments")])
    private let logger = OpenTelemetry.instance.loggerProvider.loggerBuilder(instrumentationScopeName: "shop.checkout")
        .setInstrumentationVersion("2.0").build()

    public init() {}

    /// Places an order, and returns the headers of the request that this made.
    public func placeOrder() async -> [String: String] {
        let builder = OpenTelemetry.instance.baggageManager.baggageBuilder().setNoParent()
        if let key = EntryKey(name: "session.id"), let value = EntryValue(string: "s 1") {
            builder.put(key: key, value: value, metadata: nil)
        }
        let baggage = builder.build()
        return await OpenTelemetry.instance.contextProvider.withActiveBaggage(baggage) {
            await tracer.spanBuilder(spanName: "place order").setSpanKind(spanKind: .client)
                .setAttribute(key: "demo.cart.items.count", value: 3)
                .withActiveSpan { span in
                    span.setAttribute(key: "demo.order.tags", value: AttributeValue(["a", "b"]))
                    await quote()
                    // A task inherits the context.
                    let headers = await Task { request() }.value
                    do { try charge() } catch { (span as? any Span)?.recordException(error) }
                    span.addEvent(name: "placed", attributes: ["demo.order.id": .string("42")])
                    logger.logRecordBuilder().setSeverity(.warn2).setBody(.string("order placed"))
                        .setAttributes(["demo.order.id": .string("42")]).emit()
                    span.status = .ok
                    span.name += " 42"
                    return headers
                }
        }
    }

    private func quote() async {
        await tracer.spanBuilder(spanName: "quote").withActiveSpan { span in
            await Task.yield()
            span.setAttribute(key: "demo.shipping.amount", value: 8.99)
        }
    }

    /// Fails, in a span that is made active by hand.
    private func charge() throws {
        let span = tracer.spanBuilder(spanName: "charge").setActive(true).startSpan()
        defer { span.end() }
        let active = OpenTelemetry.instance.contextProvider.activeSpan
        span.setAttribute(key: "is.active", value: active === span)
        tracer.spanBuilder(spanName: "check card").startSpan().end()
        span.status = .error(description: "declined")
        throw Declined()
    }

    /// The headers of a request, as an instrumentation of HTTP would make them.
    private func request() -> [String: String] {
        var headers: [String: String] = [:]
        let context = OpenTelemetry.instance.contextProvider
        if let span = context.activeSpan {
            OpenTelemetry.instance.propagators.textMapPropagator.inject(
                spanContext: span.context, carrier: &headers, setter: Headers())
        }
        if let baggage = context.activeBaggage {
            OpenTelemetry.instance.propagators.textMapBaggagePropagator.inject(
                baggage: baggage, carrier: &headers, setter: Headers())
        }
        return headers
    }

    /// Handles a request that came with these headers, as a server would.
    public func handle(_ headers: [String: String]) -> String? {
        let propagators = OpenTelemetry.instance.propagators
        let remote = propagators.textMapPropagator.extract(carrier: headers, getter: Headers())
        let baggage = propagators.textMapBaggagePropagator.extract(carrier: headers, getter: Headers())
        let builder = tracer.spanBuilder(spanName: "handle").setSpanKind(spanKind: .server)
        if let remote { builder.setParent(remote).addLink(spanContext: remote) }
        builder.startSpan().end()
        return EntryKey(name: "session.id").flatMap { baggage?.getEntryValue(key: $0)?.string }
    }

    /// Measures with each kind of instrument, and returns a closure that closes the observations.
    public func measure() -> () -> Void {
        let meter = OpenTelemetry.instance.meterProvider.get(name: "shop.checkout")
        var orders = meter.counterBuilder(name: "demo.orders").build()
        orders.add(value: 2, attributes: ["demo.currency": .string("EUR")])
        var open = meter.upDownCounterBuilder(name: "demo.carts.open").build()
        open.add(value: -1)
        var totals = meter.histogramBuilder(name: "demo.order.total").setExplicitBucketBoundariesAdvice([10, 100])
            .build()
        totals.record(value: 57.08)
        var level = meter.gaugeBuilder(name: "demo.stock").ofLongs().build()
        level.record(value: 7)
        let time = meter.counterBuilder(name: "demo.cpu.time").ofDoubles().buildWithCallback { measurement in
            measurement.record(value: 1.5, attributes: ["mode": .string("user")])
        }
        return { time.close() }
    }
}

/// Headers as a dictionary.
struct Headers: Setter, Getter {
    func set(carrier: inout [String: String], key: String, value: String) { carrier[key] = value }
    func get(carrier: [String: String], key: String) -> [String]? { carrier[key].map { [$0] } }
}
